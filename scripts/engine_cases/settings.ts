/** Every key of the controller's ConfigMap, every variable of its environment and every metric that it serves. */
import type { CoveredCase, TestReference } from "../case_coverage.ts";
import {
  AGENT_POD,
  ARCHIVE_RUNS,
  CONFIG,
  COUNTS,
  ELECTION,
  ENVIRONMENT,
  FLAGS,
  LIFECYCLE,
  MEMO_CACHE,
  METRICS,
  METRICS_OF_RUNS,
  METRICS_SERVER,
  NODE_EVENTS,
  OFFLOAD,
  OWN_METRICS,
  OWNERSHIP,
  PERMITTED,
  RESTRICTIONS,
  scenario,
  SETTINGS,
  SETTLE,
  STORED_NODES,
  SURPLUS,
  SYNC,
  THROTTLE,
} from "./places.ts";

const EFFECTS = "controller/config/effects_test.ts";
const KEY: TestReference = [EFFECTS, "the key ${name} ${effect}"];
const VARIABLE: TestReference = [EFFECTS, "the variable ${name} changes them"];
const READ: TestReference = [ENVIRONMENT, "readEnvironment(): reads durations, counts and booleans"];

/** Returns a covered case for a ConfigMap key and the tests that verify it. */
function key(behavior: string, ...tests: TestReference[]): CoveredCase {
  return { behavior, tests: [KEY, ...tests] };
}

/** Returns a covered case for an environment variable and the tests that verify it. */
function variable(behavior: string, ...tests: TestReference[]): CoveredCase {
  return { behavior, tests: [VARIABLE, ...tests] };
}

