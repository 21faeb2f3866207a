/**
 * The flags of the controller's program: those of Argo's controller, with the same names and defaults, and a few more.
 */
import { parseArgs } from "node:util";
import { nearestName } from "@tiphys/base/nearest_name";
import type { Level } from "@tiphys/base/log";

/** A flag of the command line. It requires a value unless its `type` is boolean. */
interface Flag {
  readonly type: "string" | "boolean" | "count" | "rate";
  readonly help: string;
  readonly default?: string;
  readonly short?: string;
  readonly choices?: readonly string[];
  /** Accepted so that a Deployment for Argo starts, and logged as a flag without effect. */
  readonly hasNoEffect?: true;
}

const LEVELS = ["debug", "info", "warn", "error"] as const satisfies readonly Level[];
const FORMATS = ["text", "json"] as const;

const FLAGS = {
  "burst": { type: "count", help: "maximum burst of requests if --qps sets a rate (default: same as --qps)" },
  "configmap": {
    type: "string",
    default: "workflow-controller-configmap",
    help: "name of the ConfigMap with the settings",
  },
  "context": { type: "string", help: "name of the kubeconfig context to use" },
  "cron-workflow-workers": { type: "count", default: "8", help: "number of cron workflows processed concurrently" },
  "executor-image": { type: "string", help: "image of the executor; overrides the ConfigMap" },
  "executor-image-pull-policy": {
    type: "string",
    help: "pull policy of the executor's image; overrides the ConfigMap",
  },
  "executor-plugins": { type: "boolean", help: "run executor plugins that are defined in ConfigMaps" },
  "gloglevel": { type: "count", hasNoEffect: true, help: "log level of Go libraries, which this program does not use" },
  "health-port": { type: "count", default: "6060", help: "port of /healthz" },
  "help": { type: "boolean", short: "h", help: "print this help" },
  "kubeconfig": { type: "string", help: "path of a kubeconfig, to run outside of a cluster" },
  "log-format": { type: "string", default: "text", choices: FORMATS, help: "text or json" },
  "loglevel": {
    type: "string",
    default: "info",
    choices: LEVELS,
    help: "debug, info, warn or error; also the level of executors",
  },
  "managed-namespace": { type: "string", help: "with --namespaced: the namespace to process (default: --namespace)" },
  "namespace": {
    type: "string",
    short: "n",
    help: "namespace of the controller and its ConfigMap (default: that of its pod, or argo)",
  },
  "namespaced": { type: "boolean", help: "process one namespace only" },
  "pod-cleanup-workers": {
    type: "count",
    hasNoEffect: true,
    help: "number of pods cleaned up concurrently",
  },
  "qps": { type: "rate", help: "requests per second (default: adapts to the API server)" },
  "release-pod-finalizers": {
    type: "boolean",
    help: "remove the finalizers of all pods, then exit: run this before uninstalling",
  },
  "version": { type: "boolean", help: "print the version" },
  "workflow-archive-workers": { type: "count", default: "8", help: "number of workflows archived concurrently" },
  "workflow-level-executor-plugins": { type: "boolean", help: "run executor plugins that are defined in workflows" },
  "workflow-ttl-workers": { type: "count", hasNoEffect: true, help: "number of workflows deleted concurrently" },
  "workflow-workers": { type: "count", default: "32", help: "number of workflows processed concurrently" },
} as const satisfies Readonly<Record<string, Flag>>;

type Name = keyof typeof FLAGS;

/** The parsed flags of the command line. */
export interface Flags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly namespaced: boolean;
  readonly managedNamespace?: string;
  readonly configmap: string;
  readonly executorImage?: string;
  readonly executorImagePullPolicy?: string;
  /** Requests per second; undefined to adapt to the API server. */
  readonly qps?: number;
  readonly burst?: number;
  readonly workflowWorkers: number;
  readonly cronWorkflowWorkers: number;
  readonly workflowArchiveWorkers: number;
  readonly loglevel: Level;
  readonly logFormat: typeof FORMATS[number];
  readonly healthPort: number;
  readonly releasePodFinalizers: boolean;
  readonly executorPlugins: boolean;
  readonly workflowLevelExecutorPlugins: boolean;
  /** Flags without effect that were set. */
  readonly ignored: readonly string[];
}

/** A request that is answered without running the controller. */
export type InfoCommand = "help" | "version";

/**
 * Parses the command line. Each flag can also be set in the environment, as ARGO_<NAME>. As in Argo, `version` is a
 * command.
 * @throws {Error} with the flag, the actual value and the expected one.
 */
