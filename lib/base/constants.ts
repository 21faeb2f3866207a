/**
 * All names shared between programs: labels, annotations, environment variables, container and volume names, paths,
 * exit codes. Take these strings from here.
 */

/** API group and version of the workflow kinds. */
export const GROUP = "argoproj.io";
export const VERSION = "v1alpha1";
export const API_VERSION = `${GROUP}/${VERSION}`;

const prefix = "workflows.argoproj.io/";
const cronPrefix = "cronworkflows.argoproj.io/";

/**
 * An element of a pod's command that stands for the command of its image, and for the image's arguments when the
 * container has no arguments. Only the kubelet of an embedded cluster resolves it, when it creates the container.
 */
export const IMAGE_COMMAND = "$(TIPHYS_IMAGE_COMMAND)";

/** Labels on workflows, pods, task results and ConfigMaps. */
export const LABEL = {
  workflow: `${prefix}workflow`,
  completed: `${prefix}completed`,
  phase: `${prefix}phase`,
  component: `${prefix}component`,
  onExit: `${prefix}on-exit`,
  instanceId: `${prefix}controller-instanceid`,
  reportOutputsCompleted: `${prefix}report-outputs-completed`,
  cronWorkflow: `${prefix}cron-workflow`,
  workflowEventBinding: `${prefix}workflow-event-binding`,
  workflowTemplate: `${prefix}workflow-template`,
  clusterWorkflowTemplate: `${prefix}cluster-workflow-template`,
  configMapType: `${prefix}configmap-type`,
  /** On tasks of artifact garbage collection: the hash of the name of the pod that executes them. */
  artifactGcPod: `${prefix}artifact-gc-pod`,
  archivingStatus: `${prefix}workflow-archiving-status`,
  creator: `${prefix}creator`,
  creatorEmail: `${prefix}creator-email`,
  creatorPreferredUsername: `${prefix}creator-preferred-username`,
  /** The user who last changed a workflow through the server. */
  actor: `${prefix}actor`,
  actorEmail: `${prefix}actor-email`,
  actorPreferredUsername: `${prefix}actor-preferred-username`,
  action: `${prefix}action`,
  /** The cron workflow whose backfill created this workflow. */
  backfill: `${prefix}backfill`,
  /** `true` on a cron workflow that has stopped permanently. */
  cronCompleted: `${cronPrefix}completed`,
  /** On a namespace: the maximum number of workflows that may run in it at the same time. */
  parallelismLimit: `${prefix}parallelism-limit`,
  resubmittedFrom: `${prefix}resubmitted-from-workflow`,
  managedBy: "app.kubernetes.io/managed-by",
} as const;

