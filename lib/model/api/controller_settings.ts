/**
 * The settings of a controller: the keys of the ConfigMap `workflow-controller-configmap`. Their types, validation, the
 * list of known keys and the reference page are derived from one table.
 */
import * as z from "zod";
import { STORES } from "../artifact/stores.ts";
import { parseArgoDuration } from "@tiphys/base/go";
import { UserError } from "@tiphys/base/user_error";
import { ArtifactRepository } from "./artifact_store.ts";
import { Container } from "./core/container.ts";
import { ObjectMeta, typeMeta } from "./metadata.ts";
import { PersistenceSettings, SynchronizationSettings } from "./database_settings.ts";
import { Json, mapOf, object, Quantity } from "./schema.ts";
import { WorkflowSpec } from "./workflow.ts";

/**
 * Whether a controller may run while a key is invalid and has no earlier value. `usual`: it uses the default. `wait`:
 * it processes no workflow until the key is fixed. `hold`: the same, even if there is an earlier value.
 */
export type IfInvalid = "usual" | "wait" | "hold";

/** One key of the ConfigMap. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** The type of its value, as documentation. */
  readonly kind: string;
  readonly default: string;
  readonly meaning: string;
  readonly ifUnreadable: IfInvalid;
  /** Whether a change takes effect at the next start. */
  readonly takesRestart?: true;
  /** `controller`: accepted without effect. `server`: used by Argo's API server, not by the controller. */
  readonly withoutEffect?: "controller" | "server";
}

function setting<Schema extends z.ZodType>(
  schema: Schema,
  kind: string,
  otherwise: string,
  meaning: string,
  ifUnreadable: IfInvalid = "usual",
): Setting<Schema> {
  return { schema, kind, default: otherwise, meaning, ifUnreadable };
}

/** A key whose change takes effect at the next start. */
function afterRestart<S extends Setting>(setting: S): S & { readonly takesRestart: true } {
  return { ...setting, takesRestart: true };
}

/** A key that is accepted unchanged and has no effect. */
function unused(
  kind: string,
  meaning: string,
  withoutEffect: "controller" | "server" = "controller",
): Setting<typeof Json> {
  return { schema: Json, kind, default: "none", meaning, ifUnreadable: "usual", withoutEffect };
}

const Count = z.int().min(0, "expected a whole number of 0 or more");
const Duration = z.string().refine(isDuration, "expected a duration such as 5s or 1h30m");

