/** Tests that every key of the ConfigMap and every variable has an effect on the controller's settings. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { CONTROLLER_SETTINGS, type ControllerSettings, type Setting, type SettingName } from "@tiphys/model/api";
import { silentLog } from "@tiphys/base/log";
import { managedNamespace } from "../flags.ts";
import { metricsAsSet } from "../metrics/metrics_server.ts";
import { type ConfigBase, type ControllerConfig, parseControllerConfig } from "./config.ts";
import { readEnvironment, type VARIABLES } from "./environment.ts";

/** A value of each key that differs from its default. */
const SAMPLES: Readonly<Record<SettingName, string>> = {
  artifactCache: "{hostPath: /var/cache/artifacts, sizeLimit: 1Gi}",
  artifactDrivers: "[{name: x, image: driver}]",
  artifactRepository: "{s3: {bucket: b}}",
  columns: "[{name: n, type: label, key: k}]",
  disableAgentPodCreation: "true",
  executor: "{resources: {requests: {cpu: 1m}}}",
  failedPodRestart: "{enabled: true}",
  images: "{busybox: {cmd: [sh]}}",
  initialDelay: "5s",
  initlessPod: "{enabled: true}",
  instanceID: "one",
  kubeConfig: "{secretName: s, secretKey: k}",
  links: "[{name: n, scope: pod, url: u}]",
  mainContainer: "{imagePullPolicy: Always}",
  metricsConfig: "{modifiers: {is_leader: {disabled: true}}}",
  namespace: "jobs",
  namespaceParallelism: "2",
  navColor: "red",
  nodeEvents: "{enabled: false}",
  parallelism: "3",
  persistence: "{sqlite: {file: f}, archive: true, nodeStatusOffLoad: true}",
  podGCDeleteDelayDuration: "9s",
  podGCGracePeriodSeconds: "7",
  podSpecLogStrategy: "{failedPod: true}",
  resourceRateLimit: "{limit: 5, burst: 6}",
  retentionPolicy: "{completed: 1}",
  sso: "{issuer: i}",
  synchronization: "{semaphoreLimitCacheSeconds: 4}",
  tagsInValues: "true",
  telemetryConfig: "{enabled: true}",
  workflowDefaults: "{spec: {parallelism: 4}}",
  workflowEvents: "{enabled: false}",
  workflowRestrictions: "{templateReferencing: Strict}",
};

/** The values that the program derives from keys that it reads directly. */
const BY_PROGRAM: Partial<Record<SettingName, (settings: ControllerSettings) => unknown>> = {
  metricsConfig: ({ metricsConfig }) =>
    [...metricsAsSet(metricsConfig, silentLog).instruments()].map(({ isDisabled }) => isDisabled),
  namespace: ({ namespace }) => managedNamespace({ namespaced: false, namespace: "argo" }, namespace),
};

