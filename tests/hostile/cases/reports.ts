/** Reports of executors and agents, cache entries, limits of locks, schedules and metrics that an attacker writes. */
import { API_VERSION } from "@tiphys/base/constants";
import { CRON_WORKFLOWS, WORKFLOW_TASK_SETS } from "@tiphys/kube";
import {
  caseOfSpec,
  configMap,
  ENDS,
  failsWith,
  type Fields,
  HOSTILE,
  type HostileCase,
  type HostileObject,
  type Outcome,
  SAY,
  STAYS,
  SUCCEEDS,
  taskResult,
  times,
  workflow,
} from "../case.ts";

const LABELS = { "workflows.argoproj.io/workflow": HOSTILE };
const COMPLETE = { ...LABELS, "workflows.argoproj.io/report-outputs-completed": "true" };
const LONG = "x".repeat(200_000);
const SPEC = { entrypoint: "say", templates: [SAY] };

/** Names that JavaScript objects inherit, and names that other formats interpret. */
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "", "a.b", "{{x}}", "a\0b", "\u202eb"];

/** A complete report of the workflow's pod, which exists before the pod does. */
function report(name: string, fields: Fields, outcome = ENDS, annotations?: Fields): HostileCase {
  const metadata = { name: HOSTILE, labels: COMPLETE, annotations };
  return {
    name: `a forged report with ${name}`,
    outcome,
    make: () => [taskResult(metadata, {}, fields), workflow({ spec: SPEC })],
  };
}

/** A workflow with a step that uses an output of the pod before it. */
function outputUser(name: string): HostileCase {
  const parameters = [{ name: "p", value: `{{steps.a.outputs.parameters.${name}}}` }];
  const steps = [[{ name: "a", template: "say" }], [{ name: "b", template: "use", arguments: { parameters } }]];
  const use = { name: "use", inputs: { parameters: [{ name: "p" }] }, suspend: { duration: "0s" } };
  return caseOfSpec(`a step that uses the output ${name}`, failsWith(new RegExp(name), "Failed", "Error"), () => ({
    entrypoint: "main",
    templates: [{ name: "main", steps }, SAY, use],
  }));
}

/** The results of an agent that does not exist, which are there before the controller creates the task set. */
function agentResults(name: string, nodes: () => Fields): HostileCase {
  const spec = { entrypoint: "main", templates: [{ name: "main", http: { url: "http://127.0.0.1:1" } }] };
  const metadata = { name: HOSTILE, labels: LABELS };
  const set = (): HostileObject => ({
    resource: WORKFLOW_TASK_SETS,
    object: { apiVersion: API_VERSION, kind: "WorkflowTaskSet", metadata, spec: {}, status: { nodes: nodes() } },
  });
  return { name: `a forged task set with ${name}`, outcome: STAYS, make: () => [set(), workflow({ spec })] };
}

function memoized(key: string): Fields {
  return { ...SPEC, templates: [{ ...SAY, memoize: { key, maxAge: "1h", cache: { configMap: { name: "cache" } } } }] };
}

function cacheEntry(name: string, entry: () => string, outcome: Outcome = ENDS, key = "k"): HostileCase {
  const labels = { "workflows.argoproj.io/configmap-type": "Cache" };
  return {
    name: `a forged cache entry with ${name}`,
    outcome,
    make: () => [configMap({ name: "cache", labels }, { [key]: entry() }), workflow({ spec: memoized(key) })],
  };
}

/** A cache entry of today with these outputs. */
function entryOf(outputs: unknown): string {
  const now = new Date().toISOString();
  return JSON.stringify({ nodeID: HOSTILE, outputs, creationTimestamp: now, lastHitTimestamp: now });
}

function semaphore(name: string, limit: string, outcome: Outcome = failsWith(/is not a whole number/)): HostileCase {
  const semaphores = [{ configMapKeyRef: { name: "limits", key: "k" } }];
  return {
    name: `a semaphore with the limit ${name}`,
    outcome,
    make: () => [
      configMap({ name: "limits" }, { k: limit }),
      workflow({ spec: { ...SPEC, synchronization: { semaphores } } }),
    ],
  };
}

function mutexes(name: string, ...names: readonly string[]): HostileCase {
  const synchronization = { mutexes: names.map((name) => ({ name: name })) };
  return caseOfSpec(`mutexes with ${name}`, SUCCEEDS, () => ({ ...SPEC, synchronization }));
}

function cron(name: string, spec: Fields, more: { readonly annotations?: Fields; readonly status?: Fields } = {}) {
  const { annotations, status } = more;
  const object = {
    apiVersion: API_VERSION,
    kind: "CronWorkflow",
    metadata: { name: HOSTILE, annotations },
    spec: { schedules: ["* * * * *"], workflowSpec: SPEC, ...spec },
    status,
  };
  return { name, outcome: STAYS, make: () => [{ resource: CRON_WORKFLOWS, object }] };
}