/** The keys of the ConfigMap. */
export const KEY_CASES: Readonly<Record<string, CoveredCase>> = {
  artifactDrivers: key("Artifact plugins run as sidecars of the pods that use them.", [
    "lib/engine/pod/parts/plugin_containers_test.ts",
    "rejects an unknown plugin",
  ]),
  artifactCache: key("The cache of inputs on a node.", [CONFIG, "reads the volume and the size of the cache"], [
    "lib/engine/pod/parts/artifact_cache_volume_test.ts",
    "a folder of its namespace",
  ]),
  artifactRepository: key(
    "The default artifact repository.",
    scenario("the_artifact_repository_of_the_controller"),
  ),
  columns: key("Read by the server."),
  disableAgentPodCreation: key(
    "Another program creates the agents.",
    scenario("an_agent_pod_created_by_another_program"),
  ),
  executor: key("Settings of the executor's containers.", [
    "lib/engine/pod/parts/executor_container_test.ts",
    "uses the executor's image, pull policy",
  ]),
  failedPodRestart: key("A pod that failed before main ran is replaced.", [
    "tests/controller/pods_test.ts",
    "pod restart: a pod evicted while its inputs are downloaded is replaced if the settings allow it (IL-63)",
  ]),
  images: key("Commands of images, without a request to a registry.", [
    "tests/controller/images_test.ts",
    "image command: an entry in the settings has priority, and no request is sent",
  ]),
  initialDelay: key("The delay before a new workflow starts.", scenario("initialDelay_postpones_a_new_workflow")),
  initlessPod: key("The layout of pods.", [CONFIG, "enabled forces a layout"], [
    CONFIG,
    "creates pods with a single container only",
  ], [
    "tests/controller/layout_test.ts",
    "init-less",
  ]),
  instanceID: key("The workflows that belong to the controller.", [SETTLE, "the instance ID of the start"]),
  kubeConfig: key("Another API server for executors.", [
    "lib/engine/pod/parts/executor_container_test.ts",
    "kubeconfig",
  ]),
  links: key("Read by the server."),
  mainContainer: key("Defaults of the main container.", [
    "lib/engine/pod/parts/main_containers_test.ts",
    "merges every main container over the controller's defaults",
  ]),
  metricsConfig: key(
    "The address of the metrics.",
    [METRICS_SERVER, "under their path"],
    [METRICS, "modifiers disable"],
    [
      METRICS_SERVER,
      "with ignoreErrors a gauge",
    ],
    [
      METRICS,
      "values of any type that are not recorded for long",
    ],
  ),
  namespace: key("The namespace to work in.", [FLAGS, "managedNamespace(): prefers the flags to the settings, and"]),
  namespaceParallelism: key("The limit of running workflows in a namespace.", [
    THROTTLE,
    "Throttle: a limit of a namespace does not affect other",
  ]),
  navColor: key("Read by the server."),
  nodeEvents: key("Events of nodes.", [
    NODE_EVENTS,
    "node events: the settings can attach them to pods, or disable them",
  ]),
  parallelism: key(
    "The limit of running workflows.",
    [THROTTLE, "Throttle: admits higher priorities first, then older objects,"],
    [
      SETTINGS,
      "settings: a change to a limit that cannot be parsed keeps the previous limit",
    ],
  ),
  persistence: key("The database of the archive and of large workflows.", [
    ARCHIVE_RUNS,
    "archive: a finished workflow is stored unchanged and labeled as archived; one that the selector excludes is not",
  ], [
    OFFLOAD,
    "(LC-14)",
  ]),
  podGCDeleteDelayDuration: key("How long a pod is kept.", [
    "lib/engine/pod/pod_gc_delay_test.ts",
    "podGcDelay() returns the workflow's delay",
  ]),
  podGCGracePeriodSeconds: key("The grace period of deleted pods."),
  podSpecLogStrategy: key("The pods that are logged.", scenario("node_events_as_pod_events")),
  resourceRateLimit: key("The rate of pod creation.", [
    LIFECYCLE,
    "resourceRateLimit: limits the rate of pod creation, and a workflow stopped meanwhile gets no pod",
  ]),
  retentionPolicy: key("How many finished workflows are kept.", [
    SURPLUS,
    "surplusWorkflows(): keeps the newest workflows of a phase, and none of a",
  ]),
  sso: key("Read by the server."),
  synchronization: key("The database of locks.", [
    "tests/controller/database_locks_test.ts",
    "database mutex: has one holder among two controllers, and passes from one to the other",
  ]),
  tagsInValues: key("Tags within values.", [
    "lib/language/template/values_are_data_test.ts",
    "values: a simple tag returns a value unchanged, or rejects it because it cannot be written",
  ]),
  telemetryConfig: key("Accepted and unused, as in Argo."),
  workflowDefaults: key("Defaults of every workflow.", [
    "tests/controller/workflow_life_test.ts",
    "TTL: defaults apply to a workflow that sets none, as they were when it ended",
  ], [
    "lib/engine/spec/effective_spec_test.ts",
    "workflowDefaults: ",
  ]),
  workflowEvents: key("Events of workflows.", scenario("node_events_as_pod_events")),
  workflowRestrictions: key("Users run only WorkflowTemplates.", [
    RESTRICTIONS,
    "a workflow with forbidden fields ends, and no pod of it is created",
  ], [
    SETTINGS,
    "settings: at the start, an unknown restriction holds all workflows, is reported, and they resume when it is corrected",
  ]),
};

/**
 * The variables of the environment that have an effect; the others have a reason, which `unused_variables.ts` holds.
 */
