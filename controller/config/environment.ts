/**
 * The environment of the controller's program: one table of the variables that it reads, each parsed once, at its start. It
 * also gives the page about them.
 */
import { LIMITS } from "@tiphys/base/limits";
import { NODE_FORMATS, readNodeFormat, readNodeLevel } from "@tiphys/model/nodes";
import { quantityProblem } from "@tiphys/base/go";
import type { TextPattern } from "@tiphys/kube";
import { textPattern } from "@tiphys/base/text_pattern";
import { readOpenedOverrides } from "@tiphys/language/restrictions";
import { UserError } from "@tiphys/base/user_error";
import { argoDurationMillis, type DeletePropagation, USUAL_LIMITS } from "@tiphys/engine";

/** One variable; an empty one is not set. */
export interface Variable<Value = unknown> {
  /** The values that the variable takes, in words for people. */
  readonly kind: string;
  readonly default: string;
  readonly meaning: string;
  /** Its value; of undefined, the default. @throws {Error} with what is expected and what was found. */
  readonly read: (text: string | undefined) => Value;
}

/** Off with exactly `false`, or on with exactly `true`, as in Argo. */
function flag(usual: boolean, meaning: string): Variable<boolean> {
  return {
    kind: "`true` or `false`",
    default: String(usual),
    meaning,
    read: (text) => usual ? text !== "false" : text === "true",
  };
}

function seconds(usual: string, meaning: string): Variable<number> {
  return { ...millis(usual, meaning), read: (text) => durationMillis(text ?? usual) / 1000 };
}

function millis(usual: string, meaning: string): Variable<number> {
  return { kind: "duration", default: usual, meaning, read: (text) => durationMillis(text ?? usual) };
}

