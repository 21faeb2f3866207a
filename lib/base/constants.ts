/**
 * Every name that travels: labels, annotations, environment variables, container and volume names, paths, exit codes.
 * This is the only table; whoever needs one of these strings takes it from here.
 */

/** API group and version of the workflow kinds. */
export const GROUP = "argoproj.io";
export const VERSION = "v1alpha1";
export const API_VERSION = `${GROUP}/${VERSION}`;

const prefix = "workflows.argoproj.io/";
const cronPrefix = "cronworkflows.argoproj.io/";

/**
 * A word of a pod's command that stands for the command of its image, and for the image's arguments where the container
 * has none. Only the kubelet of an embedded cluster knows it: it looks into the image when the container is made.
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
  /** The hash of the name of the pod that does them, on tasks of artifact garbage collection. */
  artifactGcPod: `${prefix}artifact-gc-pod`,
  archivingStatus: `${prefix}workflow-archiving-status`,
  creator: `${prefix}creator`,
  creatorEmail: `${prefix}creator-email`,
  creatorPreferredUsername: `${prefix}creator-preferred-username`,
  /** The actor who changed a workflow last through the server, and the action. */
  actor: `${prefix}actor`,
  actorEmail: `${prefix}actor-email`,
  actorPreferredUsername: `${prefix}actor-preferred-username`,
  action: `${prefix}action`,
  /** The cron workflow whose backfill a workflow makes. */
  backfill: `${prefix}backfill`,
  /** The mark of a cron workflow that has stopped for good. */
  cronCompleted: `${cronPrefix}completed`,
  /** The number of workflows that may be at work in a namespace, on the namespace. */
  parallelismLimit: `${prefix}parallelism-limit`,
  resubmittedFrom: `${prefix}resubmitted-from-workflow`,
  managedBy: "app.kubernetes.io/managed-by",
} as const;

/** Annotations on workflows and pods. */
export const ANNOTATION = {
  /** What an object is for, in words for people. */
  description: `${prefix}description`,
  nodeId: `${prefix}node-id`,
  nodeName: `${prefix}node-name`,
  nodeType: `${prefix}node-type`,
  nodeStartTime: `${prefix}node-start-time`,
  workflowName: `${prefix}workflow-name`,
  workflowUid: `${prefix}workflow-uid`,
  podNameFormat: `${prefix}pod-name-format`,
  /** The proof, on a workflow, that the controller wrote the specification that is stored in its status. */
  storedSpecSeal: `${prefix}stored-spec-seal`,
  progress: `${prefix}progress`,
  /** The ID of a workflow's trace, where traces are sent. */
  traceId: `${prefix}trace-id`,
  /** The ID of the span of a pod's node, on the pod. */
  spanId: `${prefix}span-id`,
  scheduledTime: `${prefix}scheduled-time`,
  /** The schedules of a cron workflow as they were when it was looked at last; those that were changed since are not caught up. */
  lastUsedSchedule: `${cronPrefix}last-used-schedule`,
  /** The condition that stopped a cron workflow. */
  stoppedBy: `${cronPrefix}stopped-by`,
  podGcStrategy: `${prefix}pod-gc-strategy`,
  artifactGcStrategy: `${prefix}artifact-gc-strategy`,
  /** Whether the artifacts of a main that failed are saved: not with `false` on its template. */
  artifactsOnFailure: `${prefix}artifacts-on-failure`,
  /** The workflow, and which of its ends they were made for, on pods and tasks of artifact garbage collection. */
  artifactGcRound: `${prefix}artifact-gc-round`,
  displayName: `${prefix}display-name`,
  serviceAccountTokenName: `${prefix}service-account-token.name`,
  defaultArtifactRepository: `${prefix}default-artifact-repository`,
  killCommandPrefix: `${prefix}kill-cmd-`,
  /** The layout that the pods of a workflow get, `initless`, `single-container` or `legacy`, whatever the controller is set to. */
  podLayout: `${prefix}pod-layout`,
  /** The reason why a pod has another layout than the one it was meant to have. */
  layoutReason: `${prefix}layout-reason`,
  /** The epoch of the lease in which the controller wrote a workflow last. */
  epoch: `${prefix}controller-epoch`,
  /** The nodes of a workflow that have a lock next, by the lock, where others of it hold that. */
  nextHolders: `${prefix}next-lock-holders`,
  /** The mark of a task result that main was let go. */
  mainStarted: `${prefix}main-started`,
  /** The proofs, on a task result, that the node's pod made the report, and the outputs where another container tells them. */
  reportSeal: `${prefix}report-seal`,
  outputsSeal: `${prefix}outputs-seal`,
  logsSeal: `${prefix}logs-seal`,
  /** The measures of a report's artifacts, for which Argo's schema has no fields, and the proof that its pod wrote them. */
  artifactMeasures: `${prefix}artifact-measures`,
  measuresSeal: `${prefix}measures-seal`,
  /** The version of the executor that made a task result, and the most memory its aux container used. */
  executorVersion: `${prefix}executor-version`,
  executorPeakMemory: `${prefix}executor-peak-memory`,
  /** The times of the stages of the aux container, on the task result of a node that is traced. */
  stageTimes: `${prefix}stage-times`,
  defaultContainer: "kubectl.kubernetes.io/default-container",
} as const;

