/** Cases of operations of users on workflows, and of templates. */
import type { CoveredCase } from "../case_coverage.ts";
import {
  ACTOR,
  BASELINES,
  DURATIONS,
  LIFE,
  LIFECYCLE,
  NODE_EVENTS,
  OWNERSHIP,
  RESTRICTIONS,
  RESUBMIT,
  RETRY,
  SAME_AS_ARGO,
  scenario,
  SUBMIT,
  SUSPENDED,
  SYNC,
} from "./places.ts";

export const OPERATION_CASES: Readonly<Record<string, CoveredCase>> = {
  "OP-1": {
    behavior:
      "A retry starts at every failed node without failed descendants; a workflow without nodes restarts from scratch.",
    tests: [[RETRY, "retry: retries a node that could not start, and a group that failed itself"], [
      RETRY,
      "retry: is rejected if no node failed",
    ], [
      RETRY,
      "retry: a stopped suspended node waits again with the declared outputs, and its siblings are kept",
    ], [RETRY, "retry: starts from scratch without nodes, or in phase Error without failed nodes"]],
  },
  "OP-2": {
    behavior: "A suspended node waits again with the outputs that its template declares.",
    tests: [[
      RETRY,
      "retry: a stopped suspended node waits again with the declared outputs, and its siblings are kept",
    ]],
  },
  "OP-3": {
    behavior:
      "A retried workflow is in its state before the end, without its exit handler and the pods of deleted nodes; pods of the same name in other namespaces stay.",
    tests: [[RETRY, "retry: removes phase, message and shutdown of the workflow, and keeps its labels"], [
      RETRY,
      "retry: runs the exit handler again and removes its nodes and pods",
    ], [
      RETRY,
      "a task whose name begins like the exit handler's",
    ]],
  },
  "OP-4": {
    behavior: "Other arguments apply, even if the workflow has stored its spec.",
    tests: [[RETRY, "retry: changes arguments also in the stored spec"], [
      RETRY,
      "retry: expands loops again when arguments have changed",
    ], [
      SUBMIT,
      "parseParameterValues() splits",
    ]],
  },
  "OP-5": {
    behavior: "An impossible operation is refused with Argo's message.",
    tests: [[RETRY, "retry: requires a completed workflow, and selected nodes for a succeeded one"], [
      RESUBMIT,
      "resubmit: a memoized resubmit is rejected for a workflow that did not fail",
    ], [
      SUSPENDED,
      "setNodes() rejects outputs that the nodes do not expect",
    ], [SUSPENDED, "resumeWorkflow: sets missing outputs to their defaults, and fails without a default"]],
  },
  "OP-6": {
    behavior: "Each resumed node records the user who resumed it.",
    tests: [[SUSPENDED, "resumeWorkflow: appends the user to the message of each resumed node"], [
      ACTOR,
      "resumedBy() names the known claims",
    ]],
  },
  "OP-7": {
    behavior: "Labels of a changed workflow record the user who changed it.",
    tests: [[ACTOR, "actorLabels: replaces invalid characters and keeps the end of long values"], [
      ACTOR,
      "withActor: an anonymous change removes the labels of the last actor and keeps the others",
    ]],
  },
  "OP-8": {
    behavior: "Only selected nodes are stopped, resumed and set.",
    tests: [
      [SUSPENDED, "resumeWorkflow: with a selector, resumes only these nodes, and the workflow stays suspended"],
      [SUSPENDED, "setNodes() changes only the selected waiting nodes"],
    ],
  },
  "OP-9": {
    behavior: "A resubmitted workflow renames nodes by their prefix; memoized, it skips successful ones.",
    tests: [[RESUBMIT, "resubmit: replaces the prefix of node names, for all characters in the name of the workflow"], [
      RESUBMIT,
      "resubmit: a memoized resubmit skips",
    ], [
      RETRY,
      "retry: locks are acquired again",
    ]],
  },
  "OP-10": {
    behavior: "No retry leaves a pod or a reference behind, in trees of any shape.",
    tests: [[RETRY, "retry: no node refers to a removed one"], [RETRY, "retry: reopens nested groups up to the root"], [
      "tests/scenarios/retry_test.ts",
      "retry: nothing refers to deleted nodes, successful ones are kept, and the workflow succeeds",
    ]],
  },
  "HK-1": { behavior: "A display name is validated.", tests: [scenario("display_names_of_templates")] },
  "HK-2": {
    behavior:
      "Restrictions, the TTL of errors, limits of namespaces, disruption budgets, switches of events, estimates and resource durations are implemented.",
    tests: [
      [RESTRICTIONS, "a workflow with forbidden fields ends, and no pod of it is created"],
      [LIFE, "TTL: a workflow that ended in an error has the TTL for completion, not the one for failure"],
      [LIFECYCLE, "namespace parallelism: the label of the namespace overrides the settings until it is removed"],
      [LIFECYCLE, "disruption budget: created before the first pod of a workflow that waited, and deleted at its end"],
      [OWNERSHIP, "claim: deletion removes"],
      [NODE_EVENTS, "node events: the settings can attach them to pods, or disable them"],
      scenario("a_workflow_timeout_is_reported_once"),
      [BASELINES, "baselines: use the newest successful workflow of the template,"],
      [DURATIONS, "requests of the whole pod count once"],
      [ACTOR, "withActor: an anonymous change removes the labels of the last actor and keeps the others"],
    ],
  },
  "HK-3": {
    behavior: "The controller waits for a report that another controller waited for.",
    tests: [scenario("reports_that_Argo_waited_for")],
  },
  "HK-4": {
    behavior: "A child that a user submits from a cron workflow has its time, its instance ID and its finalizers.",
    tests: [[SUBMIT, "workflowStartedFromCron: sets the scheduled time, instance and finalizers"]],
  },
  "HK-6": {
    behavior: "The agent performs the tasks of an exit handler also after a Stop.",
    tests: [scenario("stop_of_http_templates")],
  },
  "HK-8": {
    behavior: "Hooks of a node start in the order of their names.",
    tests: [scenario("hooks_of_a_step_start_in_the_order_of_their_names")],
  },
  "HK-9": {
    behavior: "No field of a workflow is silently ignored: each belongs to the engine, or to another named part.",
    tests: [[
      "tests/scenarios/features_test.ts",
      "features: every field that the engine implements, and each value of its enumerations, is used by a scenario",
    ]],
  },
  "HK-10": {
    behavior: "A workflow that Argo's controller started holds its locks here.",
    tests: [[SYNC, "(HK-10)"]],
  },
  "HK-11": {
    behavior: "Workflows of every template type end as in Argo, field by field.",
    tests: [[SAME_AS_ARGO, "small workflows of every kind"]],
  },
  "T-OP-1": {
    behavior: "A stopped suspended node waits again with the declared outputs; its siblings are kept.",
    tests: [
      [RETRY, "retry: a stopped suspended node waits again with the declared outputs, and its siblings are kept"],
      ["tests/scenarios/retry_test.ts", "retry: a stopped suspended node waits again, and its successors run"],
    ],
  },
  "T-OP-2": {
    behavior: "A group that failed by an expression is evaluated again.",
    tests: [["tests/scenarios/retry_test.ts", "retry: a group that failed by an expression is evaluated again"]],
  },
  "T-OP-3": {
    behavior: "A node with an invalid key of a memo is retried.",
    tests: [[RETRY, "retry: retries a node that could not start, and a group that failed itself"]],
  },
  "T-OP-4": {
    behavior: "A retried workflow of a WorkflowTemplate uses the new value.",
    tests: [["tests/scenarios/retry_test.ts", "retry: a workflow of a WorkflowTemplate accepts other arguments"]],
  },
  "T-OP-5": {
    behavior:
      "Random trees: no reference to a missing node, no pod left behind, successful nodes kept, and success in the end.",
    tests: [[
      "tests/scenarios/retry_test.ts",
      "retry: nothing refers to deleted nodes, successful ones are kept, and the workflow succeeds",
    ], ["tests/random_workflows/modes.ts"]],
  },
  "T-OP-6": {
    behavior: "Each of two resumed nodes has its own message.",
    tests: [[SUSPENDED, "resumeWorkflow: appends the user to the message of each resumed node"]],
  },
  "T-OP-7": {
    behavior: "A task named `onExitFoo` is kept.",
    tests: [[RETRY, "a task whose name begins like the exit handler's"]],
  },
  "T-OP-8": {
    behavior: "The name `a.b` of a workflow does not match `aXb`.",
    tests: [[RESUBMIT, "resubmit: replaces the prefix of node names, for all characters in the name of the workflow"]],
  },
  "T-OP-9": {
    behavior: "Each refusal has Argo's message.",
    tests: [
      [
        "cli/commands/cluster_commands_test.ts",
        "commands: a change that the state of a workflow does not allow exits with 1 and Argo's message",
      ],
      [SUSPENDED, "setNodes() rejects outputs that the nodes do not expect"],
      [SUSPENDED, "resumeWorkflow: sets missing outputs to their defaults, and fails without a default"],
      [SUBMIT, "parseParameterValues() splits"],
    ],
  },
};