/** A value of each variable that differs from its default. */
const VALUES: Readonly<Record<keyof typeof VARIABLES, string>> = {
  ALWAYS_OFFLOAD_NODE_STATUS: "true",
  ARCHIVED_WORKFLOW_GC_PERIOD: "1h",
  ARGO_AGENT_CPU_LIMIT: "1",
  ARGO_AGENT_MEMORY_LIMIT: "1Gi",
  ARGO_AGENT_PATCH_RATE: "1s",
  ARGO_AGENT_TASK_WORKERS: "3",
  ARGO_ARTIFACT_GC_ENABLED: "false",
  ARGO_POD_STATUS_CAPTURE_FINALIZER: "false",
  ARGO_PROGRESS_FILE_TICK_DURATION: "1s",
  ARGO_PROGRESS_PATCH_TICK_DURATION: "1s",
  ARGO_REMOVE_PVC_PROTECTION_FINALIZER: "false",
  BUBBLE_ENTRY_TEMPLATE_ERR: "false",
  CACHE_GC_AFTER_NOT_HIT_DURATION: "1m",
  CACHE_GC_PERIOD: "1m",
  DEFAULT_REQUEUE_TIME: "2s",
  DISABLE_MAX_RECURSION: "true",
  EVENT_AGGREGATION_WITH_ANNOTATIONS: "true",
  EXPRESSION_TEMPLATES: "false",
  INDEX_WORKFLOW_SEMAPHORE_KEYS: "false",
  LEADER_ELECTION_DISABLE: "true",
  LEADER_ELECTION_IDENTITY: "me",
  LEADER_ELECTION_LEASE_DURATION: "1m",
  LEADER_ELECTION_RENEW_DEADLINE: "1m",
  LEADER_ELECTION_RETRY_PERIOD: "1m",
  MAX_OPERATION_TIME: "1m",
  MAX_PASS_TIME: "1s",
  MAX_WORKFLOW_NODES: "5",
  MAX_WORKFLOW_SIZE: "5000",
  OFFLOAD_NODE_STATUS_TTL: "1m",
  OPERATION_DURATION_METRIC_BUCKET_COUNT: "2",
  POD_NAMES: "v1",
  POD_STATUS_CAPTURE_TIMEOUT_DURATION: "1m",
  RECENTLY_DELETED_POD_DURATION: "1m",
  RECENTLY_STARTED_POD_DURATION: "1m",
  RETRY_HOST_NAME_LABEL_KEY: "host",
  SKIP_WORKFLOW_DURATION_ESTIMATION: "true",
  TASK_RESULT_TIMEOUT_DURATION: "1m",
  TIPHYS_ALLOWED_ADDRESSES: "10.0.0.1",
  TIPHYS_RESTRICT_ADDRESSES: "true",
  TIPHYS_SEAL_KEY: "k".repeat(32),
  TRANSIENT_ERROR_PATTERN: "again",
  WATCH_CONTROLLER_SEMAPHORE_CONFIGMAPS: "false",
  WF_DEL_PROPAGATION_POLICY: "Orphan",
  WORKFLOW_COMPRESSION_ALGORITHM: "zstd",
  WORKFLOW_COMPRESSION_LEVEL: "3",
  WORKFLOW_ESTIMATION_DB_QUERY_TIMEOUT_SECONDS: "7",
  WORKFLOW_GC_PERIOD: "1m",
  WORKFLOW_USER_OVERRIDE_ALLOWLIST: "hostNetwork",
};

/** The files of the program that read the variables which the engine does not use. */
const PROGRAM = ["controller/main.ts", "controller/program.ts", "controller/election.ts"];

/** Settings in which every variable can have an effect. */
const ROOM = { persistence: SAMPLES.persistence, workflowRestrictions: SAMPLES.workflowRestrictions };

/** Returns the settings of a controller, without the keys from which they were built. */
function worksBy(data: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>> = {}) {
  return { ...parseData(data, variables), settings: undefined, ignored: undefined };
}

function parseData(
  data: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): ControllerConfig {
  const environment = readEnvironment((name) => variables[name]);
  const base: ConfigBase = { executorImage: "argoexec:v1", archives: true, environment };
  return parseControllerConfig({ metadata: { name: "c" }, data }, base);
}

async function sourceOf(file: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../../${file}`, import.meta.url));
}

const usual = worksBy({});
for (const [name, sample] of Object.entries(SAMPLES) as [SettingName, string][]) {
  const { withoutEffect }: Setting = CONTROLLER_SETTINGS[name];
  const work = BY_PROGRAM[name];
  const effect = withoutEffect ? "has no effect, as its documentation states" : "changes the controller's settings";
  Deno.test(`controller settings: the key ${name} ${effect}`, () => {
    if (work) {
      return assertNotEquals(work(parseData({ [name]: sample }, {}).settings), work(parseData({}, {}).settings));
    }
    const found = worksBy({ [name]: sample });
    if (withoutEffect) assertEquals(found, usual);
    else assertNotEquals(found, usual);
  });
}

const SEAL = { TIPHYS_SEAL_KEY: "-".repeat(32) };
for (const [name, value] of Object.entries(VALUES)) {
  Deno.test(`controller settings: the variable ${name} changes them`, async () => {
    const found = JSON.stringify(worksBy(ROOM, { ...SEAL, [name]: value }), toJsonValue);
    const before = JSON.stringify(worksBy(ROOM, SEAL), toJsonValue);
    if (found !== before) return;
    const sources = await Promise.all(PROGRAM.map(sourceOf));
    assert(sources.some((source) => source.includes(`environment.${name}`)), `no program reads ${name}`);
  });
}

/** Converts sets and regular expressions to JSON. */
function toJsonValue(_: string, value: unknown): unknown {
  if (value instanceof Set) return [...value];
  return value;
}