/** Annotations on workflows and pods. */
export const ANNOTATION = {
  /** A description of an object for people. */
  description: `${prefix}description`,
  nodeId: `${prefix}node-id`,
  nodeName: `${prefix}node-name`,
  nodeType: `${prefix}node-type`,
  nodeStartTime: `${prefix}node-start-time`,
  workflowName: `${prefix}workflow-name`,
  workflowUid: `${prefix}workflow-uid`,
  podNameFormat: `${prefix}pod-name-format`,
  /** On a workflow: proof that the controller wrote the specification that is stored in its status. */
  storedSpecSeal: `${prefix}stored-spec-seal`,
  progress: `${prefix}progress`,
  /** The ID of a workflow's trace, if tracing is enabled. */
  traceId: `${prefix}trace-id`,
  /** On a pod: the ID of the span of its node. */
  spanId: `${prefix}span-id`,
  scheduledTime: `${prefix}scheduled-time`,
  /**
   * The schedules of a cron workflow when it was last processed. Schedules that were changed since then are not caught
   * up on.
   */
  lastUsedSchedule: `${cronPrefix}last-used-schedule`,
  /** The condition that stopped a cron workflow. */
  stoppedBy: `${cronPrefix}stopped-by`,
  podGcStrategy: `${prefix}pod-gc-strategy`,
  artifactGcStrategy: `${prefix}artifact-gc-strategy`,
  /** On a template: `false` skips saving the artifacts of a failed main container. */
  artifactsOnFailure: `${prefix}artifacts-on-failure`,
  /** On pods and tasks of artifact garbage collection: the workflow, and the completion of it that they belong to. */
  artifactGcRound: `${prefix}artifact-gc-round`,
  displayName: `${prefix}display-name`,
  serviceAccountTokenName: `${prefix}service-account-token.name`,
  defaultArtifactRepository: `${prefix}default-artifact-repository`,
  killCommandPrefix: `${prefix}kill-cmd-`,
  /**
   * The layout of a workflow's pods, `initless`, `single-container` or `legacy`; overrides the controller's setting.
   */
  podLayout: `${prefix}pod-layout`,
  /** The reason why a pod has a different layout than the requested one. */
  layoutReason: `${prefix}layout-reason`,
  /** The epoch of the lease under which the controller last wrote a workflow. */
  epoch: `${prefix}controller-epoch`,
  /** For each lock that a workflow holds through some nodes: its nodes that are next in line for that lock. */
  nextHolders: `${prefix}next-lock-holders`,
  /** On a task result: records that the main container was started. */
  mainStarted: `${prefix}main-started`,
  /**
   * On a task result: proofs that the node's pod wrote the report, and the outputs if another container reports them.
   */
  reportSeal: `${prefix}report-seal`,
  outputsSeal: `${prefix}outputs-seal`,
  logsSeal: `${prefix}logs-seal`,
  /**
   * The sizes and digests of a report's artifacts, for which Argo's schema has no fields, and the proof that its pod
   * wrote them.
   */
  artifactMeasures: `${prefix}artifact-measures`,
  measuresSeal: `${prefix}measures-seal`,
  /** The version of the executor that wrote a task result, and the peak memory of its aux container. */
  executorVersion: `${prefix}executor-version`,
  executorPeakMemory: `${prefix}executor-peak-memory`,
  /** On the task result of a traced node: the times of the stages of the aux container. */
  stageTimes: `${prefix}stage-times`,
  defaultContainer: "kubectl.kubernetes.io/default-container",
} as const;

/** The component label of pods that execute the http and plugin tasks of a workflow. */
export const AGENT_COMPONENT = "agent";

/** Finalizers. */
export const FINALIZER = {
  podStatus: `${prefix}status`,
  artifactGc: `${prefix}artifact-gc`,
} as const;

/** The component label of pods of artifact garbage collection. */
export const ARTIFACT_GC_COMPONENT = "artifact-gc";

/**
 * Names of the containers that the pod builder adds. `aux` is `wait` in the legacy layout and `supervisor` in the
 * init-less one.
 */
export const CONTAINER = {
  main: "main",
  init: "init",
  wait: "wait",
  supervisor: "supervisor",
  artifactPluginPrefix: "artifact-plugin-",
  initArtifactPrefix: "init-artifact-",
} as const;

/** Names of the volumes that the pod builder adds. */
export const VOLUME = {
  varRunArgo: "var-run-argo",
  tmpDirArgo: "tmp-dir-argo",
  argoexecBin: "argoexec-bin",
  inputArtifacts: "input-artifacts",
  argoStaging: "argo-staging",
  argoEnvConfig: "argo-env-config",
  execSaToken: "exec-sa-token",
  kubeconfig: "kubeconfig",
  artifactPluginPrefix: "artifact-plugin-",
} as const;

/** Paths inside a pod. */
export const PATH = {
  varRunArgo: "/var/run/argo",
  argoBin: "/argo-bin",
  argoexec: "/argo-bin/bin/argoexec",
  /** The folder into which the legacy `init` container copies the executor; user containers mount it at `argoBin`. */
  legacyArgoBin: "/var/run/argo/argo-bin",
  legacyArgoexec: "/var/run/argo/argoexec",
  inputArtifacts: "/argo/inputs/artifacts",
  mainFileSystem: "/mainctrfs",
  staging: "/argo/staging",
  scriptSource: "/argo/staging/script",
  resourceManifest: "/tmp/manifest.yaml",
  secrets: "/argo/secret",
  envConfig: "/argo/config",
  progress: "/var/run/argo/progress",
  template: "/var/run/argo/template",
  status: "/var/run/argo/status",
  containers: "/var/run/argo/ctr",
  /** The folder for temporary files; the only writable folder in the server's image. */
  temporary: "/tmp",
  /** Each artifact plugin listens on `socket` in the folder with its name. */
  artifactPlugins: "/tmp/artifact-plugins",
  /** The folder through which the aux container and plugin sidecars exchange outputs. */
  sharedOutputs: "/tmp/argo/outputs",
  outputParameters: "/var/run/argo/outputs/parameters",
  outputArtifacts: "/var/run/argo/outputs/artifacts",
  outputScratch: "/tmp/argo/outputs/artifacts",
  terminationLog: "/dev/termination-log",
  serviceAccount: "/var/run/secrets/kubernetes.io/serviceaccount",
} as const;

