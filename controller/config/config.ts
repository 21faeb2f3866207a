/**
 * The settings of a controller, parsed from `workflow-controller-configmap`: one key per field, or one key `config`
 * with all of them.
 */
import type { Level } from "@tiphys/base/log";
import { nodeCompression } from "@tiphys/model/nodes";
import {
  type ConfigMap,
  CONTROLLER_SETTINGS,
  type ControllerSettings,
  type Setting,
  type SettingName,
} from "@tiphys/model/api";
import { Quantity } from "@tiphys/base/go";
import { LIMITS } from "@tiphys/base/limits";
import { sameJson } from "@tiphys/kube/patch";
import { argoDurationMillis, type EngineConfig } from "@tiphys/engine";
import type { RateLimit } from "../loop/rate_limiter.ts";
import type { Limits } from "../loop/throttle.ts";
import { DEFAULT_ENVIRONMENT, type Environment } from "./environment.ts";
import { readConfigMap, type SettingProblem } from "./read_config_map.ts";

/** Settings of the whole controller, in addition to those of the engine. */
export interface ControllerConfig {
  readonly engine: EngineConfig;
  /** `auto` detects whether the cluster supports image volumes. */
  readonly layout: "initless" | "legacy" | "auto";
  readonly instanceId?: string;
  /** The limits on the number of workflows that may run concurrently. */
  readonly limits: Limits;
  /** The number of pods that may be created per second; absent for no limit. */
  readonly podRate?: RateLimit | undefined;
  /** The number of finished workflows to keep, by phase; absent to keep all. */
  readonly retention?: ControllerSettings["retentionPolicy"];
  /**
   * Whether limits of semaphores are watched. Otherwise they are read again when they are older than `cacheSeconds`.
   */
  readonly limitSettings: { readonly isWatched: boolean; readonly cacheSeconds: number };
  /** The database of locks; absent if none is configured. */
  readonly synchronization?: ControllerSettings["synchronization"];
  /** The database of archived workflows; absent if none is configured. */
  readonly persistence?: ControllerSettings["persistence"];
  /** Keys that are set but have no effect, for the log. */
  readonly ignored: readonly string[];
  /** The keys from which these settings were built. */
  readonly settings: ControllerSettings;
  /** The resourceVersion of the ConfigMap. */
  readonly version?: string | undefined;
  /** The reason why no workflow is processed, such as a restriction that cannot be parsed. */
  readonly pauseReason?: string | undefined;
}

/**
 * Settings that are not in the ConfigMap: the image of the executor, for example, comes with the release or from a
 * flag.
 */
export interface ConfigBase {
  readonly executorImage: string;
  readonly executorImagePullPolicy?: string;
  /** The log level of the controller and its executors; the default level if absent. */
  readonly logLevel?: Level | undefined;
  /** The namespace of the controller. */
  readonly namespace?: string;
  /** Whether traces of workflows are exported. */
  readonly traces?: boolean;
  /** Whether the commands of images are looked up in their registries. */
  readonly looksUpImages?: boolean;
  /** Whether agents run plugins: those of ConfigMaps, and those of workflows. */
  readonly executorPlugins?: boolean;
  readonly workflowPlugins?: boolean;
  /** Whether finished workflows are archived. */
  readonly archives?: boolean;
  /** The environment of the program; if absent, that of a program without any variable. */
  readonly environment?: Environment;
}

/** The settings without a ConfigMap. */
export function defaultConfig(base: ConfigBase): ControllerConfig {
  return configFrom({}, base);
}

/**
 * Parses the settings strictly.
 * @throws {Error} at the first problem, with its place in the message.
 */
export function parseControllerConfig(configMap: ConfigMap, base: ConfigBase): ControllerConfig {
  const { settings, problems: [problem] } = readConfigMap(configMap);
  if (problem) throw new Error(`Could not read the controller's ConfigMap: ${problem.message}`);
  return configFrom(settings, base);
}