function metric(name: string, fields: Fields, outcome: Outcome = ENDS): HostileCase {
  const prometheus = [{ name: "m", help: "h", gauge: { value: "1" }, ...fields }];
  return caseOfSpec(`a metric with ${name}`, outcome, () => ({ ...SPEC, metrics: { prometheus } }));
}

/** The cases of forged reports, results, cache entries, limits, schedules and metrics. */
export const REPORTS: readonly HostileCase[] = [
  report("inherited names", { outputs: { parameters: NAMES.map((name) => ({ name, value: "x" })) } }),
  report("20,000 parameters", {
    outputs: { parameters: times(20_000, (index) => ({ name: `p${index}`, value: "x" })) },
  }),
  report("20,000 artifacts", { outputs: { artifacts: times(20_000, (index) => ({ name: `a${index}` })) } }),
  report("parameters of other types", { outputs: { parameters: [null, 1, [], { name: "p", value: {} }] } }, STAYS),
  report("inherited global names", {
    outputs: { parameters: NAMES.map((globalName) => ({ name: "p", value: "x", globalName })) },
  }),
  report("tags in its values", { outputs: { result: "{{workflow.parameters.x}}{{=sprig.env('HOME')}}" } }),
  report("an artifact in another store", {
    outputs: { artifacts: [{ name: "a", s3: { endpoint: "169.254.169.254", bucket: "b", key: "../../k" } }] },
  }),
  report("an unknown phase and progress", { phase: "Done", progress: `${"9".repeat(10_000)}/1` }, STAYS),
  report("a long seal", { outputs: { result: "x" } }, ENDS, { "workflows.argoproj.io/report-seal": LONG }),
  outputUser("__proto__"),
  outputUser("constructor"),
  agentResults("results of other nodes", () => JSON.parse('{"__proto__": {"phase": "Failed"}, "constructor": {}}')),
  agentResults("results of other types", () => ({ [HOSTILE]: "Succeeded", a: 1, b: null, c: [] })),
  agentResults(
    "10,000 results",
    () => Object.fromEntries(times(10_000, (index) => [`n${index}`, { phase: "Failed" }])),
  ),
  agentResults("a long message", () => ({ [HOSTILE]: { phase: "Failed", message: LONG } })),

  cacheEntry("outputs of another type", () => entryOf({ parameters: 1 })),
  cacheEntry("inherited names", () => entryOf({ parameters: NAMES.map((name) => ({ name, value: "x" })) })),
  cacheEntry("a deep list", () => `{"outputs": ${"[".repeat(10_000)}`),
  cacheEntry(
    "20,000 outputs",
    () => entryOf({ parameters: times(20_000, (index) => ({ name: `p${index}`, value: "x" })) }),
  ),
  cacheEntry("tags in its values", () => entryOf({ parameters: [{ name: "p", value: "{{=1+1}}{{workflow.name}}" }] })),
  cacheEntry("an inherited key", () => entryOf({}), ENDS, "constructor"),
  caseOfSpec("a memoization key of 30,000 characters", ENDS, () => memoized("k".repeat(30_000))),

  semaphore("NaN", "NaN"),
  semaphore("-1", "-1", failsWith(/is less than 0/)),
  semaphore("1e400", "1e400"),
  semaphore("of 400 digits", "9".repeat(400)),
  semaphore("of 500,000 letters", "x".repeat(500_000)),
  mutexes("inherited names", "__proto__", "constructor"),
  mutexes("a name of 300,000 characters", "m".repeat(300_000)),

  cron("a schedule of 200,000 characters", { schedules: [`${"1,".repeat(100_000)}1 * * * *`] }),
  cron("a time zone of 100,000 characters", { timezone: LONG.slice(100_000) }),
  cron("a hundred distinct time zones", {
    schedules: times(100, (index) => `CRON_TZ=Etc/GMT${index % 2 ? "+" : "-"}${index % 12} ${index % 60} 3 29 2 1`),
  }),
  cron("an expensive stop condition", { stopStrategy: { expression: "len(map(1..1000, map(1..1000, 1))) > 0" } }),
  cron("a forged status of a cron workflow", { startingDeadlineSeconds: 9e9 }, {
    annotations: { "workflows.argoproj.io/last-used-schedule": LONG },
    status: {
      lastScheduledTime: "0001-01-01T00:00:00Z",
      active: times(5000, (index) => ({ name: `w${index}` })),
      failed: -1,
    },
  }),

  metric("a value of 1e400", { gauge: { value: "1e400" } }),
  metric("a label that begins another series", { labels: [{ key: 'a="b"} 1\nc{d', value: "x" }] }),
  metric("a name of two lines", { name: "m\n# TYPE up gauge\nup" }),
  metric("a help text and value of several lines", {
    help: "h\n# EOF\nup 0\\",
    labels: [{ key: "a", value: 'x"} 1\nup{' }, { key: "__proto__", value: "y" }],
  }),
  metric("buckets in any order", { gauge: undefined, histogram: { value: "1", buckets: [1e308, -1e308, 0, 0, 5] } }),
];