/** The component of pods that do the http and plugin tasks of a workflow. */
export const AGENT_COMPONENT = "agent";

/** Finalizers. */
export const FINALIZER = {
  podStatus: `${prefix}status`,
  artifactGc: `${prefix}artifact-gc`,
} as const;

/** The component that the pods of artifact garbage collection are, by their label. */
export const ARTIFACT_GC_COMPONENT = "artifact-gc";

/** Names of Argo's own containers. `aux` is `wait` in the legacy layout and `supervisor` in the init-less one. */
export const CONTAINER = {
  main: "main",
  init: "init",
  wait: "wait",
  supervisor: "supervisor",
  artifactPluginPrefix: "artifact-plugin-",
  initArtifactPrefix: "init-artifact-",
} as const;

/** Names of volumes the pod builder adds. */
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
  /**
   * The folder in which the legacy `init` container leaves the executor's tree; user containers mount it at `argoBin`.
   */
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
  /** What is temporary: in the image of the server the only folder that it may write to. */
  temporary: "/tmp",
  /** Each artifact plugin listens on the socket `socket` in a folder of its name. */
  artifactPlugins: "/tmp/artifact-plugins",
  /** The folder through which the aux container and plugin sidecars exchange outputs. */
  sharedOutputs: "/tmp/argo/outputs",
  outputParameters: "/var/run/argo/outputs/parameters",
  outputArtifacts: "/var/run/argo/outputs/artifacts",
  outputScratch: "/tmp/argo/outputs/artifacts",
  terminationLog: "/dev/termination-log",
  serviceAccount: "/var/run/secrets/kubernetes.io/serviceaccount",
} as const;

/** The condition of a pod, and of its workflow, in which an image could not be pulled and a stand-in replaces it. */
export const IMAGE_STAND_IN = "ImageStandIn";

/** Environment variables between controller and executor. */
export const ENV = {
  podName: "ARGO_POD_NAME",
  podUid: "ARGO_POD_UID",
  workflowName: "ARGO_WORKFLOW_NAME",
  workflowUid: "ARGO_WORKFLOW_UID",
  nodeId: "ARGO_NODE_ID",
  /** The settings of the agent: how often it reports at most, how many tasks it works on, and the plugins beside it. */
  agentPatchRate: "ARGO_AGENT_PATCH_RATE",
  agentTaskWorkers: "ARGO_AGENT_TASK_WORKERS",
  /** Whether an agent's requests are restricted, and the servers that they may reach all the same. */
  restrictAddresses: "TIPHYS_RESTRICT_ADDRESSES",
  allowedAddresses: "TIPHYS_ALLOWED_ADDRESSES",
  pluginAddresses: "ARGO_PLUGIN_ADDRESSES",
  pluginNames: "ARGO_PLUGIN_NAMES",
  /** The key with which the pod seals its report. */
  reportKey: "TIPHYS_REPORT_KEY",
  /** `true` in main of a pod in which nobody is beside it: it stages its script itself, and nothing is reported. */
  singleContainer: "TIPHYS_SINGLE_CONTAINER",
  /** The resourceVersion of the workflow that the pod was decided on: for controllers only. */
  decidedOn: "TIPHYS_DECIDED_ON",
  containerName: "ARGO_CONTAINER_NAME",
  /** The trace and the span that spans of the container belong to, as W3C's trace context writes them. */
  traceParent: "TRACEPARENT",
  instanceId: "ARGO_INSTANCE_ID",
  template: "ARGO_TEMPLATE",
  containerArgsFile: "ARGO_CONTAINER_ARGS_FILE",
  includeScriptOutput: "ARGO_INCLUDE_SCRIPT_OUTPUT",
  /** `true` where the container should have a terminal and has none: the command is lent one (embedded cluster). */
  lendTerminal: "TIPHYS_LEND_TERMINAL",
  deadline: "ARGO_DEADLINE",
  terminationGracePeriodSeconds: "ARGO_TERMINATION_GRACE_PERIOD_SECONDS",
  progressFile: "ARGO_PROGRESS_FILE",
  progressPatchTick: "ARGO_PROGRESS_PATCH_TICK_DURATION",
  progressFileTick: "ARGO_PROGRESS_FILE_TICK_DURATION",
  waitForReady: "ARGO_WAIT_FOR_READY",
  initlessPod: "ARGO_INITLESS_POD",
  artifactPluginNames: "ARGO_ARTIFACT_PLUGIN_NAMES",
  /** The value of the label of the tasks that a pod of artifact garbage collection does. */
  artifactGcPod: "ARGO_ARTIFACT_POD_NAME",
  inputArtifactPluginNames: "ARGO_INPUT_ARTIFACT_PLUGIN_NAMES",
  /** A duration: how often a resource is looked at that cannot be watched. */
  resourceStateCheckInterval: "RESOURCE_STATE_CHECK_INTERVAL",
  /** Seconds after which an emissary takes a silent supervisor for dead, and one that never said anything. */
  supervisorSilence: "TIPHYS_SUPERVISOR_SILENCE_SECONDS",
  supervisorAppearance: "TIPHYS_SUPERVISOR_APPEARANCE_SECONDS",
  /** Seconds that the pod may be active, for the container beside main to keep. */
  activeDeadline: "TIPHYS_ACTIVE_DEADLINE_SECONDS",
  /** Limits of what an archive may bring: its entries, its bytes, and how often more bytes than were packed. */
  inputParallelism: "ARGO_INPUT_PARALLELISM",
  maxArchiveEntries: "TIPHYS_MAX_ARCHIVE_ENTRIES",
  maxUnpackedBytes: "ARGO_MAX_UNPACKED_BYTES",
  maxUnpackedRatio: "TIPHYS_MAX_UNPACKED_RATIO",
  /** `true` where a person wants to look at a container before or after its command. */
  pauseBefore: "ARGO_DEBUG_PAUSE_BEFORE",
  pauseAfter: "ARGO_DEBUG_PAUSE_AFTER",
  /** `http` only where the API server of an embedded cluster listens without TLS on loopback. */
  apiScheme: "TIPHYS_API_SCHEME",
} as const;

