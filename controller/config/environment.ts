/**
 * The environment variables of the controller: one table in which each is parsed once, at the start. The reference page
 * is generated from it.
 */
import { LIMITS } from "@tiphys/base/limits";
import { NODE_FORMATS, readNodeFormat, readNodeLevel } from "@tiphys/model/nodes";
import { quantityProblem } from "@tiphys/base/go";
import type { TextPattern } from "@tiphys/base/transient";
import { textPattern } from "@tiphys/base/text_pattern";
import { parseOverrideAllowlist } from "@tiphys/language/restrictions";
import { UserError } from "@tiphys/base/user_error";
import { argoDurationMillis, DEFAULT_ENGINE_LIMITS, type DeletePropagation } from "@tiphys/engine";

/** One variable. An empty one counts as unset. */
export interface Variable<Value = unknown> {
  /** The values that the variable accepts, as documentation. */
  readonly kind: string;
  readonly default: string;
  readonly meaning: string;
  /** Returns the parsed value; for undefined, the default. @throws {Error} with the expected and the actual value. */
  readonly read: (text: string | undefined) => Value;
}

/**
 * A boolean variable. As in Argo, exactly `false` turns it off if it is on by default, and exactly `true` turns it on
 * otherwise.
 */
function flag(defaultValue: boolean, meaning: string): Variable<boolean> {
  return {
    kind: "`true` or `false`",
    default: String(defaultValue),
    meaning,
    read: (text) => defaultValue ? text !== "false" : text === "true",
  };
}

function seconds(defaultValue: string, meaning: string): Variable<number> {
  return { ...millis(defaultValue, meaning), read: (text) => durationMillis(text ?? defaultValue) / 1000 };
}

function millis(defaultValue: string, meaning: string): Variable<number> {
  return { kind: "duration", default: defaultValue, meaning, read: (text) => durationMillis(text ?? defaultValue) };
}

