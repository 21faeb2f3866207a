/** Cases of templates that the agent runs: http and executor plugins. */
import type { CoveredCase } from "../case_coverage.ts";
import {
  AGENT,
  AGENT_FACTS,
  AGENT_ON_CLUSTER,
  AGENT_POD,
  HTTP_REQUEST,
  scenario,
  simulated,
  TASK_SET_WATCH,
  TASKS,
  TOKENS,
} from "./places.ts";

const DONE = scenario("http_and_plugin_templates_run_in_the_agent");
const NOT_STARTED = scenario("an_agent_that_does_not_start");
const BROUGHT = scenario("executorPlugins_of_a_workflow");

export const AGENT_CASES: Readonly<Record<string, CoveredCase>> = {
  "AG-1": { behavior: "Each unfinished node is a task of the workflow's task set.", tests: [DONE] },
  "AG-2": { behavior: "Only missing tasks are written: waiting causes no write.", tests: [DONE] },
  "AG-3": {
    behavior: "The agent's result is the end of the node, and the task is removed.",
    tests: [DONE, [AGENT_ON_CLUSTER, "(AG-5)"]],
  },
  "AG-4": {
    behavior: "Ended nodes stay ended; unknown tasks are removed; the latest message counts.",
    tests: [DONE, simulated("http")],
  },
  "AG-5": {
    behavior: "A shutdown, a timeout and a deadline end the agent's tasks; its pod is deleted with the workflow.",
    tests: [scenario("stop_of_http_templates"), [AGENT_ON_CLUSTER, "(AG-5)"]],
  },
  "AG-6": {
    behavior:
      "One pod performs all tasks, unless another program creates it; an error of its creation is the nodes' error.",
    tests: [DONE, NOT_STARTED, scenario("an_agent_pod_created_by_another_program")],
  },
  "AG-7": {
    behavior: "Nodes report why their agent does not run, and a timeout counts from their start.",
    tests: [NOT_STARTED],
  },
  "AG-8": {
    behavior: "A missing agent pod is replaced, at most three times; completed requests are not repeated.",
    tests: [scenario("an_agent_that_ends_and_restarts"), [
      AGENT,
      "retry: the HTTP request of a retried workflow is sent again each time, by a new agent",
    ]],
  },
  "AG-10": {
    behavior: "The pod of an agent has volumes and containers in Argo's order.",
    tests: [[AGENT_POD, "(T-AG-15)"]],
  },
  "AG-20": {
    behavior: "Tasks run concurrently, and their results are reported in few writes.",
    tests: [[TASKS, "(T-AG-9)"], [
      TASK_SET_WATCH,
      "agent: receives only tasks of its workflow and exits when the task set is completed",
    ]],
  },
  "AG-21": {
    behavior: "A restarted agent does not repeat a request that changes something.",
    tests: [
      [TASKS, "(T-AG-10)"],
      [TASKS, "agent: an unsafe request is sent only after its Running phase was written"],
      [TASKS, "agent: after a restart, a request"],
    ],
  },
  "AG-22": {
    behavior: "An error is the node's, with its own message.",
    tests: [[HTTP_REQUEST, "(T-AG-7)"]],
  },
  "AG-23": {
    behavior: "An agent that is being stopped finishes and reports its tasks.",
    tests: [[TASKS, "(AG-23)"]],
  },
  "AG-24": { behavior: "Tasks start at once, and their ends are reported at once.", tests: [[TASKS, "(T-AG-9)"]] },
  "AG-30": {
    behavior: "Method, redirects, certificates and timeouts are the same as in Argo.",
    tests: [
      [
        HTTP_REQUEST,
        "http template: follows at most ten redirects; a POST becomes GET after 302 and stays POST after 307",
      ],
      [HTTP_REQUEST, "(T-AG-18)"],
      [HTTP_REQUEST, "(AG-30)"],
    ],
  },
  "AG-31": {
    behavior: "Headers are sent unchanged, including those of secrets, which are not visible to conditions.",
    tests: [[HTTP_REQUEST, "(T-AG-8)"], [HTTP_REQUEST, "(T-AG-18)"]],
  },
  "AG-32": { behavior: "A body is text, bytes, or empty.", tests: [[HTTP_REQUEST, "(AG-32)"]] },
  "AG-33": { behavior: "A success condition decides, otherwise the status code.", tests: [[HTTP_REQUEST, "(T-AG-7)"]] },
  "AG-34": {
    behavior: "The body is the result, up to 256 KiB.",
    tests: [[HTTP_REQUEST, "(T-AG-7)"], [HTTP_REQUEST, "(T-AG-17)"]],
  },
  "AG-35": {
    behavior: "Each attempt of a retry is a separate task.",
    tests: [[AGENT, "retry: the HTTP request of a retried workflow is sent again each time, by a new agent"], DONE],
  },
  "AG-40": {
    behavior: "Plugins are read from their ConfigMaps.",
    tests: [[AGENT_FACTS, "plugins: a plugin gets the token of its service account only if its"]],
  },
  "AG-41": {
    behavior: "An invalid plugin is reported, and does not affect others.",
    tests: [[AGENT_FACTS, "(T-AG-13)"]],
  },
  "AG-42": {
    behavior: "Plugins: of two with the same name, the one in the workflow's namespace is used.",
    tests: [[AGENT_FACTS, "plugins: the workflow's namespace takes precedence for plugins of the same"]],
  },
  "AG-43": {
    behavior: "A workflow may add plugins only if the settings permit it.",
    tests: [BROUGHT, scenario("executorPlugins_that_are_not_allowed")],
  },
  "AG-44": {
    behavior: "A plugin has the token of its account only if it requests it.",
    tests: [[AGENT_FACTS, "plugins: a plugin gets the token of its service account only if its"], [
      AGENT_POD,
      "a plugin without automountServiceAccountToken mounts neither its token",
    ]],
  },
  "AG-45": {
    behavior: "The secret that a plugin shares with the agent stays the same.",
    tests: [[TOKENS, "(T-AG-14)"]],
  },
  "AG-46": {
    behavior: "Plugins are called in order, again if they request it, and no longer if they do not know the method.",
    tests: [[HTTP_REQUEST, "(T-AG-11)"], [HTTP_REQUEST, "(T-AG-12)"]],
  },
  "T-AG-1": {
    behavior: "Nodes are tasks, each attempt has its own, results are outputs, and the end completes the task set.",
    tests: [DONE],
  },
  "T-AG-2": { behavior: "Waiting for 30 seconds writes nothing.", tests: [DONE] },
  "T-AG-3": { behavior: "A report for an unknown node is removed, and the workflow continues.", tests: [DONE] },
  "T-AG-4": { behavior: "The message of a final report replaces that of a running one.", tests: [DONE] },
  "T-AG-5": {
    behavior: "A task of an agent that cannot be scheduled fails at its timeout, with the reason.",
    tests: [NOT_STARTED],
  },
  "T-AG-6": {
    behavior: "Stop fails the tasks, and the agent is deleted.",
    tests: [scenario("stop_of_http_templates")],
  },
  "T-AG-16": {
    behavior: "An agent pod that another program creates is awaited.",
    tests: [scenario("an_agent_pod_created_by_another_program")],
  },
};