export const VARIABLE_CASES: Readonly<Record<string, CoveredCase>> = {
  ALWAYS_OFFLOAD_NODE_STATUS: variable("All nodes are stored in the database.", [OFFLOAD, "(LC-14)"]),
  ARCHIVED_WORKFLOW_GC_PERIOD: variable("The interval for deleting old rows.", [ARCHIVE_RUNS, "(T-LC-8)"]),
  ARGO_AGENT_CPU_LIMIT: variable("The CPU of agents.", [AGENT_POD, "(T-AG-15)"]),
  ARGO_AGENT_MEMORY_LIMIT: variable("The memory of agents.", [AGENT_POD, "(T-AG-15)"]),
  ARGO_AGENT_PATCH_RATE: variable("The interval of agents' reports.", ["executor/agent/tasks_test.ts", "(T-AG-9)"]),
  ARGO_AGENT_TASK_WORKERS: variable("How many tasks an agent runs concurrently.", [
    "executor/agent/tasks_test.ts",
    "(T-AG-9)",
  ]),
  ARGO_ARTIFACT_GC_ENABLED: variable("Whether artifacts are deleted."),
  ARGO_POD_STATUS_CAPTURE_FINALIZER: variable("Whether pods have the finalizer.", [
    CONFIG,
    "adds the finalizer to pods unless",
  ]),
  ARGO_PROGRESS_FILE_TICK_DURATION: variable("How often progress is read.", READ),
  ARGO_PROGRESS_PATCH_TICK_DURATION: variable("How often progress is reported.", READ),
  ARGO_REMOVE_PVC_PROTECTION_FINALIZER: variable("Whether claims are deleted at once.", [
    OWNERSHIP,
    "claim: deletion removes",
  ]),
  BUBBLE_ENTRY_TEMPLATE_ERR: variable(
    "Whether an error of the entry template ends the workflow.",
    scenario(
      "an_entry_template_error_that_does_not_bubble_up",
    ),
  ),
  CACHE_GC_AFTER_NOT_HIT_DURATION: variable("How long entries are kept.", [MEMO_CACHE, "(ME-14)"]),
  CACHE_GC_PERIOD: variable("The interval for deleting entries.", [MEMO_CACHE, "(ME-14)"]),
  DEFAULT_REQUEUE_TIME: variable("The default interval of agents' reports."),
  DISABLE_MAX_RECURSION: variable("The maximum depth of calls.", scenario("endless_recursion_stops")),
  EVENT_AGGREGATION_WITH_ANNOTATIONS: variable("The events that are aggregated.", [
    "controller/loop/event_recorder_test.ts",
    "EventRecorder: different annotations make events distinct",
  ]),
  EXPRESSION_TEMPLATES: variable("Tags with expressions.", scenario("disabled_expressions_are_names")),
  INDEX_WORKFLOW_SEMAPHORE_KEYS: variable("Whether a changed limit wakes waiters.", [
    SYNC,
    "in a ConfigMap that is not watched",
  ]),
  LEADER_ELECTION_DISABLE: variable("Run without a lease.", [ELECTION, "without an election"]),
  LEADER_ELECTION_IDENTITY: variable("The identity in the lease.", [
    ELECTION,
    "leader election: the second controller resumes where the first stopped",
  ]),
  LEADER_ELECTION_LEASE_DURATION: variable("The duration of a lease.", [
    ELECTION,
    "leader election: the second controller resumes where the first stopped",
  ]),
  LEADER_ELECTION_RENEW_DEADLINE: variable("The deadline for renewing the lease.", [
    "tests/controller/fences_test.ts",
    "fence: the program stops writing when another process may have its lease",
  ]),
  LEADER_ELECTION_RETRY_PERIOD: variable("The interval of lease requests.", [
    ELECTION,
    "leader election: the second controller resumes where the first stopped",
  ]),
  MAX_OPERATION_TIME: variable("The largest bucket of pass durations.", [METRICS_SERVER, "the buckets of passes"]),
  MAX_PASS_TIME: variable("The time slice for creating nodes in a pass.", [
    "controller/workflow/lane/pace_test.ts",
    "withSlice()",
  ]),
  MAX_WORKFLOW_NODES: variable("The maximum number of nodes.", [
    "tests/scenarios/limits_test.ts",
    "at the limit of nodes",
  ]),
  MAX_WORKFLOW_SIZE: variable("The maximum size of a workflow.", [STORED_NODES, "(LC-17)"]),
  OFFLOAD_NODE_STATUS_TTL: variable("How long old node versions are kept.", [OFFLOAD, "(LC-16)"]),
  OPERATION_DURATION_METRIC_BUCKET_COUNT: variable("The number of buckets of pass durations.", [
    METRICS_SERVER,
    "the buckets of passes",
  ]),
  POD_NAMES: variable("The version of pod names.", [
    "lib/model/status/names_test.ts",
    "podName() of version 1 is the node id",
  ]),
  POD_STATUS_CAPTURE_TIMEOUT_DURATION: variable("How long a pod without a reported end is held.", [
    "tests/controller/finalizer_test.ts",
    "finalizer: a pod without a reported end is given up after the configured time, and the workflow has a condition",
  ]),
  RECENTLY_DELETED_POD_DURATION: variable("How long a missing report is waited for.", [
    "tests/controller/reports_test.ts",
    "forged report: a pod that succeeds without its own report ends in an error",
  ]),
  RECENTLY_STARTED_POD_DURATION: variable("How long a pod may be missing."),
  RETRY_HOST_NAME_LABEL_KEY: variable("The node label for retries on another machine.", [
    "tests/controller/retry_elsewhere_test.ts",
    "avoids the machine on which the first one failed",
  ]),
  SKIP_WORKFLOW_DURATION_ESTIMATION: variable(
    "Whether durations are estimated.",
    scenario(
      "durations_are_estimated_by_the_last_success",
    ),
  ),
  TASK_RESULT_TIMEOUT_DURATION: variable("How long the rest of a report is waited for.", READ),
  TIPHYS_ALLOWED_ADDRESSES: variable("The servers that agents may reach in spite of the restriction.", [
    AGENT_POD,
    "the settings restrict addresses",
  ]),
  TIPHYS_RESTRICT_ADDRESSES: variable("Whether agents refuse internal addresses.", [
    AGENT_POD,
    "the settings restrict addresses",
  ]),
  TIPHYS_SEAL_KEY: variable("The key of seals.", [RESTRICTIONS, "a controller that lost its key"], [
    ENVIRONMENT,
    "without a key of the administrator, every process",
  ]),
  TRANSIENT_ERROR_PATTERN: variable("Patterns of transient errors.", [
    ENVIRONMENT,
    "TRANSIENT_ERROR_PATTERN: matches",
  ]),
  WATCH_CONTROLLER_SEMAPHORE_CONFIGMAPS: variable("Whether limits are watched.", [SYNC, "that is not watched"]),
  WF_DEL_PROPAGATION_POLICY: variable(
    "The propagation policy for objects that a workflow owns.",
    scenario(
      "TTL_with_a_deletion_propagation_policy",
    ),
  ),
  WORKFLOW_COMPRESSION_ALGORITHM: variable("The format of compressed nodes.", [STORED_NODES, "(LC-17)"]),
  WORKFLOW_COMPRESSION_LEVEL: variable("The compression level of nodes.", [
    "lib/model/nodes/compress_test.ts",
    "(LC-17)",
  ]),
  WORKFLOW_ESTIMATION_DB_QUERY_TIMEOUT_SECONDS: variable("The timeout for duration queries to the archive."),
  WORKFLOW_GC_PERIOD: variable("The interval for deleting old node versions.", [OFFLOAD, "(LC-16)"]),
  WORKFLOW_USER_OVERRIDE_ALLOWLIST: variable(
    "The fields that users may set under restrictions.",
    [PERMITTED, "permittedSpec: keeps fields that the administrator allows, except those"],
    [
      RESTRICTIONS,
      "fields that the administrator opened",
    ],
  ),
};