/** Exit codes of `argoexec` that mean something beside the child's own. */
export const EXIT = {
  executorError: 64,
  preMainFailed: 65,
  stagingFailed: 66,
  supervisorLost: 67,
  undetermined: 137,
} as const;

/** Seconds between a container's SIGTERM and its SIGKILL, where the pod does not say. */
export const DEFAULT_GRACE_SECONDS = 30;

/** The reason of pods that ended because their machine stopped. */
export const NODE_SHUTDOWN = "NodeShutdown";

/**
 * With these variables Deno leaves no cache in a user's image, and says nothing about that: to somebody at a terminal it
 * would, and a container may have one. Nor does it ask its makers, half a second after its start, for its newest version.
 */
export const DENO_VARIABLES = {
  DENO_DIR: "/dev/null",
  DENO_LOG: "info,deno::cache=off",
  DENO_NO_UPDATE_CHECK: "1",
} as const;

/** Environment values and container arguments of more bytes than this go through a ConfigMap (MAX_ARG_STRLEN of Linux). */
export const OFFLOAD_LIMIT_BYTES = 131_072;

/** The value of ARGO_TEMPLATE that says: read the ConfigMap's file instead. */
export const OFFLOADED = "offloaded";

/** "No deadline" in ARGO_DEADLINE: the zero time of RFC 3339. */
export const NO_DEADLINE = "0001-01-01T00:00:00Z";

/**
 * The most bytes of one output parameter, and of all that a report says as JSON. What a node puts out stands in the status
 * of its workflow, in an object of which etcd takes 1.5 MiB; more than this belongs into an artifact.
 */
export const MOST_PARAMETER_BYTES = 1 << 20;
export const MOST_REPORT_BYTES = 1_310_720;

/** The most entries that an archive may have, where the environment does not say (`maxArchiveEntries`). */
export const MOST_ARCHIVE_ENTRIES = 10_000_000;

/** The most bytes that may come out of one byte of an archive, where the environment does not say (`maxUnpackedRatio`). */
export const MOST_UNPACKED_RATIO = 200;

/** The bytes of an archive from which on that ratio counts: small archives of zeros harm nobody. */
export const UNPACKED_RATIO_FROM_BYTES = 2 ** 30;

/** The ConfigMap with the artifact repositories of a namespace, where a workflow names no other. */
export const REPOSITORIES_CONFIG_MAP = "artifact-repositories";

/** The store of artifacts of an embedded cluster: its bucket, and the Secret of every namespace with the keys to it and its address. */
export const EMBEDDED_STORE = {
  bucket: "artifacts",
  region: "us-east-1",
  secret: { name: "tiphys-artifacts", accessKey: "accesskey", secretKey: "secretkey", endpoint: "endpoint" },
} as const;

/** Parts the message of a node that waits for a lock from the words about the deadlock in which it does. */
export const DEADLOCK = "; deadlock: ";