/** The settings of a controller after it has read a ConfigMap with possible problems. */
export interface ConfigResult {
  /** The settings to run with; undefined if the controller cannot start before the ConfigMap is fixed. */
  readonly config?: ControllerConfig;
  /** The reason why no workflow is processed before the ConfigMap is fixed. */
  readonly pauseReason?: string;
  /** The problems of the settings, each with its consequence. */
  readonly problems: readonly { readonly message: string; readonly consequence: string }[];
}

/**
 * Parses the settings of a ConfigMap that may contain errors, key by key. An invalid key keeps its value of `before`.
 * At the start, it gets its default if that is safe; otherwise, the controller processes no workflow.
 */
export function configWithFallbacks(configMap: ConfigMap, base: ConfigBase, before?: ControllerConfig): ConfigResult {
  const { settings, problems } = readConfigMap(configMap);
  const version = configMap.metadata.resourceVersion;
  const waits = problems.filter(({ ifUnreadable }) =>
    ifUnreadable === "hold" || ifUnreadable === "wait" && before === undefined
  );
  const reported = problems.map((problem) => ({
    message: problem.message,
    consequence: consequenceOf(problem, before, waits),
  }));
  const pauseReason = waits[0]?.message;
  if (before === undefined && pauseReason !== undefined) return { pauseReason, problems: reported };
  const isWhole = problems.some(({ setting, ifUnreadable }) => setting === undefined && ifUnreadable !== "usual");
  const known = before?.settings ?? {};
  const kept = problems.flatMap(({ setting }) => setting === undefined ? [] : [[setting, known[setting]]]);
  const next: ControllerSettings = isWhole ? known : { ...settings, ...Object.fromEntries(kept) };
  const stale = before ? START_ONLY_SETTINGS.filter((name) => !sameJson(next[name], before.settings[name])) : [];
  for (const name of stale) {
    reported.push({
      message: `${name}: a change requires a restart`,
      consequence: "the previous value remains in effect",
    });
  }
  const old = Object.fromEntries(stale.map((name) => [name, known[name]]));
  const config = configFrom({ ...next, ...old }, base);
  return { config: { ...config, version, pauseReason }, pauseReason, problems: reported };
}

/** Keys that are read only at the start, because they decide what is watched and served. */
const START_ONLY_SETTINGS = (Object.keys(CONTROLLER_SETTINGS) as SettingName[]).filter((name) =>
  (CONTROLLER_SETTINGS[name] as Setting).takesRestart
);

function consequenceOf(
  problem: SettingProblem,
  before: ControllerConfig | undefined,
  waits: readonly SettingProblem[],
): string {
  if (waits.includes(problem)) return "no workflow is processed until it is fixed";
  if (problem.setting === undefined && problem.ifUnreadable === "usual") return "it has no effect";
  return before === undefined ? "the default is used" : "the previous value remains in effect";
}