export function readFlags(args: readonly string[], env: (name: string) => string | undefined): Flags | InfoCommand {
  const { values, args: rest } = parse(args);
  if (values.has("help") || rest[0] === "help") return "help";
  if (values.has("version") || rest[0] === "version") return "version";
  if (rest.length) throw new Error(`unknown command "${rest[0]}"; the commands are version and help`);
  const text = (name: Name): string | undefined => {
    const flag: Flag = FLAGS[name];
    const variable = `ARGO_${name.toUpperCase().replaceAll("-", "_")}`;
    const value = values.get(name) ?? (env(variable) || undefined);
    if (value === undefined) return flag.default;
    const place = values.has(name) ? `--${name}` : variable;
    if (flag.choices && !flag.choices.includes(value)) throw invalidValueError(place, flag.choices.join(", "), value);
    return value;
  };
  const number = (name: Name): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const isRate = (FLAGS[name] as Flag).type === "rate";
    if (isRate ? Number(value) > 0 : /^\d+$/.test(value)) return Number(value);
    throw invalidValueError(`--${name}`, isRate ? "a number above 0" : "a whole number", value);
  };
  const isSet = (name: Name) => ["true", "1", "t"].includes(text(name)?.toLowerCase() ?? "");
  const flags: Flags = {
    kubeconfig: text("kubeconfig"),
    context: text("context"),
    namespace: text("namespace"),
    namespaced: isSet("namespaced"),
    managedNamespace: text("managed-namespace"),
    configmap: text("configmap")!,
    executorImage: text("executor-image"),
    executorImagePullPolicy: text("executor-image-pull-policy"),
    qps: number("qps"),
    burst: number("burst"),
    workflowWorkers: number("workflow-workers")!,
    cronWorkflowWorkers: number("cron-workflow-workers")!,
    workflowArchiveWorkers: number("workflow-archive-workers")!,
    loglevel: text("loglevel") as Level,
    logFormat: text("log-format") as Flags["logFormat"],
    healthPort: number("health-port")!,
    releasePodFinalizers: isSet("release-pod-finalizers"),
    executorPlugins: isSet("executor-plugins"),
    workflowLevelExecutorPlugins: isSet("workflow-level-executor-plugins"),
    ignored: [...values.keys()].filter((name) => (FLAGS[name] as Flag).hasNoEffect).map((name) => `--${name}`),
  };
  if (flags.workflowWorkers === 0) throw invalidValueError("--workflow-workers", "a whole number above 0", "0");
  if (flags.cronWorkflowWorkers === 0) {
    throw invalidValueError("--cron-workflow-workers", "a whole number above 0", "0");
  }
  if (flags.workflowArchiveWorkers === 0) {
    throw invalidValueError("--workflow-archive-workers", "a whole number above 0", "0");
  }
  if (flags.burst !== undefined && flags.qps === undefined) return { ...flags, ignored: [...flags.ignored, "--burst"] };
  return flags;
}

function invalidValueError(path: string, accepted: string, value: string): Error {
  return new Error(`${path}: expected ${accepted}, got ${JSON.stringify(value)}`);
}

/** Parses flags in the format of Go programs: `--name value`, `--name=value`, and for a boolean also `--name`. */
function parse(args: readonly string[]): { values: Map<Name, string>; args: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries<Flag>(FLAGS).map(([name, { type, short }]) => [
      name,
      { type: type === "boolean" ? "boolean" as const : "string" as const, ...(short ? { short } : {}) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<Name, string>();
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    if (!(token.name in FLAGS)) throw unknownFlagError(token.rawName);
    const name = token.name as Name;
    const isBoolean = FLAGS[name].type === "boolean";
    if (!isBoolean && token.value === undefined) throw new Error(`${token.rawName}: expected a value`);
    given.set(name, token.value ?? "true");
  }
  return { values: given, args: rest };
}

function unknownFlagError(flag: string): Error {
  const near = nearestName(flag.replace(/^-+/, ""), Object.keys(FLAGS));
  return new Error(`there is no flag ${flag}${near ? `; did you mean --${near}?` : ""} (--help lists all)`);
}

/** The text that `--help` prints. */
export function helpText(): string {
  const lines = Object.entries<Flag>(FLAGS).map(([name, flag]) => {
    const left = `  ${flag.short ? `-${flag.short}, ` : "    "}--${name}${
      flag.type === "boolean" ? "" : ` ${flag.type}`
    }`;
    const notes = [
      ...(flag.default ? [`(default ${JSON.stringify(flag.default)})`] : []),
      ...(flag.hasNoEffect ? ["(no effect in this version)"] : []),
    ];
    return `${left.padEnd(42)} ${[flag.help, ...notes].join(" ")}`;
  });
  return [
    "Runs Argo workflows on a Kubernetes cluster.",
    "",
    "Usage: workflow-controller [flags]",
    "       workflow-controller version",
    "",
    "Flags; each can also be set in the environment, as ARGO_ and its name in capitals:",
    ...lines,
  ].join("\n");
}

/** The namespace to process: from the flags, or else from the setting `namespace`; undefined for the whole cluster. */
export function managedNamespace(
  { namespaced, managedNamespace, namespace }: Pick<Flags, "namespaced" | "managedNamespace"> & {
    readonly namespace: string;
  },
  setting?: string,
): string | undefined {
  return namespaced ? managedNamespace ?? namespace : setting || undefined;
}