function durationMillis(text: string): number {
  let found = NaN;
  try {
    found = argoDurationMillis(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // The error is thrown below, with the words for all texts that are no duration.
  }
  if (found >= 0) return found;
  throw new Error(`expected a duration such as 10s, got ${JSON.stringify(text)}`);
}

/** An amount of a resource. */
function quantity(usual: string, meaning: string): Variable<string> {
  return {
    kind: "quantity",
    default: usual,
    meaning,
    read(found = usual) {
      if (/^[\d+.]/.test(found) && quantityProblem(found) === undefined) return found;
      throw new Error(`expected a quantity such as ${usual}, got ${JSON.stringify(found)}`);
    },
  };
}

/** A duration that executors read. */
function duration(usual: string, meaning: string): Variable<string | undefined> {
  return {
    kind: "duration",
    default: usual,
    meaning,
    read(text) {
      if (text !== undefined) durationMillis(text);
      return text;
    },
  };
}

function count(usual: number, meaning: string): Variable<number> {
  return {
    kind: "whole number above 0",
    default: String(usual),
    meaning,
    read(text) {
      if (text === undefined) return usual;
      if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
      throw new Error(`expected a whole number above 0, got ${JSON.stringify(text)}`);
    },
  };
}

function text(usual: string, meaning: string): Variable<string | undefined> {
  return { kind: "text", default: usual, meaning, read: (found) => found };
}

const PROPAGATIONS = ["Background", "Foreground", "Orphan"] as const satisfies readonly DeletePropagation[];
const LEAST_KEY_LENGTH = 32;

/** Without a key of the administrator's each process has its own: then a restart reads templates anew. */
const ownKey = crypto.getRandomValues(new Uint8Array(LEAST_KEY_LENGTH));

/** Every variable, by its name. */
export const VARIABLES = {
  ALWAYS_OFFLOAD_NODE_STATUS: flag(
    false,
    "Whether `nodeStatusOffLoad` takes the nodes of all workflows to the [database](archive.md), for trying it out.",
  ),
  ARCHIVED_WORKFLOW_GC_PERIOD: millis(
    "24h",
    "How often [archived workflows](archive.md) older than `archiveTTL` are deleted, after a first time a minute after " +
      "the start; 0: never.",
  ),
  ARGO_AGENT_CPU_LIMIT: quantity("100m", "The CPU limit of the containers of [agents](http-templates.md)."),
  ARGO_AGENT_MEMORY_LIMIT: quantity("256M", "The memory limit of the containers of agents."),
  ARGO_AGENT_PATCH_RATE: duration("that of DEFAULT_REQUEUE_TIME", "How often an agent reports at most."),
  ARGO_AGENT_TASK_WORKERS: {
    kind: "whole number above 0",
    default: "16",
    meaning: "How many tasks an agent works on at a time.",
    read: (found: string | undefined) => found === undefined ? undefined : String(count(16, "").read(found)),
  },
  ARGO_ARTIFACT_GC_ENABLED: flag(
    true,
    "Whether [artifacts are deleted](artifacts/garbage.md) from their stores. Where not, workflows that are kept for " +
      "that stay until somebody takes their finalizer off.",
  ),
  ARGO_POD_STATUS_CAPTURE_FINALIZER: flag(
    true,
    "Whether pods have the [finalizer](pod-finalizer.md) that keeps them until their end is recorded. Argo: `false`.",
  ),
  ARGO_PROGRESS_FILE_TICK_DURATION: duration(
    "3s",
    "How often an executor reads the file of main's progress; 0: never.",
  ),
  ARGO_PROGRESS_PATCH_TICK_DURATION: duration("1m", "How often an executor reports main's progress; 0: never."),
  ARGO_REMOVE_PVC_PROTECTION_FINALIZER: flag(
    true,
    "Whether Kubernetes' own finalizer is taken off the claims of a workflow that are deleted.",
  ),
  BUBBLE_ENTRY_TEMPLATE_ERR: flag(
    true,
    "Whether an entry template that ends in an error ends the workflow at once, with " +
      "`error in entry template execution: ` before its message.",
  ),
  CACHE_GC_AFTER_NOT_HIT_DURATION: millis(
    "30s",
    "How long an entry of a [cache](memoization.md) stays that nobody hits.",
  ),
  CACHE_GC_PERIOD: millis("0s", "How often such entries are removed; 0: never."),
  DEFAULT_REQUEUE_TIME: {
    kind: "duration",
    default: "10s",
    meaning: "How often an agent reports at most, where nothing else is said. Nothing else waits for it.",
    read: (found: string | undefined) => duration("10s", "").read(found) ?? "10s",
  },
  DISABLE_MAX_RECURSION: flag(false, "Whether templates may call each other deeper than 100 levels."),
  INDEX_WORKFLOW_SEMAPHORE_KEYS: flag(
    true,
    "Whether a limit of a semaphore that changes wakes those who wait for it ([locks](synchronization.md)).",
  ),
  OFFLOAD_NODE_STATUS_TTL: millis(
    "5m",
    "How long offloaded nodes are kept at least, also where no workflow names them.",
  ),
  WATCH_CONTROLLER_SEMAPHORE_CONFIGMAPS: flag(
    true,
    "Whether the ConfigMaps with limits of semaphores are watched; else they are read when somebody asks or gives back. The controller's own ConfigMap always is.",
  ),
  EVENT_AGGREGATION_WITH_ANNOTATIONS: flag(
    false,
    "Whether events count as alike only where their annotations are the same: of nodes, none is told for several then.",
  ),
  EXPRESSION_TEMPLATES: flag(true, "Whether tags with an expression (`{{=...}}`) are evaluated."),
  LEADER_ELECTION_DISABLE: flag(false, "Whether this process works without asking whether another one does."),
  LEADER_ELECTION_IDENTITY: text("the host's name and a random part", "The name of this process in its Lease."),
  LEADER_ELECTION_LEASE_DURATION: millis("15s", "How long a Lease counts after it was renewed."),
  LEADER_ELECTION_RENEW_DEADLINE: millis("10s", "How long renewing it is tried before this process gives it up."),
  LEADER_ELECTION_RETRY_PERIOD: millis("5s", "How often it is renewed, or asked for."),
  MAX_OPERATION_TIME: millis(
    "30s",
    "The last bucket of the metric `operation_duration_seconds`. No pass is broken off by it: `MAX_PASS_TIME` ends one.",
  ),
  MAX_PASS_TIME: {
    ...millis(
      `${USUAL_LIMITS.passMillis}ms`,
      "How long one pass makes new nodes in the [slow lane](limits.md), and at most 10ms among the others; the rest follows in the next one.",
    ),
  },
  MAX_WORKFLOW_SIZE: count(
    LIMITS.storedStatusBytes,
    "The size of a workflow, in bytes, from which its nodes are compressed, and beyond which it has no room for them " +
      "even so ([limits](limits.md)). Kubernetes keeps objects of up to 1.5 MiB.",
  ),
  MAX_WORKFLOW_NODES: count(USUAL_LIMITS.nodes, "How many nodes a workflow may have ([limits](limits.md))."),
  OPERATION_DURATION_METRIC_BUCKET_COUNT: count(6, "How many buckets the metric `operation_duration_seconds` has."),
  POD_NAMES: {
    kind: "`v1` or `v2`",
    default: "v2",
    meaning: "The form of the names of pods: `v1` is the node's ID, `v2` has the template's name in it.",
    read: (found: string | undefined): "v1" | "v2" => found === "v1" ? "v1" : "v2",
  },
  POD_STATUS_CAPTURE_TIMEOUT_DURATION: seconds(
    "10m",
    "How long a pod that is being deleted is kept for its end to be recorded. Not a variable of Argo's.",
  ),
  RECENTLY_DELETED_POD_DURATION: seconds("2m", "How long after the end of its pod a missing report is waited for."),
  RECENTLY_STARTED_POD_DURATION: seconds("0s", "How long the pod of a running node may be missing. Argo: 10s."),
  RETRY_HOST_NAME_LABEL_KEY: text("kubernetes.io/hostname", "The label of machines that retries elsewhere go by."),
  SKIP_WORKFLOW_DURATION_ESTIMATION: flag(false, "Whether workflows and nodes have no `estimatedDuration`."),
  TASK_RESULT_TIMEOUT_DURATION: seconds("10m", "How long the missing rest of a report is waited for."),
  TIPHYS_ALLOWED_ADDRESSES: text(
    "none",
    "Servers that may be reached although their address is refused, in the form of `NO_PROXY`: by `http` templates under " +
      "`TIPHYS_RESTRICT_ADDRESSES`, and by the controller when it reads the command of an image from a registry.",
  ),
  TIPHYS_RESTRICT_ADDRESSES: flag(
    false,
    "Whether agents refuse requests of [`http` templates](http-templates.md) to loopback, link-local addresses, cloud " +
      "metadata and the API server.",
  ),
  TIPHYS_SEAL_KEY: {
    kind: `text of ${LEAST_KEY_LENGTH} characters or more`,
    default: "a random one",
    meaning: "The key of the seals on stored specs ([restrictions](restrictions.md)), the same for all replicas.",
    read: sealKeyOf,
  },
  TRANSIENT_ERROR_PATTERN: {
    kind: "regular expression (RE2)",
    default: "none",
    meaning: "What the message of an error that passes by itself has in it, beside what is known.",
    read: transientPattern,
  },
  WF_DEL_PROPAGATION_POLICY: {
    kind: `one of ${PROPAGATIONS.map((word) => `\`${word}\``).join(", ")}`,
    default: "Background",
    meaning: "How what a workflow owns is deleted with it when its time is over.",
    read: propagation,
  },
  WORKFLOW_COMPRESSION_ALGORITHM: {
    kind: `one of ${NODE_FORMATS.map((word) => `\`${word}\``).join(", ")}`,
    default: "gzip",
    meaning:
      "The form in which the nodes of large workflows are compressed. All three are read, whatever is set here; " +
      "versions of Argo before 4.1 read gzip only.",
    read: readNodeFormat,
  },
  WORKFLOW_COMPRESSION_LEVEL: {
    kind: "whole number",
    default: "the usual one of each",
    meaning: "How hard compressing tries: 1 to 9 for gzip, 1 to 4 for zstd (else 2), 0 to 11 for brotli (else 6).",
    read: readNodeLevel,
  },
  WORKFLOW_ESTIMATION_DB_QUERY_TIMEOUT_SECONDS: {
    kind: "whole number",
    default: "5",
    meaning:
      "How long, in seconds, a start waits for the archive to tell the duration of an earlier workflow. One question is " +
      "asked at a time, and none for a minute after one failed or took longer; one that is not answered by then is given " +
      "up. Workflows that start meanwhile have no estimate.",
    read(found = "5") {
      if (/^[1-9]\d{0,3}$/.test(found)) return Number(found);
      throw new Error(`expected a whole number of seconds, got ${JSON.stringify(found)}`);
    },
  },
  WORKFLOW_GC_PERIOD: millis(
    "5m",
    "How often offloaded nodes that no workflow names are deleted; 0: never. Workflows are deleted when their time is over.",
  ),
  WORKFLOW_USER_OVERRIDE_ALLOWLIST: {
    kind: "names of fields, separated by commas",
    default: "none",
    meaning: "Fields of a workflow's spec that may be set under [restrictions](restrictions.md).",
    read: (found: string | undefined) => readOpenedOverrides(found ?? ""),
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** The values of all variables. */
export type Environment = { readonly [Name in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[Name]["read"]> };

/**
 * Reads all variables.
 * @throws {Error} that names the first one that cannot be used, what is expected and what was found; never a key.
 */
export function readEnvironment(env: (name: string) => string | undefined): Environment {
  const entries = Object.entries<Variable>(VARIABLES).map(([name, { read }]) => {
    try {
      return [name, read(env(name) || undefined)];
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  });
  return Object.fromEntries(entries) as Environment;
}

/** The environment of a program in which nothing is set. */
export const USUAL_ENVIRONMENT: Environment = readEnvironment(() => undefined);

function propagation(text: string | undefined): DeletePropagation {
  const found = PROPAGATIONS.find((one) => one === (text ?? "Background"));
  if (found) return found;
  throw new Error(`expected one of ${PROPAGATIONS.join(", ")}, got ${JSON.stringify(text)}`);
}

function sealKeyOf(found: string | undefined): Uint8Array {
  if (found === undefined) return ownKey;
  if (found.length < LEAST_KEY_LENGTH) {
    throw new Error(`expected at least ${LEAST_KEY_LENGTH} characters, got ${found.length}`);
  }
  return new TextEncoder().encode(found);
}

function transientPattern(found: string | undefined): TextPattern | undefined {
  return found === undefined ? undefined : textPattern(found);
}