function isDuration(text: string): boolean {
  try {
    return parseArgoDuration(text) >= 0n;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}

/**
 * The sizes in bytes that the settings accept. The controller parses them itself, which keeps the parser out of other
 * programs.
 */
const SIZE = /^\d{1,15}(?:\.\d{1,9})?(?:[kMGTPE]|[KMGTPE]i)?$/;

/** YAML parses unquoted `on` and `off` as booleans. */
const LayoutMode = z.preprocess(
  (value) => value === true ? "on" : value === false ? "off" : value,
  z.enum(["auto", "on", "off"]),
);

/** As in Argo, an empty string sets no restriction. */
const Restrictions = z.preprocess(
  (value) => value === "" ? {} : value,
  object({ templateReferencing: z.enum(["", "Strict", "Secure"]).optional() }),
);

/** An artifact plugin: its name in templates, and its image. */
const ArtifactDriver = object({
  name: z.string(),
  image: z.string(),
  connectionTimeoutSeconds: Count.optional(),
});

const KubeConfigSecret = object({
  secretName: z.string(),
  secretKey: z.string(),
  volumeName: z.string().optional(),
  mountPath: z.string().optional(),
});

/** The changes of one metric: whether it is disabled, omitted attributes, buckets and temporality. */
const MetricModifier = object({
  disabled: z.boolean().optional(),
  disabledAttributes: z.array(z.string()).optional(),
  histogramBuckets: z.array(z.number()).optional(),
  temporality: z.enum(["Cumulative", "Delta"]).optional(),
});

const MetricsConfig = object({
  enabled: z.boolean().optional(),
  path: z.string().startsWith("/", "expected a path that begins with a slash").optional(),
  port: z.int().min(1).max(65_535, "expected a port from 1 to 65535").optional(),
  secure: z.boolean().optional(),
  ignoreErrors: z.boolean().optional(),
  metricsTTL: Duration.optional(),
  temporality: z.enum(["Cumulative", "Delta"]).optional(),
  modifiers: mapOf(MetricModifier).optional(),
  // From Argo 3.6, where it omitted metrics with older names, which are not served here.
  disableLegacy: z.boolean().optional(),
});

/** A workflow whose fields are all optional. */
const WorkflowDefaults = object({ ...typeMeta, metadata: ObjectMeta.optional(), spec: WorkflowSpec.optional() });

const repositoryStores = Object.entries(STORES).filter(([, { can }]) => can.repository).map(([name]) => name).join(
  ", ",
);

/** The location of the cache of inputs: a folder of each node, or a claim in each namespace. */
const ArtifactCacheSettings = object({
  hostPath: z.string().regex(
    /^(?:\/(?!\.\.?(?:\/|$))[^/:]+)+$/,
    "expected an absolute path without . and .., and without a slash at its end",
  ).optional(),
  persistentVolumeClaim: z.string().optional(),
  sizeLimit: Quantity.refine((value) => SIZE.test(`${value}`), "expected a size such as 10Gi").optional(),
}).refine(
  ({ hostPath, persistentVolumeClaim }) => hostPath === undefined || persistentVolumeClaim === undefined,
  "expected hostPath or persistentVolumeClaim, not both",
);

/** Every key, by name. */
export const CONTROLLER_SETTINGS = {
  artifactCache: setting(
    ArtifactCacheSettings,
    "{hostPath or persistentVolumeClaim, sizeLimit}",
    "none; sizeLimit 10Gi",
    "The [cache of input artifacts](artifacts/README.md#a-cache-of-inputs) from S3 that pods of a namespace share: a folder of each node, or a claim with that name in each namespace. On the embedded cluster, `{}` uses a folder of its data.",
  ),
  artifactDrivers: setting(
    z.array(ArtifactDriver),
    "list of {name, image, connectionTimeoutSeconds}",
    "none",
    "Artifact plugins: the name that templates use, and the image that runs in their pods.",
    "wait",
  ),
  artifactRepository: setting(
    ArtifactRepository,
    `object with one store: ${repositoryStores}`,
    "none",
    "The repository of artifacts without a location, and with `archiveLogs: true` of logs, unless the workflow's namespace has one in its ConfigMap `artifact-repositories`.",
    "wait",
  ),
  columns: unused("list", "Columns of the list of workflows on the page.", "server"),
  disableAgentPodCreation: setting(
    z.boolean(),
    "boolean",
    "false",
    "Whether another program creates the pods of [agents](http-templates.md).",
    "usual",
  ),
  executor: setting(
    Container,
    "container",
    "the image of the release",
    "The executor's containers: `image` (the flag `--executor-image` takes precedence), `imagePullPolicy`, `args`, `env`, " +
      "`resources`, `securityContext`.",
    "wait",
  ),
  failedPodRestart: setting(
    object({ enabled: z.boolean().optional(), maxRestarts: Count.optional() }),
    "{enabled, maxRestarts}",
    "not enabled, 3",
    "Whether, and how often, a pod that failed before its main container ran is created again.",
  ),
  images: setting(
    mapOf(object({ entrypoint: z.array(z.string()).optional(), cmd: z.array(z.string()).optional() })),
    "map from image to {entrypoint, cmd}",
    "none",
    "Commands of images, for templates without a command. The command of other images is read from their registry, with the pull secrets of the pod that the controller may read.",
    "wait",
  ),
  initialDelay: setting(
    Duration,
    "duration",
    "0s",
    "The time to wait after the creation of a workflow before it starts.",
  ),
  initlessPod: setting(
    object({ enabled: z.boolean().optional(), mode: LayoutMode.optional(), singleContainer: z.boolean().optional() }),
    "{enabled, mode, singleContainer}",
    "mode auto, singleContainer false",
    "The [layout](pod-layouts.md) of pods: `enabled` forces the init-less layout, `mode` is `on`, `off` or `auto` (if the cluster supports it). With `singleContainer`, an init-less pod has no supervisor unless main needs it.",
  ),
  instanceID: afterRestart(setting(
    z.string(),
    "text",
    "none",
    "The controller processes only workflows with this text in the label " +
      "`workflows.argoproj.io/controller-instanceid`.",
    "wait",
  )),
  kubeConfig: setting(
    KubeConfigSecret,
    "{secretName, secretKey, volumeName, mountPath}",
    "none",
    "The kubeconfig for executors that report to another API server.",
    "wait",
  ),
  links: unused("list", "Links on the page.", "server"),
  mainContainer: setting(
    Container,
    "container",
    "none",
    "Defaults of every main container, for fields that the template does not set.",
    "wait",
  ),
  metricsConfig: afterRestart(setting(
    MetricsConfig,
    "{enabled, path, port, secure, ignoreErrors, metricsTTL, temporality, modifiers, disableLegacy}",
    "enabled, /metrics, 9090, secure",
    "Where [metrics](metrics.md) are served, how long a workflow's metric is kept after its last value (`metricsTTL`; 0: no limit), and changes of metrics, by name (`modifiers`: `disabled`, `disabledAttributes`, " +
      "`histogramBuckets`). `temporality` is for OpenTelemetry collectors. With `ignoreErrors`, a metric that cannot be read is omitted; otherwise the scrape fails. `disableLegacy` is accepted and has no effect.",
  )),
  namespace: afterRestart(setting(
    z.string(),
    "text",
    "all of the cluster",
    "The namespace to process, if the flag `--namespaced` does not name one.",
    "wait",
  )),
  namespaceParallelism: setting(
    Count,
    "whole number",
    "0: no limit",
    "The maximum number of running workflows in a namespace.",
    "wait",
  ),
  navColor: unused("text", "The color of the page's navigation.", "server"),
  nodeEvents: setting(
    object({ enabled: z.boolean().optional(), sendAsPod: z.boolean().optional() }),
    "{enabled, sendAsPod}",
    "enabled",
    "Whether events are sent for nodes. With `sendAsPod`, events of nodes with a pod belong to the pod.",
  ),
  parallelism: setting(Count, "whole number", "0: no limit", "The maximum number of running workflows.", "wait"),
  persistence: setting(
    PersistenceSettings,
    "{postgresql, mysql or sqlite; archive, archiveLabelSelector, archiveTTL, clusterName, connectionPool, …}",
    "no database",
    "The database of [archived workflows](archive.md). Changes of its server and of `clusterName` take effect at the next start. `nodeStatusOffLoad` stores nodes there that are too large for the workflow.",
    "wait",
  ),
  podGCDeleteDelayDuration: setting(
    Duration,
    "duration",
    "5s",
    "How long a pod that `podGC` deletes is kept after its end, unless the workflow sets another delay.",
  ),
  podGCGracePeriodSeconds: setting(Count, "seconds", "the pod's own", "The grace period of pods that are deleted."),
  podSpecLogStrategy: setting(
    object({ failedPod: z.boolean().optional(), allPods: z.boolean().optional() }),
    "{failedPod, allPods}",
    "neither",
    "Which pods are logged, as `Pod Spec` lines: failed ones, or all, at each change of their node.",
  ),
  resourceRateLimit: setting(
    object({ limit: z.number().min(0), burst: Count }),
    "{limit, burst}",
    "no limit",
    "The maximum number of pods created per second, and the burst after a pause.",
    "wait",
  ),
  retentionPolicy: setting(
    object({ completed: Count.optional(), failed: Count.optional(), errored: Count.optional() }),
    "{completed, failed, errored}",
    "all are kept",
    "How many completed workflows of each phase are kept, newest first. A missing number is 0.",
  ),
  sso: unused("object", "How users log in to the server.", "server"),
  synchronization: setting(
    SynchronizationSettings,
    "object",
    "none",
    "The database of locks that controllers share ([locks](synchronization.md)): `postgresql`, `mysql` or `sqlite: {file}`, an addition to Argo; each requires `controllerName`. The connection is configured once, when it is first needed. `semaphoreLimitCacheSeconds`: how long a limit is cached if its ConfigMap is not watched.",
    "wait",
  ),
  tagsInValues: setting(
    z.boolean(),
    "boolean",
    "false",
    "Whether tags in values are replaced, as in Argo ([tags](template-language.md#tags)). An addition to Argo.",
  ),
  telemetryConfig: unused("object", "Accepted and unused, as in Argo: `metricsConfig` configures metrics."),
  workflowDefaults: setting(
    WorkflowDefaults,
    "workflow",
    "none",
    "Defaults of every workflow: labels and annotations of `metadata`, and `spec`.",
    "wait",
  ),
  workflowEvents: setting(
    object({ enabled: z.boolean().optional() }),
    "{enabled}",
    "enabled",
    "Whether events are sent for workflows.",
  ),
  workflowRestrictions: setting(
    Restrictions,
    "{templateReferencing}",
    "none",
    "`templateReferencing: Strict` or `Secure`: users may run only templates ([restrictions](restrictions.md)).",
    "hold",
  ),
} as const satisfies Readonly<Record<string, Setting>>;

/** The name of a key. */
export type SettingName = keyof typeof CONTROLLER_SETTINGS;

/** The settings in a ConfigMap. */
export type ControllerSettings = {
  readonly [Name in SettingName]?: z.infer<(typeof CONTROLLER_SETTINGS)[Name]["schema"]>;
};