/** The condition of a pod, and of its workflow, whose image could not be pulled and was replaced with a stand-in. */
export const IMAGE_STAND_IN = "ImageStandIn";

/** Environment variables between controller and executor. */
export const ENV = {
  podName: "ARGO_POD_NAME",
  podUid: "ARGO_POD_UID",
  workflowName: "ARGO_WORKFLOW_NAME",
  workflowUid: "ARGO_WORKFLOW_UID",
  nodeId: "ARGO_NODE_ID",
  /**
   * Settings of the agent: the minimum interval between reports, the number of concurrent tasks, and the plugin
   * sidecars.
   */
  agentPatchRate: "ARGO_AGENT_PATCH_RATE",
  agentTaskWorkers: "ARGO_AGENT_TASK_WORKERS",
  /** Whether an agent's requests are restricted, and the addresses that are allowed nevertheless. */
  restrictAddresses: "TIPHYS_RESTRICT_ADDRESSES",
  allowedAddresses: "TIPHYS_ALLOWED_ADDRESSES",
  pluginAddresses: "ARGO_PLUGIN_ADDRESSES",
  pluginNames: "ARGO_PLUGIN_NAMES",
  /** The key with which the pod seals its report. */
  reportKey: "TIPHYS_REPORT_KEY",
  /**
   * `true` in the main container of a pod without an aux container: it stages its script itself and reports nothing.
   */
  singleContainer: "TIPHYS_SINGLE_CONTAINER",
  /** The resourceVersion of the workflow from which the controller created the pod. Read only by controllers. */
  decidedOn: "TIPHYS_DECIDED_ON",
  containerName: "ARGO_CONTAINER_NAME",
  /** The trace and parent span of the container's spans, in the format of the W3C Trace Context. */
  traceParent: "TRACEPARENT",
  instanceId: "ARGO_INSTANCE_ID",
  template: "ARGO_TEMPLATE",
  containerArgsFile: "ARGO_CONTAINER_ARGS_FILE",
  includeScriptOutput: "ARGO_INCLUDE_SCRIPT_OUTPUT",
  /**
   * `true` when the container requests a terminal but did not get one; the executor then provides one (embedded
   * cluster).
   */
  lendTerminal: "TIPHYS_LEND_TERMINAL",
  deadline: "ARGO_DEADLINE",
  terminationGracePeriodSeconds: "ARGO_TERMINATION_GRACE_PERIOD_SECONDS",
  progressFile: "ARGO_PROGRESS_FILE",
  progressPatchTick: "ARGO_PROGRESS_PATCH_TICK_DURATION",
  progressFileTick: "ARGO_PROGRESS_FILE_TICK_DURATION",
  waitForReady: "ARGO_WAIT_FOR_READY",
  initlessPod: "ARGO_INITLESS_POD",
  artifactPluginNames: "ARGO_ARTIFACT_PLUGIN_NAMES",
  /** The label value of the tasks that a pod of artifact garbage collection executes. */
  artifactGcPod: "ARGO_ARTIFACT_POD_NAME",
  inputArtifactPluginNames: "ARGO_INPUT_ARTIFACT_PLUGIN_NAMES",
  /** A duration: the polling interval for resources that cannot be watched. */
  resourceStateCheckInterval: "RESOURCE_STATE_CHECK_INTERVAL",
  /** Seconds after which an emissary considers a supervisor lost: without a sign of life, and before the first one. */
  supervisorSilence: "TIPHYS_SUPERVISOR_SILENCE_SECONDS",
  supervisorAppearance: "TIPHYS_SUPERVISOR_APPEARANCE_SECONDS",
  /** Seconds that the pod may be active; enforced by the aux container. */
  activeDeadline: "TIPHYS_ACTIVE_DEADLINE_SECONDS",
  /** Number of input artifacts that are loaded at the same time. */
  inputParallelism: "ARGO_INPUT_PARALLELISM",
  /** Limits of an archive: number of entries, unpacked bytes, and ratio of unpacked to packed bytes. */
  maxArchiveEntries: "TIPHYS_MAX_ARCHIVE_ENTRIES",
  maxUnpackedBytes: "ARGO_MAX_UNPACKED_BYTES",
  maxUnpackedRatio: "TIPHYS_MAX_UNPACKED_RATIO",
  /** `true` to pause a container before or after its command for debugging. */
  pauseBefore: "ARGO_DEBUG_PAUSE_BEFORE",
  pauseAfter: "ARGO_DEBUG_PAUSE_AFTER",
  /** `http` when the API server of an embedded cluster listens without TLS on loopback. */
  apiScheme: "TIPHYS_API_SCHEME",
} as const;

