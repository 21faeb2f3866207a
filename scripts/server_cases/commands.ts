/** Cases of the commands (CL): one sentence per case, and the tests that ask it. */
import type { AskedCase } from "../case_coverage.ts";
import { ARGO, ARTIFACTS, BESIDE, CLI_ARCHIVE, COMMANDS, CP, SCRIPTED, TEXTS } from "./places.ts";

/** All cases of commands, by id. */
export const COMMAND_CASES: Readonly<Record<string, AskedCase>> = {
  "CL-01": {
    says: "Argo's CLI says of our server what it says of Argo's.",
    tests: [
      [ARGO, "Argo's CLI says of our server"],
      [BESIDE, "says the same of our server and of Argo's"],
      ["tests/argo_cli/stored_test.ts", "reads objects and logs, copies artifacts"],
      ["tests/argo_cli/database_test.ts", "says the same of limits and of the archive"],
      ["tests/argo_cli/cp_test.ts", "cp of Argo's CLI says and writes the same"],
    ],
  },
  "CL-02": {
    says: "Ours says of Argo's server what it says of ours.",
    tests: [["tests/argo_cli/contract_test.ts", "the service over Argo's server"]],
    lacks: "eight promises that Argo's server does not keep: the test names what it does instead, and asks for each",
  },
  "CL-03": { says: "wait says when a workflow ended.", tests: [[TEXTS, "CL-03"]] },
  "CL-04": {
    says: "submit --wait ends with 1 for what failed, and prints the name alone where it is asked to.",
    tests: [[SCRIPTED, "submit --wait ends with 1"]],
  },
  "CL-05": {
    says: "A dry run needs a form, and writes nothing.",
    tests: [[SCRIPTED, "submit refuses what goes not together"], [COMMANDS, "submit --dry-run creates nothing"]],
  },
  "CL-06": { says: "What goes not together is refused.", tests: [[SCRIPTED, "submit refuses what goes not together"]] },
  "CL-07": {
    says: "The last of equal parameters counts; values of files are JSON.",
    tests: [[SCRIPTED, "of a parameter that is given twice"]],
  },
  "CL-08": {
    says: "Several documents may come by the standard input; those of other kinds are named.",
    tests: [[SCRIPTED, "the standard input may hold several"]],
  },
  "CL-09": {
    says: "Sources are named by kind; times are RFC 3339.",
    tests: [[SCRIPTED, "a workflow comes from a cluster template"], [
      SCRIPTED,
      "submit refuses what goes not together",
    ]],
  },
  "CL-10": { says: "Objects and lists are indented as scripts know it.", tests: [[TEXTS, "CL-10"]] },
  "CL-11": { says: "Ages are days without end.", tests: [[SCRIPTED, "ages are days without end"]] },
  "CL-12": {
    says: "Filters that cannot be are refused; the others narrow.",
    tests: [[SCRIPTED, "a list refuses filters"], [COMMANDS, "list is narrowed by state"]],
  },
  "CL-13": { says: "A list asked for in chunks is whole.", tests: [[SCRIPTED, "a list refuses filters"]] },
  "CL-14": { says: "Lists have their columns.", tests: [[SCRIPTED, "a list of all namespaces"]] },
  "CL-15": {
    says: "The tree is drawn as Argo's.",
    tests: [
      ["lib/model/status/tree_test.ts", "workflowTrees: the members of a step group branch off where its row would be"],
      ["lib/model/status/tree_test.ts", "a retry has a row only"],
      ["lib/model/status/tree_test.ts", "workflowTrees: the exit handler is a separate tree, the last one"],
      [COMMANDS, "get shows head and tree"],
      ["tests/argo_cli/get_test.ts", "the tree of get is that of Argo's CLI"],
    ],
  },
  "CL-16": { says: "A phase and fields of nodes go not together.", tests: [[SCRIPTED, "get shows nodes by a phase"]] },
  "CL-17": {
    says: "Logs are narrowed; two beginnings are refused.",
    tests: [[SCRIPTED, "logs take a container"], [
      ARTIFACTS,
      "logs: archived logs are available after their pod and workflow are deleted",
    ]],
  },
  "CL-18": {
    says: "delete says what is not there, and means what all filters mean.",
    tests: [[SCRIPTED, "delete says what is not there"]],
  },
  "CL-19": { says: "stop needs somebody to stop, once.", tests: [[SCRIPTED, "stop needs a name"]] },
  "CL-20": {
    says: "A retry of several waits for none; resubmit takes a priority.",
    tests: [[SCRIPTED, "resubmit takes another priority"], [SCRIPTED, "none is waited for"]],
  },
  "CL-21": { says: "Values of nodes may be quoted.", tests: [[SCRIPTED, "node knows set"]] },
  "CL-22": {
    says: "cp puts artifacts at their places, and nothing elsewhere.",
    tests: [[CP, "puts every output artifact"], [CP, "leads out of the directory"], [CP, "asks by the proxy"]],
  },
  "CL-23": {
    says: "lint tells each problem, in both forms.",
    tests: [[COMMANDS, "lint tells every problem"], [SCRIPTED, "lint takes kinds by name"]],
  },
  "CL-24": {
    says: "The next run is that of all schedules, or N/A.",
    tests: [["cli/view/next_run_test.ts", "the next run is the first"], [
      "cli/view/next_run_test.ts",
      "has no next run",
    ]],
  },
  "CL-25": { says: "cron update takes parameters and a schedule.", tests: [[SCRIPTED, "cron create and update take"]] },
  "CL-26": {
    says: "A backfill makes each instant once.",
    tests: [[
      "lib/engine/workflow_actions/backfill_test.ts",
      "backfill: combines all schedules in order, without duplicates, in their time zone",
    ], [
      "lib/engine/workflow_actions/backfill_test.ts",
      "a count that divides evenly",
    ]],
  },
  "CL-27": {
    says: "A name of the archive is the whole name.",
    tests: [[CLI_ARCHIVE, "never another whose name begins alike"]],
  },
  "CL-28": {
    says: "Several of a name are told with their UIDs.",
    tests: [[CLI_ARCHIVE, "asks for the UID"], [CLI_ARCHIVE, "never another whose name begins alike"]],
  },
  "CL-29": { says: "A retry by labels is of its own namespace.", tests: [[CLI_ARCHIVE, "in its own namespace only"]] },
  "CL-30": {
    says: "Kinds of limits are read in any case; a ConfigMap is named.",
    tests: [["cli/commands/sync_test.ts", "limits of semaphores"], [
      "cli/commands/sync_test.ts",
      "tiphys sync refuses",
    ]],
  },
  "CL-31": { says: "convert writes today's form.", tests: [["cli/commands/convert_test.ts", "CL-31"]] },
  "CL-32": {
    says: "A plugin becomes the ConfigMap that argo makes.",
    tests: [["cli/commands/executor_plugin_test.ts", "CL-32"]],
  },
  "CL-33": { says: "auth token prints the header.", tests: [[TEXTS, "CL-33"]] },
  "CL-34": { says: "version tells of the server too.", tests: [[SCRIPTED, "version tells of the server"]] },
  "CL-35": { says: "Shells complete commands and names.", tests: [["cli/complete_test.ts", "CL-35"]] },
  "CL-36": {
    says: "Unknown forms and flags are refused.",
    tests: [[TEXTS, "CL-36"], ["cli/program_test.ts", "cannot be read ends with 2"]],
  },
  "CL-37": { says: "A token is sent with its word.", tests: [[SCRIPTED, "a token is sent whole"]] },
  "CL-38": {
    says: "No colours where no terminal is; a reader who leaves is no trouble.",
    tests: [[SCRIPTED, "nothing is coloured"], ["cli/reader_leaves_test.ts", "a reader who leaves"]],
  },
  "CL-39": {
    says: "A certificate that nobody vouches for ends the command with the host's name.",
    tests: [["cli/connect/server_connection_test.ts", "nobody vouches for"]],
  },
  "CL-40": {
    says: "A second shell reaches the embedded cluster, archive included.",
    tests: [
      ["cli/second_shell_test.ts", "each command in a second shell"],
      [CLI_ARCHIVE, "tiphys archive over"],
      ["local/kubeconfig_test.ts", "a kubeconfig leads to the cluster"],
    ],
  },
  "CL-41": {
    says: "A path before the API goes before each request.",
    tests: [["cli/connect/server_connection_test.ts", "a path before the API"]],
  },
  "CL-42": {
    says: "A manifest may be a URL, whose refusal is told.",
    tests: [["cli/connect/server_connection_test.ts", "a manifest may be a URL"]],
  },
};
