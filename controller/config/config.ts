/**
 * The settings of a controller, as `workflow-controller-configmap` holds them: one key per field, or one key `config`
 * with all of them (features K-20 to K-34).
 */
import type { ConfigMap, Container, Workflow } from "../../lib/api/mod.ts";
import type { ArtifactDriver, KubeConfigSecret } from "../../lib/pod/mod.ts";
import { parseYaml } from "../../lib/yaml/mod.ts";
import type { EngineConfig } from "../engine/mod.ts";
import { argoDurationMillis } from "../engine/duration.ts";
import type { Limits } from "../throttle.ts";

/** Settings that are not the engine's alone. */
export interface ControllerConfig {
  readonly engine: EngineConfig;
  /** `auto` asks the cluster whether it keeps image volumes. */
  readonly layout: "initless" | "legacy" | "auto";
  readonly instanceId?: string;
  readonly namespace?: string;
  /** How many workflows may be at work. */
  readonly limits: Limits;
  /** Fields that are set and have no effect, for the log. */
  readonly ignored: readonly string[];
}

/** What the ConfigMap does not say: the image of the executor comes with the release or from a flag. */
export interface ConfigBase {
  readonly executorImage: string;
  readonly executorImagePullPolicy?: string;
}

/** Fields of the ConfigMap that the peer knows; anything else is a spelling mistake and refused. */
const KNOWN = new Set([
  "archiveTTL",
  "artifactDrivers",
  "artifactRepository",
  "columns",
  "disableAgentPodCreation",
  "executor",
  "failedPodRestart",
  "images",
  "initialDelay",
  "initlessPod",
  "instanceID",
  "kubeConfig",
  "links",
  "mainContainer",
  "metricsConfig",
  "namespace",
  "namespaceParallelism",
  "navColor",
  "nodeEvents",
  "parallelism",
  "persistence",
  "podGCDeleteDelayDuration",
  "podGCGracePeriodSeconds",
  "podSpecLogStrategy",
  "resourceRateLimit",
  "retentionPolicy",
  "sso",
  "synchronization",
  "telemetryConfig",
  "workflowDefaults",
  "workflowEvents",
  "workflowRestrictions",
]);

/** Those of them that this version does nothing about, though they are the controller's. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  "archiveTTL",
  "artifactRepository",
  "disableAgentPodCreation",
  "initialDelay",
  "metricsConfig",
  "persistence",
  "podSpecLogStrategy",
  "resourceRateLimit",
  "retentionPolicy",
  "synchronization",
  "telemetryConfig",
  "workflowEvents",
]);

interface Fields {
  readonly executor?: Partial<Container>;
  readonly mainContainer?: Partial<Container>;
  readonly images?: Record<string, { entrypoint?: string[]; cmd?: string[] }>;
  readonly workflowDefaults?: Partial<Workflow>;
  readonly workflowRestrictions?: { templateReferencing?: "Strict" | "Secure" };
  readonly initlessPod?: { enabled?: boolean; mode?: "auto" | "on" | "off" | boolean };
  readonly instanceID?: string;
  readonly namespace?: string;
  readonly podGCDeleteDelayDuration?: string;
  readonly podGCGracePeriodSeconds?: number;
  readonly artifactDrivers?: ArtifactDriver[];
  readonly kubeConfig?: KubeConfigSecret;
  readonly failedPodRestart?: { enabled?: boolean; maxRestarts?: number };
  readonly nodeEvents?: { enabled?: boolean };
  readonly parallelism?: number;
  readonly namespaceParallelism?: number;
}

/** The settings without any ConfigMap. */
export function defaultConfig(base: ConfigBase): ControllerConfig {
  return configFrom({}, base);
}

/**
 * Reads the settings.
 * @throws {Error} when a field is unknown or cannot be read; the message names it.
 */
export function parseControllerConfig(configMap: ConfigMap, base: ConfigBase): ControllerConfig {
  const data = configMap.data ?? {};
  const { config, ...fields } = data;
  if (config !== undefined && Object.keys(fields).length) {
    throw new Error(
      `Expected either the key "config" or one key per field, got "config" beside "${Object.keys(fields)[0]}"`,
    );
  }
  const parsed: Record<string, unknown> = {};
  if (config !== undefined) Object.assign(parsed, parseField("config", config));
  for (const [field, text] of Object.entries(fields)) {
    if (field.startsWith("_")) continue;
    parsed[field] = parseField(field, text);
  }
  for (const field of Object.keys(parsed)) {
    if (!KNOWN.has(field)) throw new Error(`Unknown field "${field}" of the controller's ConfigMap`);
  }
  return { ...configFrom(parsed, base), ignored: Object.keys(parsed).filter((field) => WITHOUT_EFFECT.has(field)) };
}