/** Exit codes with which `argoexec` itself fails; any other code is that of the user's command. */
export const EXIT = {
  executorError: 64,
  preMainFailed: 65,
  stagingFailed: 66,
  supervisorLost: 67,
  undetermined: 137,
} as const;

/** Default seconds between a container's SIGTERM and its SIGKILL. */
export const DEFAULT_GRACE_SECONDS = 30;

/** The status reason of pods that ended because their machine shut down. */
export const NODE_SHUTDOWN = "NodeShutdown";

/**
 * Environment of Deno in a user's image: writes no cache, logs no warning about that (it would on a terminal), and
 * skips the update check half a second after the start.
 */
export const DENO_VARIABLES = {
  DENO_DIR: "/dev/null",
  DENO_LOG: "info,deno::cache=off",
  DENO_NO_UPDATE_CHECK: "1",
} as const;

/**
 * Environment values and container arguments above this many bytes are stored in a ConfigMap (Linux: MAX_ARG_STRLEN).
 */
export const OFFLOAD_LIMIT_BYTES = 131_072;

/** The value of ARGO_TEMPLATE when the template is stored in the ConfigMap's file. */
export const OFFLOADED = "offloaded";

/** The value of ARGO_DEADLINE without a deadline: the zero time of RFC 3339. */
export const NO_DEADLINE = "0001-01-01T00:00:00Z";

/**
 * Maximum bytes of one output parameter, and of a whole report as JSON. Outputs are stored in the status of the
 * workflow, an object that etcd limits to 1.5 MiB; larger data belongs in an artifact.
 */
export const MAX_PARAMETER_BYTES = 1 << 20;
export const MAX_REPORT_BYTES = 1_310_720;

/** Default maximum number of entries of an archive (`maxArchiveEntries`). */
export const MAX_ARCHIVE_ENTRIES = 10_000_000;

/** Default maximum ratio of unpacked to packed bytes of an archive (`maxUnpackedRatio`). */
export const MAX_UNPACKED_RATIO = 200;

/** Unpacked bytes below which the ratio is not checked: small archives of zeros are harmless. */
export const UNPACKED_RATIO_FROM_BYTES = 2 ** 30;

/** The ConfigMap with a namespace's artifact repositories, unless a workflow names another one. */
export const REPOSITORIES_CONFIG_MAP = "artifact-repositories";

/**
 * The artifact store of an embedded cluster: its bucket, and the Secret with its keys and address in each namespace.
 */
export const EMBEDDED_STORE = {
  bucket: "artifacts",
  region: "us-east-1",
  secret: { name: "tiphys-artifacts", accessKey: "accesskey", secretKey: "secretkey", endpoint: "endpoint" },
} as const;

/** Separates a description of the deadlock in the message of a node that waits for a lock. */
export const DEADLOCK = "; deadlock: ";
