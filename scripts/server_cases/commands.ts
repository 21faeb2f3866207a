/** Cases of the commands (CL): one sentence per case, and the tests that check it. */
import type { CoveredCase } from "../case_coverage.ts";
import { ARGO, ARTIFACTS, CLI_ARCHIVE, COMMANDS, COMPARE_SERVERS, CP, SCRIPTED, TEXTS } from "./places.ts";

/** All cases of commands, by id. */
export const COMMAND_CASES: Readonly<Record<string, CoveredCase>> = {
  "CL-01": {
    behavior: "Argo's CLI prints the same with our server as with Argo's.",
    tests: [
      [ARGO, "Argo's CLI: prints the expected session"],
      [COMPARE_SERVERS, "prints the same with our server as with Argo's"],
      ["tests/argo_cli/stored_test.ts", "reads objects and logs, copies artifacts"],
      ["tests/argo_cli/database_test.ts", "prints the same limits and archive"],
      ["tests/argo_cli/cp_test.ts", "cp of Argo's CLI: prints and writes the same"],
    ],
  },
  "CL-02": {
    behavior: "Our CLI prints the same with Argo's server as with ours.",
    tests: [["tests/argo_cli/contract_test.ts", "contract with Argo's server"]],
    lacks: "eight statements that do not hold for Argo's server: the test names its behavior instead, and checks each",
  },
  "CL-03": { behavior: "wait prints the end of a workflow.", tests: [[TEXTS, "wait: prints the end of a workflow"]] },
  "CL-04": {
    behavior: "submit --wait exits with 1 after a failure, and prints only the name with -o name.",
    tests: [[SCRIPTED, "submit --wait: exits with 1"]],
  },
  "CL-05": {
    behavior: "A dry run requires an output form, and writes nothing.",
    tests: [[SCRIPTED, "submit: rejects contradictory flags"], [COMMANDS, "submit --dry-run: creates nothing"]],
  },
  "CL-06": {
    behavior: "Contradictory flags are rejected.",
    tests: [[SCRIPTED, "submit: rejects contradictory flags"]],
  },
  "CL-07": {
    behavior: "The last value of a parameter applies; values of files become JSON.",
    tests: [[SCRIPTED, "parameters: the last value of a name applies"]],
  },
  "CL-08": {
    behavior: "The standard input may contain several documents; those of other kinds are reported.",
    tests: [[SCRIPTED, "submit: reads several documents from the standard input"]],
  },
  "CL-09": {
    behavior: "Sources are named by kind; times are in RFC 3339.",
    tests: [[SCRIPTED, "submit --from: accepts both short names of cluster templates"], [
      SCRIPTED,
      "submit: rejects contradictory flags",
    ]],
  },
  "CL-10": {
    behavior: "JSON of objects and lists is indented as in Argo.",
    tests: [[TEXTS, "-o json: an object is indented"]],
  },
  "CL-11": {
    behavior: "Durations above a day are in days without an upper limit.",
    tests: [[SCRIPTED, "list: durations above a day"]],
  },
  "CL-12": {
    behavior: "Invalid filters are rejected; the others filter the list.",
    tests: [[SCRIPTED, "list: rejects invalid filters"], [COMMANDS, "list: filters by state"]],
  },
  "CL-13": {
    behavior: "A list that is requested in chunks is complete.",
    tests: [[SCRIPTED, "list: rejects invalid filters"]],
  },
  "CL-14": { behavior: "Lists have Argo's columns.", tests: [[SCRIPTED, "list: -A adds a namespace column"]] },
  "CL-15": {
    behavior: "The tree has Argo's form.",
    tests: [
      ["lib/model/status/tree_test.ts", "workflowTrees: the members of a step group branch off where its row would be"],
      ["lib/model/status/tree_test.ts", "a Retry node has its own row only"],
      ["lib/model/status/tree_test.ts", "workflowTrees: the exit handler is a separate tree, the last one"],
      [COMMANDS, "get: shows head and tree"],
      ["tests/argo_cli/get_test.ts", "get: prints the same tree as Argo's CLI"],
    ],
  },
  "CL-16": {
    behavior: "A phase and a node field selector cannot be combined.",
    tests: [[SCRIPTED, "get: --status and --node-field-selector cannot be combined"]],
  },
  "CL-17": {
    behavior: "Logs can be filtered; two start times are rejected.",
    tests: [[SCRIPTED, "logs: filters by container"], [
      ARTIFACTS,
      "logs: archived logs are available after their pod and workflow are deleted",
    ]],
  },
  "CL-18": {
    behavior: "delete reports missing workflows, and combines all filters.",
    tests: [[SCRIPTED, "delete: reports missing workflows"]],
  },
  "CL-19": {
    behavior: "stop requires a name or selector, and stops each workflow once.",
    tests: [[SCRIPTED, "stop: requires a name"]],
  },
  "CL-20": {
    behavior: "A retry of several workflows waits for none; resubmit accepts a priority.",
    tests: [[SCRIPTED, "resubmit: --priority"], [
      SCRIPTED,
      "retry, resubmit: --wait, --watch and --log print a warning",
    ]],
  },
  "CL-21": {
    behavior: "Values of node outputs may be quoted.",
    tests: [[SCRIPTED, "node: set is the only subcommand"]],
  },
  "CL-22": {
    behavior: "cp writes artifacts to their paths, and nothing elsewhere.",
    tests: [[CP, "cp: copies every output artifact"], [CP, "leads out of the directory"], [CP, "cp: uses the proxy"]],
  },
  "CL-23": {
    behavior: "lint reports every problem, in both forms.",
    tests: [[COMMANDS, "lint: reports every problem"], [SCRIPTED, "lint: reads the standard input"]],
  },
  "CL-24": {
    behavior: "The next run is computed from all schedules, or N/A.",
    tests: [["cli/view/next_run_test.ts", "next run: is the earliest time"], [
      "cli/view/next_run_test.ts",
      "next run: is undefined for an invalid schedule",
    ]],
  },
  "CL-25": {
    behavior: "cron update accepts parameters and a schedule.",
    tests: [[SCRIPTED, "cron create, update: accept the flags of submit"]],
  },
  "CL-26": {
    behavior: "A backfill creates each scheduled workflow once.",
    tests: [[
      "lib/engine/workflow_actions/backfill_test.ts",
      "backfill: combines all schedules in order, without duplicates, in their time zone",
    ], [
      "lib/engine/workflow_actions/backfill_test.ts",
      "if the count divides evenly",
    ]],
  },
  "CL-27": {
    behavior: "The archive matches whole names only.",
    tests: [[CLI_ARCHIVE, "never by a prefix of its name"]],
  },
  "CL-28": {
    behavior: "Several archived workflows of a name are listed with their UIDs.",
    tests: [[CLI_ARCHIVE, "a name of several workflows fails"], [CLI_ARCHIVE, "never by a prefix of its name"]],
  },
  "CL-29": {
    behavior: "A retry by labels only affects its own namespace.",
    tests: [[CLI_ARCHIVE, "a selector only matches workflows of the namespace"]],
  },
  "CL-30": {
    behavior: "The kind of a limit is case-insensitive; a ConfigMap requires a name.",
    tests: [["cli/commands/sync_test.ts", "sync: creates, shows, updates and deletes limits"], [
      "cli/commands/sync_test.ts",
      "sync: rejects",
    ]],
  },
  "CL-31": {
    behavior: "convert replaces deprecated fields.",
    tests: [["cli/commands/convert_test.ts", "convert: replaces deprecated fields"]],
  },
  "CL-32": {
    behavior: "executor-plugin build writes the same ConfigMap as argo.",
    tests: [["cli/commands/executor_plugin_test.ts", "executor-plugin build: writes the same ConfigMap"]],
  },
  "CL-33": {
    behavior: "auth token prints the header.",
    tests: [[TEXTS, "auth token: prints the authorization header"]],
  },
  "CL-34": {
    behavior: "version also prints the version of the server.",
    tests: [[SCRIPTED, "version: also prints the version of the server"]],
  },
  "CL-35": {
    behavior: "Shells complete commands and names.",
    tests: [["cli/complete_test.ts", "completion: offers commands"]],
  },
  "CL-36": {
    behavior: "Unknown forms and flags are rejected.",
    tests: [[TEXTS, "-o: an unknown form is rejected"], [
      "cli/program_test.ts",
      "command line: an invalid command line exits with 2",
    ]],
  },
  "CL-37": { behavior: "A token is sent with its scheme.", tests: [[SCRIPTED, "ARGO_TOKEN: is sent unchanged"]] },
  "CL-38": {
    behavior: "Output has no colors without a terminal; a closed pipe is not an error.",
    tests: [[SCRIPTED, "output: has no colors without a terminal"], [
      "cli/reader_leaves_test.ts",
      "closed pipe: a reader that exits early",
    ]],
  },
  "CL-39": {
    behavior: "An untrusted certificate is an error that names the host.",
    tests: [["cli/connect/server_connection_test.ts", "server: an untrusted certificate"]],
  },
  "CL-40": {
    behavior: "Commands in a second shell reach the embedded cluster and its archive.",
    tests: [
      ["cli/second_shell_test.ts", "second shell: every command"],
      [CLI_ARCHIVE, "tiphys archive with"],
      ["local/kubeconfig_test.ts", "writeKubeconfig: writes a kubeconfig that connects"],
    ],
  },
  "CL-41": {
    behavior: "A base path precedes the path of each request.",
    tests: [["cli/connect/server_connection_test.ts", "server: --argo-base-href prefixes the path"]],
  },
  "CL-42": {
    behavior: "A manifest may be a URL, whose errors are reported.",
    tests: [["cli/connect/server_connection_test.ts", "readText: fetches a URL"]],
  },
};
