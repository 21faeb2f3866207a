/** Rejects options that have no effect in combination with others, so that users do not rely on them. */
import type { Command } from "commander";
import { badInput } from "../command_error.ts";
import type { World } from "../world.ts";

/** The options that an option of a command needs, and those with which it has no effect. */
interface Rule {
  readonly option: string;
  /** One of these must be given: an option, an option with a value as `--type=x`, or a variable as `$NAME`. */
  readonly needs?: readonly string[];
  /** With any of these, the option has no effect. */
  readonly without?: readonly string[];
}

const ONE_WAY_TO_AWAIT: Rule = { option: "--log", without: ["--watch"] };
const ONE_NAME: Rule = { option: "--generate-name", without: ["--name"] };
const CHOICES = [
  "--all",
  "--completed",
  "--resubmitted",
  "--prefix",
  "--selector",
  "--field-selector",
  "--older",
  "--status",
];
const WITHOUT_NODES = ["--output=json", "--output=yaml", "--output=name"];
const NEW_WORKFLOW = ["--name", "--generate-name", "--entrypoint", "--labels", "--serviceaccount", "--priority"];

/** The rules of each command. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  run: [...NEW_WORKFLOW.map((option): Rule => ({ option, without: ["--retry"] })), ONE_NAME],
  submit: [
    { option: "--status", needs: ["--watch"] },
    { option: "--node-field-selector", needs: ["--watch"] },
    { option: "--strict", without: ["--from"] },
    { option: "--no-strict", without: ["--from"] },
    ONE_WAY_TO_AWAIT,
    ONE_NAME,
  ],
  get: [
    { option: "--status", without: WITHOUT_NODES },
    { option: "--node-field-selector", without: WITHOUT_NODES },
  ],
  stop: [{ option: "--message", needs: ["--node-field-selector"] }],
  retry: [ONE_WAY_TO_AWAIT],
  resubmit: [ONE_WAY_TO_AWAIT],
  "archive retry": [ONE_WAY_TO_AWAIT],
  "archive resubmit": [ONE_WAY_TO_AWAIT],
  delete: [
    { option: "--all-namespaces", needs: CHOICES },
    { option: "--query-chunk-size", needs: CHOICES },
  ],
  "cron create": [ONE_NAME],
  "cron update": [ONE_NAME],
  local: [{ option: "--ui-port", without: ["--no-ui"] }],
  ...Object.fromEntries(
    ["create", "get", "update", "delete"].map((verb) => [`sync ${verb}`, [
      { option: "--cm-name", without: ["--type=database"] },
    ]]),
  ),
};

/**
 * Options that apply to an Argo server, to a cluster, and to either; an embedded cluster uses none of them. `--secure`
 * and `--insecure-skip-verify` are accepted everywhere: people have them in aliases.
 */
const OF_SERVER = ["--argo-base-href", "--header"];
const OF_CLUSTER = ["--cluster", "--user", "--server", "--username", "--password", "--proxy-url", "--tls-server-name"];
const OF_EITHER = ["--argo-server", "--token", "--certificate-authority", "--client-certificate", "--client-key"];
const EMBEDDED = ["--local", "--data"];

/** The rules of all commands. */
const RULES_OF_ALL: readonly Rule[] = [
  ...OF_SERVER.map((option): Rule => ({ option, needs: ["--argo-server", "$ARGO_SERVER"] })),
  ...OF_CLUSTER.map((option): Rule => ({ option, without: ["--argo-server", "$ARGO_SERVER"] })),
  ...[...OF_SERVER, ...OF_CLUSTER, ...OF_EITHER, "--kubeconfig", "--context"]
    .map((option): Rule => ({ option, without: EMBEDDED })),
];

/** @throws {CommandError} for an option of a command line that has no effect in combination with the others. */
export function refuseUnusedOptions(command: Command, world: World): void {
  const isGiven = (spelled: string) => {
    if (spelled.startsWith("$")) return Boolean(world.env(spelled.slice(1)));
    const [option = "", value] = spelled.split("=");
    const given = valueOf(command, option);
    return given !== undefined && (value === undefined || String(given).toLowerCase() === value);
  };
  for (const { option, needs, without = [] } of [...RULES[pathOf(command)] ?? [], ...RULES_OF_ALL]) {
    if (!isGiven(option)) continue;
    const other = without.find(isGiven);
    if (other) throw badInput(`${option} has no effect together with ${optionText(other)}`);
    if (needs && !needs.some(isGiven)) {
      throw badInput(`${option} has no effect without ${needs.map(optionText).join(" or ")}`);
    }
  }
}

function optionText(spelled: string): string {
  return spelled.replace("=", " ").replace("$", "");
}

/** The words of a command after those of the program, as `archive retry`. */
function pathOf(command: Command): string {
  const above = command.parent;
  return above?.parent ? `${pathOf(above)} ${command.name()}` : command.name();
}

/**
 * Returns the value of an option of a command, or of its parents, on the command line; undefined if it is not set
 * there.
 */
function valueOf(command: Command, long: string): unknown {
  for (let ancestor: Command | null = command; ancestor; ancestor = ancestor.parent) {
    const option = ancestor.options.find((candidate) => candidate.long === long);
    const name = option?.attributeName();
    if (name === undefined || ancestor.getOptionValueSource(name) !== "cli") continue;
    const value = ancestor.getOptionValue(name);
    // `--strict` and `--no-strict` share one value.
    if (option!.negate ? value === false : value !== false) return value;
  }
  return undefined;
}