function parseField(field: string, text: string): unknown {
  const [document] = parseYaml(text);
  const [error] = document?.errors ?? [];
  if (!error) return document?.value;
  throw new Error(
    `Could not read the field "${field}" of the controller's ConfigMap: ${error.message} (line ${error.line})`,
  );
}

function configFrom(fields: Fields, base: ConfigBase): ControllerConfig {
  const env = (name: string) => Deno.env.get(name) || undefined;
  const seconds = (name: string, otherwise: number) => {
    const text = env(name);
    return text ? argoDurationMillis(text) / 1000 : otherwise;
  };
  const { image, imagePullPolicy, resources, securityContext, env: executorEnv, args } = fields.executor ?? {};
  const layout = layoutOf(fields.initlessPod ?? {});
  return {
    layout,
    instanceId: fields.instanceID,
    namespace: fields.namespace,
    ignored: [],
    limits: { parallelism: fields.parallelism, namespaceParallelism: fields.namespaceParallelism },
    engine: {
      executor: {
        layout: layout === "legacy" ? "legacy" : "initless",
        image: image ?? base.executorImage,
        imagePullPolicy: base.executorImagePullPolicy ?? imagePullPolicy,
        resources,
        securityContext,
        env: executorEnv,
        args,
        images: fields.images ?? {},
        mainContainer: fields.mainContainer,
        artifactDrivers: fields.artifactDrivers,
        kubeConfig: fields.kubeConfig,
        podGcDelay: fields.podGCDeleteDelayDuration,
        progressPatchTick: env("ARGO_PROGRESS_PATCH_TICK_DURATION"),
        progressFileTick: env("ARGO_PROGRESS_FILE_TICK_DURATION"),
        instanceId: fields.instanceID,
        statusFinalizer: env("ARGO_POD_STATUS_CAPTURE_FINALIZER") !== "false",
        logLevel: "info",
        logFormat: "text",
      },
      workflowDefaults: fields.workflowDefaults,
      templateReferencing: fields.workflowRestrictions?.templateReferencing,
      podNameFormat: env("POD_NAMES") === "v1" ? "v1" : "v2",
      taskResultTimeoutSeconds: seconds("TASK_RESULT_TIMEOUT_DURATION", 600),
      recentlyDeletedPodSeconds: seconds("RECENTLY_DELETED_POD_DURATION", 120),
      // Our own creations are known before the watch shows them, so a missing pod is a deleted one.
      recentlyStartedPodSeconds: seconds("RECENTLY_STARTED_POD_DURATION", 0),
      maxDepth: env("DISABLE_MAX_RECURSION") === "true" ? 0 : 100,
      podGcDeleteDelaySeconds: argoDurationMillis(fields.podGCDeleteDelayDuration ?? "5s") / 1000,
      podGcGraceSeconds: fields.podGCGracePeriodSeconds,
      podStatusHoldSeconds: seconds("POD_STATUS_CAPTURE_TIMEOUT_DURATION", 600),
      maxPodRestarts: fields.failedPodRestart?.enabled ? fields.failedPodRestart.maxRestarts ?? 3 : 0,
      remakeAfterShutdown: false,
      nodeEvents: fields.nodeEvents?.enabled !== false,
    },
  };
}

/** `enabled` forces a layout; `mode` says the same in words (which YAML takes for booleans), or leaves it to the cluster. */
function layoutOf({ enabled, mode = "auto" }: NonNullable<Fields["initlessPod"]>): ControllerConfig["layout"] {
  if (enabled !== undefined) return enabled ? "initless" : "legacy";
  switch (mode) {
    case "auto":
      return "auto";
    case "on":
    case true:
      return "initless";
    case "off":
    case false:
      return "legacy";
    default:
      throw new Error(`Expected initlessPod.mode to be "auto", "on" or "off", got "${mode}"`);
  }
}