function configFrom(fields: ControllerSettings, base: ConfigBase): ControllerConfig {
  const environment = base.environment ?? DEFAULT_ENVIRONMENT;
  const { image, imagePullPolicy, resources, securityContext, env: executorEnv, args } = fields.executor ?? {};
  const layout = layoutOf(fields.initlessPod ?? {});
  const templateReferencing = fields.workflowRestrictions?.templateReferencing;
  return {
    layout,
    settings: fields,
    instanceId: fields.instanceID,
    ignored: settingsWithoutEffect(fields),
    limits: { parallelism: fields.parallelism, namespaceParallelism: fields.namespaceParallelism },
    podRate: fields.resourceRateLimit,
    retention: fields.retentionPolicy,
    limitSettings: {
      isWatched: environment.WATCH_CONTROLLER_SEMAPHORE_CONFIGMAPS && environment.INDEX_WORKFLOW_SEMAPHORE_KEYS,
      cacheSeconds: fields.synchronization?.semaphoreLimitCacheSeconds ?? 0,
    },
    synchronization: fields.synchronization,
    persistence: fields.persistence,
    engine: {
      ...offloadOf(fields.persistence, base, environment),
      ...(environment.MAX_WORKFLOW_SIZE === LIMITS.storedStatusBytes
        ? {}
        : { maxNodesBytes: environment.MAX_WORKFLOW_SIZE }),
      ...compressionOf(environment),
      executor: {
        layout: layout === "legacy" ? "legacy" : "initless",
        singleContainer: fields.initlessPod?.singleContainer,
        image: image ?? base.executorImage,
        imagePullPolicy: base.executorImagePullPolicy ?? imagePullPolicy,
        resources,
        securityContext,
        env: executorEnv,
        args,
        images: fields.images ?? {},
        mainContainer: fields.mainContainer,
        artifactDrivers: fields.artifactDrivers,
        ...artifactCacheOf(fields.artifactCache),
        kubeConfig: fields.kubeConfig,
        podGcDelay: fields.podGCDeleteDelayDuration,
        progressPatchTick: environment.ARGO_PROGRESS_PATCH_TICK_DURATION,
        hostLabel: environment.RETRY_HOST_NAME_LABEL_KEY,
        progressFileTick: environment.ARGO_PROGRESS_FILE_TICK_DURATION,
        instanceId: fields.instanceID,
        statusFinalizer: environment.ARGO_POD_STATUS_CAPTURE_FINALIZER,
        logLevel: base.logLevel ?? "info",
        logFormat: "text",
      },
      workflowDefaults: fields.workflowDefaults,
      ...(base.namespace === undefined ? {} : { namespace: base.namespace }),
      ...(fields.artifactRepository ? { artifactRepository: fields.artifactRepository } : {}),
      ...(templateReferencing
        ? {
          templateReferencing,
          allowedOverrides: environment.WORKFLOW_USER_OVERRIDE_ALLOWLIST,
          sealKey: environment.TIPHYS_SEAL_KEY,
        }
        : {}),
      ...(fields.tagsInValues === true ? { tagsInValues: true } : {}),
      ...(environment.EXPRESSION_TEMPLATES ? {} : { expressionTags: false }),
      ...(environment.ARGO_ARTIFACT_GC_ENABLED ? {} : { artifactGc: false }),
      ...(environment.BUBBLE_ENTRY_TEMPLATE_ERR ? {} : { bubblesEntryErrors: false }),
      deletePropagation: environment.WF_DEL_PROPAGATION_POLICY,
      agent: {
        patchRate: environment.ARGO_AGENT_PATCH_RATE ?? environment.DEFAULT_REQUEUE_TIME,
        taskWorkers: environment.ARGO_AGENT_TASK_WORKERS,
        ...(environment.TIPHYS_RESTRICT_ADDRESSES ? { restrictsAddresses: true } : {}),
        allowedAddresses: environment.TIPHYS_ALLOWED_ADDRESSES,
        cpuLimit: environment.ARGO_AGENT_CPU_LIMIT,
        memoryLimit: environment.ARGO_AGENT_MEMORY_LIMIT,
      },
      podNameFormat: environment.POD_NAMES,
      taskResultTimeoutSeconds: environment.TASK_RESULT_TIMEOUT_DURATION,
      recentlyDeletedPodSeconds: environment.RECENTLY_DELETED_POD_DURATION,
      // Pods that the controller has just created are in its ledger before the watch shows them, so a missing pod was
      // deleted.
      recentlyStartedPodSeconds: environment.RECENTLY_STARTED_POD_DURATION,
      limits: {
        nodes: environment.MAX_WORKFLOW_NODES,
        passMillis: environment.MAX_PASS_TIME,
      },
      maxDepth: environment.DISABLE_MAX_RECURSION ? 0 : 100,
      ...(environment.ARGO_REMOVE_PVC_PROTECTION_FINALIZER ? {} : { keepsClaimProtection: true }),
      transientPattern: environment.TRANSIENT_ERROR_PATTERN,
      podGcDeleteDelaySeconds: argoDurationMillis(fields.podGCDeleteDelayDuration ?? "5s") / 1000,
      podGcGraceSeconds: fields.podGCGracePeriodSeconds,
      podStatusHoldSeconds: environment.POD_STATUS_CAPTURE_TIMEOUT_DURATION,
      maxPodRestarts: fields.failedPodRestart?.enabled ? fields.failedPodRestart.maxRestarts ?? 3 : 0,
      restartsPodsAfterShutdown: false,
      nodeEvents: fields.nodeEvents?.enabled !== false,
      ...definedFields({
        archived: base.archives && fields.persistence?.archive
          ? fields.persistence.archiveLabelSelector ?? {}
          : undefined,
        sendsTraces: base.traces || undefined,
        looksUpImages: base.looksUpImages || undefined,
        createsAgentPods: fields.disableAgentPodCreation ? false : undefined,
        executorPlugins: base.executorPlugins || undefined,
        workflowPlugins: base.workflowPlugins || undefined,
        loggedPods: loggedPods(fields.podSpecLogStrategy),
        attachesNodeEventsToPods: fields.nodeEvents?.sendAsPod || undefined,
        separatesEventsByAnnotations: environment.EVENT_AGGREGATION_WITH_ANNOTATIONS || undefined,
        workflowEvents: fields.workflowEvents?.enabled === false ? false : undefined,
        estimatesDurations: environment.SKIP_WORKFLOW_DURATION_ESTIMATION ? false : undefined,
        initialDelayMillis: argoDurationMillis(fields.initialDelay ?? "0s") || undefined,
      }),
    },
  };
}