const RATE: TestReference = [
  LIFECYCLE,
  "resourceRateLimit: limits the rate of pod creation, and a workflow stopped meanwhile gets no pod",
];
const IN_DATABASE: TestReference = [
  "tests/controller/database_locks_test.ts",
  "database mutex: has one holder among two controllers, and passes from one to the other",
];
const QUEUE: TestReference = [OWN_METRICS, "metrics: a queue reports its depth, its busy workers and the"];
const REQUESTS: TestReference = [OWN_METRICS, "metrics: requests are counted by the status of the response,"];

/** The controller's own metrics. */
export const METRIC_CASES: Readonly<Record<string, CoveredCase>> = {
  client_rate_limiter_latency: {
    behavior: "How long requests waited for the rate limit.",
    tests: [[OWN_METRICS, "metrics: the wait of each request is observed as soon as the"]],
  },
  cronworkflows_concurrencypolicy_triggered: {
    behavior: "Slots to which a concurrency policy was applied.",
    tests: [[COUNTS, "slots of a cron"]],
  },
  cronworkflows_triggered_total: { behavior: "Slots that created a workflow.", tests: [[COUNTS, "slots of a cron"]] },
  deprecated_feature: {
    behavior: "Deprecated features in use.",
    lacks: "Argo 4.1 knows none that it would count: never set",
  },
  error_count: {
    behavior: "Errors by their cause.",
    tests: [[OWN_METRICS, "metrics: exist from the start with the value 0"], [COUNTS, "slots of"]],
  },
  gauge: { behavior: "Workflows by phase.", tests: [[OWN_METRICS, "phases and conditions of workflows"]] },
  is_leader: {
    behavior: "Whether the controller is the leader.",
    tests: [[
      METRICS_OF_RUNS,
      "metrics: the page has the workflow's metrics and the controller's own when the workflow has ended",
    ]],
  },
  k8s_request_duration: { behavior: "How long requests took.", tests: [REQUESTS] },
  k8s_request_total: {
    behavior: "Requests by resource, verb and status.",
    tests: [REQUESTS, [OWN_METRICS, "metrics: a request counts under its resource and verb:"]],
  },
  locks_held: { behavior: "Locks that are held.", tests: [[SYNC, "(T-SY-1)"], IN_DATABASE] },
  locks_pending: { behavior: "Locks with waiters.", tests: [[SYNC, "(T-SY-1)"], IN_DATABASE] },
  locks_taken_total: { behavior: "Locks that were acquired.", tests: [[SYNC, "(T-SY-1)"]] },
  log_messages: {
    behavior: "Log lines by level.",
    tests: [[OWN_METRICS, "metrics: log messages are counted by level and written"]],
  },
  operation_duration_seconds: { behavior: "How long passes took.", tests: [QUEUE] },
  pod_missing: { behavior: "Pods that are missing.", tests: [[COUNTS, "metrics: a missing pod is counted once"]] },
  pod_pending_count: {
    behavior: "Pods by pending reason.",
    tests: [[
      COUNTS,
      "metrics: a workflow of a template is counted as new, by phase and by duration; its pods by their pending reason",
    ]],
  },
  pod_restarts_total: {
    behavior: "Pods that were replaced.",
    tests: [scenario("an_eviction_while_inputs_are_downloaded")],
  },
  pods_gauge: {
    behavior: "Pods by phase.",
    tests: [[OWN_METRICS, "metrics: a pod counts once for each phase that it enters"]],
  },
  pods_total_count: {
    behavior: "Phases that pods reached.",
    tests: [[OWN_METRICS, "metrics: a pod counts once for each phase that it enters"]],
  },
  queue_adds_count: { behavior: "Items added to a queue.", tests: [QUEUE] },
  queue_depth_gauge: { behavior: "Items in a queue.", tests: [QUEUE] },
  queue_duration: { behavior: "How long processing took.", tests: [QUEUE] },
  queue_latency: { behavior: "How long items waited.", tests: [QUEUE] },
  queue_longest_running: { behavior: "The longest processing in progress.", tests: [QUEUE] },
  queue_retries: { behavior: "Items that are retried.", tests: [QUEUE] },
  queue_unfinished_work: { behavior: "Processing in progress.", tests: [QUEUE] },
  resource_rate_limiter_latency: { behavior: "How long pods waited for the rate limit.", tests: [RATE] },
  total_count: {
    behavior: "Phases that workflows reached.",
    tests: [[
      METRICS_OF_RUNS,
      "metrics: the page has the workflow's metrics and the controller's own when the workflow has ended",
    ]],
  },
  version: {
    behavior: "The version of the controller.",
    tests: [[OWN_METRICS, "metrics: exist from the start with the value 0"]],
  },
  workers_busy_count: { behavior: "Busy workers.", tests: [QUEUE] },
  workflow_condition: { behavior: "Workflows by condition.", tests: [[OWN_METRICS, "phases and conditions"]] },
  workflowtemplate_runtime: {
    behavior: "How long templates took.",
    tests: [[
      COUNTS,
      "metrics: a workflow of a template is counted as new, by phase and by duration; its pods by their pending reason",
    ]],
  },
  workflowtemplate_triggered_total: {
    behavior: "Templates that ran.",
    tests: [[COUNTS, "a workflow of a template"]],
  },
};