function durationMillis(text: string): number {
  let found = NaN;
  try {
    found = argoDurationMillis(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Replaced by the error below, which is the same for every invalid duration.
  }
  if (found >= 0) return found;
  throw new Error(`expected a duration such as 10s, got ${JSON.stringify(text)}`);
}

/** A variable with an amount of a resource, such as `100m`. */
function quantity(defaultValue: string, meaning: string): Variable<string> {
  return {
    kind: "quantity",
    default: defaultValue,
    meaning,
    read(value = defaultValue) {
      if (/^[\d+.]/.test(value) && quantityProblem(value) === undefined) return value;
      throw new Error(`expected a quantity such as ${defaultValue}, got ${JSON.stringify(value)}`);
    },
  };
}

/** A variable with a duration that executors parse. */
function duration(defaultValue: string, meaning: string): Variable<string | undefined> {
  return {
    kind: "duration",
    default: defaultValue,
    meaning,
    read(text) {
      if (text !== undefined) durationMillis(text);
      return text;
    },
  };
}

function count(defaultValue: number, meaning: string): Variable<number> {
  return {
    kind: "whole number above 0",
    default: String(defaultValue),
    meaning,
    read(text) {
      if (text === undefined) return defaultValue;
      if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
      throw new Error(`expected a whole number above 0, got ${JSON.stringify(text)}`);
    },
  };
}

function text(defaultValue: string, meaning: string): Variable<string | undefined> {
  return { kind: "text", default: defaultValue, meaning, read: (value) => value };
}

const PROPAGATIONS = ["Background", "Foreground", "Orphan"] as const satisfies readonly DeletePropagation[];
const MIN_KEY_LENGTH = 32;

/** The key of this process if the administrator has not set one. Then templates are read again after a restart. */
const processKey = crypto.getRandomValues(new Uint8Array(MIN_KEY_LENGTH));

/** Every variable, by name. */
export const VARIABLES = {
  ALWAYS_OFFLOAD_NODE_STATUS: flag(
    false,
    "Whether `nodeStatusOffLoad` moves the nodes of all workflows to the [database](archive.md), for tests.",
  ),
  ARCHIVED_WORKFLOW_GC_PERIOD: millis(
    "24h",
    "How often [archived workflows](archive.md) older than `archiveTTL` are deleted. The first time is a minute after the start; 0: never.",
  ),
  ARGO_AGENT_CPU_LIMIT: quantity("100m", "The CPU limit of the containers of [agents](http-templates.md)."),
  ARGO_AGENT_MEMORY_LIMIT: quantity("256M", "The memory limit of the containers of agents."),
  ARGO_AGENT_PATCH_RATE: duration("that of DEFAULT_REQUEUE_TIME", "The minimum interval between reports of an agent."),
  ARGO_AGENT_TASK_WORKERS: {
    kind: "whole number above 0",
    default: "16",
    meaning: "How many tasks an agent processes concurrently.",
    read: (value: string | undefined) => value === undefined ? undefined : String(count(16, "").read(value)),
  },
  ARGO_ARTIFACT_GC_ENABLED: flag(
    true,
    "Whether [artifacts are deleted](artifacts/garbage.md) from their stores. If not, workflows that wait for it stay until you remove their finalizer.",
  ),
  ARGO_POD_STATUS_CAPTURE_FINALIZER: flag(
    true,
    "Whether pods have the [finalizer](pod-finalizer.md) that keeps them until their end is recorded. Default in Argo: `false`.",
  ),
  ARGO_PROGRESS_FILE_TICK_DURATION: duration(
    "3s",
    "How often an executor reads the file of main's progress; 0: never.",
  ),
  ARGO_PROGRESS_PATCH_TICK_DURATION: duration("1m", "How often an executor reports main's progress; 0: never."),
  ARGO_REMOVE_PVC_PROTECTION_FINALIZER: flag(
    true,
    "Whether Kubernetes' own finalizer is removed from claims of a workflow when they are deleted.",
  ),
  BUBBLE_ENTRY_TEMPLATE_ERR: flag(
    true,
    "Whether an error of the entry template ends the workflow at once, with " +
      "`error in entry template execution: ` before its message.",
  ),
  CACHE_GC_AFTER_NOT_HIT_DURATION: millis(
    "30s",
    "How long an entry of a [cache](memoization.md) is kept without a hit.",
  ),
  CACHE_GC_PERIOD: millis("0s", "How often such entries are removed; 0: never."),
  DEFAULT_REQUEUE_TIME: {
    kind: "duration",
    default: "10s",
    meaning: "The default of `ARGO_AGENT_PATCH_RATE`. It has no other effect.",
    read: (value: string | undefined) => duration("10s", "").read(value) ?? "10s",
  },
  DISABLE_MAX_RECURSION: flag(false, "Whether templates may call each other deeper than 100 levels."),
  INDEX_WORKFLOW_SEMAPHORE_KEYS: flag(
    true,
    "Whether a change of a semaphore's limit takes effect at once ([locks](synchronization.md)).",
  ),
  OFFLOAD_NODE_STATUS_TTL: millis(
    "5m",
    "The minimum time to keep offloaded nodes that no workflow refers to.",
  ),
  WATCH_CONTROLLER_SEMAPHORE_CONFIGMAPS: flag(
    true,
    "Whether the ConfigMaps with limits of semaphores are watched. Otherwise they are read when a lock is requested or released. The controller's own ConfigMap is always watched.",
  ),
  EVENT_AGGREGATION_WITH_ANNOTATIONS: flag(
    false,
    "Whether events are aggregated only if their annotations are equal. Events of different nodes are then not aggregated.",
  ),
  EXPRESSION_TEMPLATES: flag(true, "Whether tags with an expression (`{{=...}}`) are evaluated."),
  LEADER_ELECTION_DISABLE: flag(false, "Whether this process runs without leader election."),
  LEADER_ELECTION_IDENTITY: text("the host's name and a random part", "The name of this process in its Lease."),
  LEADER_ELECTION_LEASE_DURATION: millis("15s", "How long a Lease is valid after it was renewed."),
  LEADER_ELECTION_RENEW_DEADLINE: millis(
    "10s",
    "How long this process tries to renew the Lease before it gives it up.",
  ),
  LEADER_ELECTION_RETRY_PERIOD: millis("5s", "The interval between attempts to renew or acquire the Lease."),
  MAX_OPERATION_TIME: millis(
    "30s",
    "The last bucket of the metric `operation_duration_seconds`. It does not limit passes: see `MAX_PASS_TIME`.",
  ),
  MAX_PASS_TIME: {
    ...millis(
      `${DEFAULT_ENGINE_LIMITS.passMillis}ms`,
      "How long one pass creates nodes in the [slow lane](limits.md#the-slow-lane); other passes do so for at most 10ms. The next pass creates the rest.",
    ),
  },
  MAX_WORKFLOW_SIZE: count(
    LIMITS.storedStatusBytes,
    "The size of a workflow, in bytes, above which its nodes are compressed, and the maximum size of the compressed nodes ([limits](limits.md)). Kubernetes stores objects of up to 1.5 MiB.",
  ),
  MAX_WORKFLOW_NODES: count(
    DEFAULT_ENGINE_LIMITS.nodes,
    "The maximum number of nodes of a workflow ([limits](limits.md)).",
  ),
  OPERATION_DURATION_METRIC_BUCKET_COUNT: count(6, "The number of buckets of the metric `operation_duration_seconds`."),
  POD_NAMES: {
    kind: "`v1` or `v2`",
    default: "v2",
    meaning: "The form of pod names: `v1` is the node's ID, `v2` contains the template's name.",
    read: (value: string | undefined): "v1" | "v2" => value === "v1" ? "v1" : "v2",
  },
  POD_STATUS_CAPTURE_TIMEOUT_DURATION: seconds(
    "10m",
    "How long a pod that is being deleted is kept until its end is recorded. An addition to Argo.",
  ),
  RECENTLY_DELETED_POD_DURATION: seconds(
    "2m",
    "How long the controller waits for a missing report after the end of its pod.",
  ),
  RECENTLY_STARTED_POD_DURATION: seconds(
    "0s",
    "How long the pod of a running node may be missing. Default in Argo: 10s.",
  ),
  RETRY_HOST_NAME_LABEL_KEY: text("kubernetes.io/hostname", "The node label by which a retry selects another machine."),
  SKIP_WORKFLOW_DURATION_ESTIMATION: flag(false, "Whether workflows and nodes have no `estimatedDuration`."),
  TASK_RESULT_TIMEOUT_DURATION: seconds("10m", "How long the controller waits for the rest of an incomplete report."),
  TIPHYS_ALLOWED_ADDRESSES: text(
    "none",
    "Exceptions from refused addresses, in the format of `NO_PROXY`: by `http` templates under " +
      "`TIPHYS_RESTRICT_ADDRESSES`, and by the controller when it reads the command of an image from a registry.",
  ),
  TIPHYS_RESTRICT_ADDRESSES: flag(
    false,
    "Whether agents refuse requests of [`http` templates](http-templates.md) to loopback, link-local addresses, cloud " +
      "metadata and the API server.",
  ),
  TIPHYS_SEAL_KEY: {
    kind: `text of ${MIN_KEY_LENGTH} characters or more`,
    default: "a random one",
    meaning: "The key of the seals on stored specs ([restrictions](restrictions.md)), the same for all replicas.",
    read: sealKeyOf,
  },
  TRANSIENT_ERROR_PATTERN: {
    kind: "regular expression (RE2)",
    default: "none",
    meaning: "Errors with a matching message are also treated as transient.",
    read: transientPattern,
  },
  WF_DEL_PROPAGATION_POLICY: {
    kind: `one of ${PROPAGATIONS.map((word) => `\`${word}\``).join(", ")}`,
    default: "Background",
    meaning: "How the objects that a workflow owns are deleted with it after its `ttlStrategy` expires.",
    read: propagation,
  },
  WORKFLOW_COMPRESSION_ALGORITHM: {
    kind: `one of ${NODE_FORMATS.map((word) => `\`${word}\``).join(", ")}`,
    default: "gzip",
    meaning:
      "The compression of the nodes of large workflows. All three can always be read; versions of Argo before 4.1 read only gzip.",
    read: readNodeFormat,
  },
  WORKFLOW_COMPRESSION_LEVEL: {
    kind: "whole number",
    default: "the default of each",
    meaning: "The compression level: 1 to 9 for gzip, 1 to 4 for zstd (default 2), 0 to 11 for brotli (default 6).",
    read: readNodeLevel,
  },
  WORKFLOW_ESTIMATION_DB_QUERY_TIMEOUT_SECONDS: {
    kind: "whole number",
    default: "5",
    meaning:
      "How long, in seconds, the start of a workflow waits for the archive to return the duration of an earlier one. One query runs at a time, and none for a minute after a query failed or exceeded this time; such a query is canceled then. Workflows that start in the meantime have no estimate.",
    read(value = "5") {
      if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
      throw new Error(`expected a whole number of seconds, got ${JSON.stringify(value)}`);
    },
  },
  WORKFLOW_GC_PERIOD: millis(
    "5m",
    "How often offloaded nodes that no workflow refers to are deleted; 0: never. Workflows themselves are deleted as soon as their time to live ends.",
  ),
  WORKFLOW_USER_OVERRIDE_ALLOWLIST: {
    kind: "names of fields, separated by commas",
    default: "none",
    meaning: "Fields of a workflow's spec that users may set despite [restrictions](restrictions.md).",
    read: (value: string | undefined) => parseOverrideAllowlist(value ?? ""),
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
export const DEFAULT_ENVIRONMENT: Environment = readEnvironment(() => undefined);

function propagation(text: string | undefined): DeletePropagation {
  const found = PROPAGATIONS.find((candidate) => candidate === (text ?? "Background"));
  if (found) return found;
  throw new Error(`expected one of ${PROPAGATIONS.join(", ")}, got ${JSON.stringify(text)}`);
}

function sealKeyOf(value: string | undefined): Uint8Array {
  if (value === undefined) return processKey;
  if (value.length < MIN_KEY_LENGTH) {
    throw new Error(`expected at least ${MIN_KEY_LENGTH} characters, got ${value.length}`);
  }
  return new TextEncoder().encode(value);
}

function transientPattern(value: string | undefined): TextPattern | undefined {
  return value === undefined ? undefined : textPattern(value);
}