/** The default size of the cache of input artifacts, per namespace. */
const DEFAULT_CACHE_SIZE = "10Gi";

function artifactCacheOf(
  settings: ControllerSettings["artifactCache"],
): Pick<EngineConfig["executor"], "artifactCache"> {
  if (!settings) return {};
  const { hostPath, persistentVolumeClaim: claimName, sizeLimit = DEFAULT_CACHE_SIZE } = settings;
  const bytes = Number(Quantity.parse(`${sizeLimit}`).value());
  return {
    artifactCache: {
      ...(hostPath === undefined ? {} : { hostPath }),
      ...(claimName === undefined ? {} : { claimName }),
      bytes,
    },
  };
}

/** Returns the fields whose value is not undefined. */
function definedFields(fields: Partial<EngineConfig>): Partial<EngineConfig> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function loggedPods(
  { allPods, failedPod }: NonNullable<ControllerSettings["podSpecLogStrategy"]> = {},
): EngineConfig["loggedPods"] {
  return allPods ? "all" : failedPod ? "failed" : undefined;
}

/** The rule that decides which nodes are stored in the database; undefined without a database. */
function offloadOf(
  persistence: ControllerSettings["persistence"],
  { archives = false }: ConfigBase,
  { ALWAYS_OFFLOAD_NODE_STATUS: isAlways }: Environment,
): Pick<EngineConfig, "offload"> {
  if (!archives || !persistence?.nodeStatusOffLoad) return {};
  return { offload: isAlways ? "always" : "large" };
}

/** The format of compressed nodes, if it is not the default. */
function compressionOf(
  { WORKFLOW_COMPRESSION_ALGORITHM: format, WORKFLOW_COMPRESSION_LEVEL: level }: Environment,
): Pick<EngineConfig, "compression"> {
  const compression = nodeCompression(format, level);
  return compression ? { compression } : {};
}

/** `enabled` forces a layout; `mode` names one, or leaves the choice to detection. */
function layoutOf(
  { enabled, mode = "auto" }: NonNullable<ControllerSettings["initlessPod"]>,
): ControllerConfig["layout"] {
  if (enabled !== undefined) return enabled ? "initless" : "legacy";
  return mode === "auto" ? "auto" : mode === "on" ? "initless" : "legacy";
}

function settingsWithoutEffect(settings: ControllerSettings): string[] {
  return (Object.keys(settings) as SettingName[]).filter((name) => {
    const known: Setting = CONTROLLER_SETTINGS[name];
    return known.withoutEffect === "controller";
  });
}
