import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cpuMillis } from "../../base/testing/cpu_millis.ts";
import type { NodeStatus, Pod, Template, Workflow } from "@tiphys/model/api";
import type { Evidence, ExplainConfig } from "./evidence.ts";
import { explain, explainUnreadable } from "./explain.ts";
import { deadlockOfHolder, waitingHolders } from "./locks.ts";
import { isCause } from "./reason.ts";

const START = "2026-01-01T00:00:00Z";
const NOW = new Date("2026-01-01T01:00:00Z");

type Nodes = Readonly<Record<string, Partial<NodeStatus> & Pick<NodeStatus, "type">>>;

/** A workflow `w` in namespace `ns` with nodes whose IDs are their names. */
function workflow(nodes: Nodes, templates: readonly Template[] = [], more: Partial<Workflow> = {}): Workflow {
  const all = Object.entries(nodes).map(([id, fields]): [string, NodeStatus] => [id, {
    id,
    name: id,
    displayName: id.replace(/^.*[.]/, ""),
    phase: "Running",
    templateScope: "local/w",
    startedAt: START,
    ...(id === "w" ? {} : { boundaryID: "w" }),
    ...fields,
  }]);
  return {
    metadata: { name: "w", namespace: "ns", creationTimestamp: START, ...more.metadata },
    spec: { templates: [...templates], ...more.spec },
    status: { phase: "Running", startedAt: START, nodes: Object.fromEntries(all), ...more.status },
  };
}

/** `CODE node: text` of each reason. */
function linesOf(of: Workflow, evidence: Evidence = {}, config: ExplainConfig = {}): string[] {
  return explain(of, evidence, NOW, config).map(({ code, node, text }) => `${code} ${node ?? "-"}: ${text}`);
}

function podOf(status: Pod["status"], more: Partial<Pod> = {}): Evidence {
  const pod = {
    metadata: { name: "w", ...more.metadata },
    spec: { containers: [{ name: "main" }], ...more.spec },
    status,
  };
  return { pods: new Map([["w", pod as Pod]]) };
}

const ONE_POD = workflow({ w: { type: "Pod", phase: "Pending" } }, [{ name: "t", container: { image: "i" } }]);

Deno.test("explain: a completed workflow waits at most for its deletion", () => {
  const ended = { phase: "Succeeded" as const, finishedAt: START };
  assertEquals(linesOf(workflow({}, [], { status: ended })), []);
  const kept = workflow({}, [], { spec: { ttlStrategy: { secondsAfterSuccess: 60 } }, status: ended });
  const [reason] = explain(kept, {}, NOW);
  assertEquals([reason?.code, reason?.until], ["TTL", "2026-01-01T00:01:00Z"]);
});

Deno.test("explain: a new workflow waits for its first pass; after 30 seconds, its controller is missing", () => {
  const fresh = workflow({}, [], { status: { phase: "" } });
  assertEquals(explain(fresh, {}, new Date("2026-01-01T00:00:05Z")).map(({ code }) => code), ["Queue"]);
  assertEquals(linesOf(fresh), [`NoController -: no controller has written since ${START}`]);
});

Deno.test("explain: reports the lease, instance, queue and failures of the controller", () => {
  const until = NOW.getTime() + 1000;
  const controller = {
    lease: { holder: "c-1", expiresAt: Date.parse(START) },
    instanceId: "mine",
    place: 3,
    restsUntil: until,
    backoff: { words: "500", times: 2, until },
    quarantine: { until },
    isOutdated: true,
  };
  const codes = explain(workflow({}, [], { status: { phase: "" } }), { controller }, NOW).map(({ code }) => code);
  assertEquals(codes, [
    "NotOurs",
    "NoController",
    "Quarantined",
    "Backoff",
    "Conflict",
    "Rest",
    "Queue",
    "NoController",
  ]);
});

Deno.test("explain: a workflow waits for the limit on running workflows, in total or in its namespace", () => {
  const pending = workflow({}, [], { status: { phase: "Pending" } });
  assertEquals(
    linesOf(pending, { mayStart: false })[0],
    "Parallelism -: waits for one of the running workflows to end",
  );
  const limit = { of: "namespace", max: 2, before: 4 } as const;
  assertEquals(
    linesOf(pending, { controller: { limit } })[0],
    "NamespaceParallelism -: waits for one of 2 workflows to end in namespace ns (4 are ahead of it)",
  );
});

Deno.test("explain: a suspended workflow comes with the command that resumes it", () => {
  assertEquals(linesOf(workflow({}, [], { spec: { suspend: true } })), [
    `Suspended -: suspended since ${START}: tiphys resume w`,
  ]);
});

Deno.test("explain: a wait for a lock names the holders, for a workflow and for a node", () => {
  const waiting = [{ semaphore: "ns/ConfigMap/m/k", holders: ["ns/a", "ns/b"] }];
  const synchronization = { semaphore: { waiting } };
  const message = "Waiting for ns/ConfigMap/m/k lock. Lock status: 0/2";
  const before = workflow({}, [], { status: { phase: "Pending", message, synchronization } });
  assertEquals(linesOf(before), ["Lock -: waits for ns/ConfigMap/m/k (2 of 2 held by ns/a, ns/b)"]);
  const node = {
    type: "Pod",
    phase: "Pending",
    message,
    synchronizationStatus: { waiting: "ns/ConfigMap/m/k" },
  } as const;
  const inside = workflow({ w: node }, [], { status: { synchronization } });
  assertEquals(linesOf(inside), ["NodeLock w: waits for ns/ConfigMap/m/k (2 of 2 held by ns/a, ns/b)"]);
});

Deno.test("explain: a wait for a lock has the position in the queue if known, and the error if the lock cannot be read", () => {
  const waiting = [{ mutex: "ns/Mutex/m", holder: "ns/a" }];
  const message = "Waiting for ns/Mutex/m lock. Lock status: 0/1";
  const before = workflow({}, [], { status: { phase: "Pending", message, synchronization: { mutex: { waiting } } } });
  const lockPositions = new Map([["", { position: 2, length: 5 }]]);
  assertEquals(linesOf(before, { lockPositions }), [
    "Lock -: waits for ns/Mutex/m (1 of 1 held by ns/a); position 2 of 5 in the queue",
  ]);
  const trouble = "Waiting to acquire the synchronization lock. no route to host";
  assertEquals(linesOf(workflow({}, [], { status: { phase: "Pending", message: trouble } })), [
    "LockUnreadable -: the holders of the lock cannot be read, so nothing can acquire it (no route to host)",
  ]);
});

Deno.test("explain: a wait in a deadlock names its cycle and the time limits of the node that end it", () => {
  const message =
    "Waiting for ns/Mutex/a lock. Lock status: 0/1; deadlock: w.x holds ns/Mutex/a, and w.x.y in it waits";
  const node = { type: "Pod", phase: "Pending", message, synchronizationStatus: { waiting: "ns/Mutex/a" } } as const;
  assertEquals(linesOf(workflow({ w: node }, [])), [
    "Deadlock w: waits for ns/Mutex/a in a deadlock: w.x holds ns/Mutex/a, and w.x.y in it waits",
  ]);
  const ends = (template: Partial<Template>, spec: Workflow["spec"] = {}) => {
    const templates = [{ name: "t", container: { image: "i" }, ...template }];
    const [found] = explain(workflow({ w: { ...node, templateName: "t" } }, templates, { spec }), {}, NOW);
    return [found?.until, found?.unblock.split(";")[0]];
  };
  assertEquals(ends({}), [undefined, "stop a workflow in it, or raise the limit of a semaphore"]);
  assertEquals(ends({ timeout: "{{inputs.parameters.t}}" })[0], undefined);
  assertEquals(ends({ timeout: "2h", pendingTimeout: "90m" }), [
    "2026-01-01T01:30:00Z",
    "wait for its pendingTimeout, or stop a workflow in it, or raise the limit of a semaphore",
  ]);
  assertEquals(ends({ timeout: "2h" }, { activeDeadlineSeconds: 7000 }), [
    "2026-01-01T01:56:40Z",
    "wait for the workflow's activeDeadlineSeconds, or stop a workflow in it, or raise the limit of a semaphore",
  ]);
});

Deno.test("explain: a wait behind a deadlock reports it if the evidence has it", () => {
  const message = "Waiting for ns/Mutex/m lock. Lock status: 0/1";
  const synchronization = { mutex: { waiting: [{ mutex: "ns/Mutex/m", holder: "ns/a" }] } };
  const whole = workflow({}, [], { status: { phase: "Pending", message, synchronization } });
  assertEquals(linesOf(whole, { deadlocks: new Map([["", "a ring"]]) }), [
    "Deadlock -: waits for ns/Mutex/m in a deadlock: a ring",
  ]);
  const node = { type: "Pod", phase: "Pending", message, synchronizationStatus: { waiting: "ns/Mutex/m" } } as const;
  const inside = workflow({ w: node }, [], { status: { synchronization } });
  assertEquals(linesOf(inside, { deadlocks: new Map([["w", "a ring"]]) }), [
    "Deadlock w: waits for ns/Mutex/m in a deadlock: a ring",
  ]);
  assertEquals([...waitingHolders(inside)], [["w", ["ns/a"]]]);
  assertEquals([...waitingHolders(whole)], [["", ["ns/a"]]]);
});

Deno.test("deadlockOfHolder() returns undefined while a node of the holder makes progress", () => {
  const waits = (name: string) => ({
    type: "Pod",
    phase: "Pending",
    name,
    message: "Waiting for ns/Mutex/a lock. Lock status: 0/1; deadlock: a ring",
    synchronizationStatus: { waiting: "ns/Mutex/a" },
  } as const);
  const nodes: Nodes = {
    w: { type: "Steps", children: ["g"] },
    g: { type: "StepGroup", name: "w[0]", children: ["one", "two"] },
    one: { type: "Steps", name: "w[0].one", children: ["g1"] },
    g1: { type: "StepGroup", name: "w[0].one[0]", boundaryID: "one", children: ["in"] },
    in: { ...waits("w[0].one[0].in"), boundaryID: "one" },
    two: waits("w[0].two"),
  };
  assertEquals(deadlockOfHolder(workflow(nodes), ""), "a ring");
  assertEquals(deadlockOfHolder(workflow(nodes), "one"), "a ring");
  assertEquals(deadlockOfHolder(workflow(nodes), "gone"), undefined);
  const goesOn = workflow({ ...nodes, two: { type: "Pod", name: "w[0].two" } });
  assertEquals(deadlockOfHolder(goesOn, ""), undefined);
  assertEquals(deadlockOfHolder(goesOn, "one"), "a ring");
});

Deno.test("explain: a memoized node waits for its cache entry first", () => {
  const memoize = { key: "k", cache: { configMap: { name: "c" } } };
  const template: Template = { name: "t", memoize, container: { image: "i" } };
  const waits = workflow({ w: { type: "Pod", phase: "Pending", templateName: "t" } }, [template]);
  assertEquals(linesOf(waits, { pods: new Map() }), ["Memo w: cache entry k is being looked up"]);
});

Deno.test("explain: a workflow waits for claims that do not exist yet", () => {
  const claims = workflow({}, [], { spec: { volumeClaimTemplates: [{ metadata: { name: "work" } }] } });
  assertEquals(linesOf(claims, { claims: new Map() }), ["Claim -: waits for claim w-work"]);
});

Deno.test("explain: a pod that does not start has the message of Kubernetes", () => {
  const condition = (fields: object) => ({
    phase: "Pending" as const,
    conditions: [{ type: "PodScheduled", status: "False", ...fields }],
  });
  const waiting = (reason: string, message?: string) => ({
    phase: "Pending" as const,
    containerStatuses: [{ name: "main", image: "nobody/none", ready: false, state: { waiting: { reason, message } } }],
  });
  const initRuns = (name: string) => ({
    phase: "Pending" as const,
    initContainerStatuses: [{ name, state: { running: { startedAt: START } } }],
  });
  const volumes = [{ name: "argoexec-bin", image: { reference: "argoexec:v1" } }];
  const ofImage = { spec: { containers: [{ name: "main" }], volumes } };
  const rows: [Evidence, string][] = [
    [
      podOf(condition({ reason: "Unschedulable", message: "0/3 nodes are available" })),
      "Unschedulable w: 0/3 nodes are available",
    ],
    [
      podOf(condition({ reason: "Unschedulable", message: 'persistentvolumeclaim "c" not found' })),
      'Volume w: volume c: persistentvolumeclaim "c" not found',
    ],
    [podOf(waiting("ImagePullBackOff", "no such image")), "Image w: nobody/none: ImagePullBackOff: no such image"],
    [
      podOf(waiting("CreateContainerConfigError", "secret s")),
      "Creating w: container main: CreateContainerConfigError: secret s",
    ],
    [
      podOf({ phase: "Pending" }, {
        metadata: { labels: { "kueue.x-k8s.io/queue-name": "gpu" } },
        spec: { containers: [], schedulingGates: [{ name: "kueue.x-k8s.io/admission" }] },
      }),
      "Gate w: gated by kueue.x-k8s.io/admission (Kueue queue gpu)",
    ],
    [podOf({ phase: "Pending", startTime: START }), `Creating w: containers are being created since ${START}`],
    [podOf(initRuns("init")), "Staging w: the pod is being prepared"],
    [podOf(initRuns("init"), ofImage), `Running w: init container init is running since ${START}`],
    [podOf(initRuns("fetch")), `Running w: init container fetch is running since ${START}`],
    [{ pods: new Map() }, "PodRoom w: its pod w is being requested"],
    [
      {
        pods: new Map(),
        refusals: new Map([["w", { message: "pods w is forbidden: exceeded quota: q", transient: true }]]),
      },
      "Quota w: exceeded quota: q",
    ],
    [
      { pods: new Map(), refusals: new Map([["w", { message: "admission webhook denied", transient: true }]]) },
      "Refused w: the API server rejected the pod: admission webhook denied",
    ],
  ];
  for (const [evidence, expected] of rows) assertEquals(linesOf(ONE_POD, evidence), [expected]);
});

/**
 * The reasons of Kubernetes for which a pod does not start, as evidence about a pod, with the code, text and action.
 */
const OBSTACLES: readonly {
  readonly status?: Pod["status"];
  readonly event?: readonly [reason: string, message: string];
  readonly code: string;
  readonly text: string;
  readonly unblock: RegExp;
}[] = [
  {
    status: {
      phase: "Pending",
      conditions: [{
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message: "0/3 nodes are available",
      }],
    },
    code: "Unschedulable",
    text: "0/3 nodes are available",
    unblock: /^add a machine/,
  },
  {
    event: ["FailedScheduling", "0/3 nodes are available: 3 Insufficient cpu."],
    code: "Unschedulable",
    text: "FailedScheduling: 0/3 nodes are available: 3 Insufficient cpu.",
    unblock: /^add a machine/,
  },
  {
    status: creating("ContainerCreating"),
    event: ["FailedMount", 'MountVolume.SetUp failed for volume "v" : secret "s" not found'],
    code: "Volume",
    text: 'FailedMount: MountVolume.SetUp failed for volume "v" : secret "s" not found',
    unblock: /Secret or ConfigMap/,
  },
  {
    status: creating("ContainerCreating", 'secret "s" not found'),
    code: "Volume",
    text: 'container main: ContainerCreating: secret "s" not found',
    unblock: /Secret or ConfigMap/,
  },
  {
    status: creating("PodInitializing"),
    event: ["FailedAttachVolume", "Multi-Attach error"],
    code: "Volume",
    text: "FailedAttachVolume: Multi-Attach error",
    unblock: /^fix the volume/,
  },
  {
    status: creating("ContainerCreating"),
    event: ["FailedCreatePodSandBox", "no IP addresses left"],
    code: "Creating",
    text: "FailedCreatePodSandBox: no IP addresses left",
    unblock: /^check the network/,
  },
  {
    status: creating("ErrImagePull", "no such image"),
    event: ["FailedMount", "over"],
    code: "Image",
    text: "nobody/none: ErrImagePull: no such image",
    unblock: /^fix the image's name/,
  },
  {
    status: creating("CreateContainerConfigError", 'secret "s" not found'),
    code: "Creating",
    text: 'container main: CreateContainerConfigError: secret "s" not found',
    unblock: /^fix the container's Secrets/,
  },
  {
    status: creating("CreateContainerError", "exec: not found"),
    code: "Creating",
    text: "container main: CreateContainerError: exec: not found",
    unblock: /^fix the container's Secrets/,
  },
];

function creating(reason: string, message?: string): Pod["status"] {
  const state = { waiting: { reason, ...(message ? { message } : {}) } };
  return { phase: "Pending", containerStatuses: [{ name: "main", image: "nobody/none", ready: false, state }] };
}

for (const { status = { phase: "Pending" }, event, code, text, unblock } of OBSTACLES) {
  Deno.test(`explain: a step pod, an agent pod and an artifact GC pod that cannot start have the reason: ${text}`, () => {
    const pod = { metadata: { name: "p" }, spec: { containers: [] }, status } as Pod;
    const podWarnings = new Map(event ? [["p", { reason: event[0], message: event[1] }]] : []);
    const [ofStep] = explain(ONE_POD, { pods: new Map([["w", pod]]), podWarnings }, NOW);
    assertEquals([ofStep?.code, ofStep?.text], [code, text]);
    const request = workflow({ w: { type: "HTTP", phase: "Pending" } });
    const [ofAgent] = explain(request, { agent: { pod }, podWarnings }, NOW);
    assertEquals([ofAgent?.code, ofAgent?.text], ["Http", `agent pod p: ${text}`]);
    const kept = workflow({}, [], {
      metadata: { finalizers: ["workflows.argoproj.io/artifact-gc"] },
      status: { phase: "Succeeded", finishedAt: START },
    });
    const [ofCollector] = explain(kept, { collectors: [pod], podWarnings }, NOW);
    assertEquals([ofCollector?.code, ofCollector?.text], [
      "ArtifactGC",
      `kept until its artifacts are deleted: pod p: ${text}`,
    ]);
    for (const found of [ofStep, ofAgent, ofCollector]) assertMatch(found?.unblock ?? "", unblock);
  });
}

Deno.test("explain: a pod without an obstacle is starting, for every kind of pod", () => {
  const pod = { metadata: { name: "p" }, spec: { containers: [] }, status: creating("ContainerCreating") } as Pod;
  const request = workflow({ w: { type: "HTTP", phase: "Pending" } });
  assertEquals(linesOf(request, { agent: { pod } }), ["Http w: agent pod p: starting"]);
});

Deno.test("explain: artifact GC names its last error while no pod is stuck", () => {
  const conditions = [{ type: "ArtifactGCError", status: "True", message: "pods p is forbidden: exceeded quota: q" }];
  const kept = workflow({}, [], {
    metadata: { finalizers: ["workflows.argoproj.io/artifact-gc"] },
    status: { phase: "Succeeded", finishedAt: START, conditions },
  });
  assertEquals(linesOf(kept), [
    "ArtifactGC -: kept until its artifacts are deleted: pods p is forbidden: exceeded quota: q",
  ]);
});

Deno.test("explain: an agent pod that a quota rejects has the message of the quota", () => {
  const message = "agent pod is not running: pods w-agent is forbidden: exceeded quota: q";
  const request = workflow({ w: { type: "HTTP", phase: "Pending", message } });
  assertEquals(linesOf(request, { agent: {} }), [`Http w: ${message}`]);
});

Deno.test("explain: a running pod has its start and node; a completed one waits for its task result", () => {
  const state = (main: object) => ({
    phase: "Running" as const,
    containerStatuses: [{ name: "main", image: "i", ready: true, state: main }],
  });
  const running = workflow({ w: { type: "Pod", progress: "3/10" } });
  const where = { spec: { containers: [], nodeName: "m1" } };
  assertEquals(linesOf(running, podOf(state({ running: { startedAt: START } }), where)), [
    `Running w: running since ${START} on m1, progress 3/10`,
  ]);
  const terminated = { terminated: { exitCode: 0, reason: "Completed", startedAt: START, finishedAt: START } };
  const [report] = explain(running, podOf(state(terminated)), NOW, { recentlyDeletedPodSeconds: 120 });
  assertEquals([report?.code, report?.until], ["Report", "2026-01-01T00:02:00Z"]);
  const deleted = podOf(state({ running: { startedAt: START } }), { metadata: { deletionTimestamp: START } });
  assertEquals(explain(running, deleted, NOW, { podStatusHoldSeconds: 60 }).map(({ code, until }) => [code, until]), [[
    "Deleting",
    "2026-01-01T00:01:00Z",
  ]]);
});

Deno.test("explain: a daemon waits for its readiness probe, and a resource for its condition", () => {
  const status = {
    phase: "Running" as const,
    containerStatuses: [{ name: "main", image: "i", ready: false, state: { running: { startedAt: START } } }],
  };
  const daemon = workflow({ w: { type: "Pod", templateName: "d" } }, [{
    name: "d",
    daemon: true,
    container: { image: "i" },
  }]);
  assertEquals(linesOf(daemon, podOf(status)), [
    "Probe w: daemon is not ready: main does not pass its readiness probe",
  ]);
  const resource: Template = { name: "r", resource: { action: "create", successCondition: "status.ready == true" } };
  assertEquals(linesOf(workflow({ w: { type: "Pod", templateName: "r" } }, [resource]), podOf(status)), [
    "Condition w: object of the manifest: successCondition status.ready == true is not met",
  ]);
});

Deno.test("explain: a node's reason is its message if pods are not known", () => {
  const message = "ImagePullBackOff: no such image";
  assertEquals(linesOf(workflow({ w: { type: "Pod", phase: "Pending", message } })), [`Image w: ${message}`]);
  assertEquals(linesOf(workflow({ w: { type: "Pod" } })), [`Running w: running since ${START}`]);
});

Deno.test("explain: a suspended node waits for a person, with the required outputs, or for its duration", () => {
  const outputs = { parameters: [{ name: "answer", valueFrom: { supplied: {} } }] };
  const [person] = explain(workflow({ w: { type: "Suspend", outputs } }), {}, NOW);
  assertEquals(person?.code, "Person");
  assertEquals(
    person?.text,
    "waits for approval of w, with values for answer: tiphys resume w --node-field-selector id=w",
  );
  assertStringIncludes(person?.unblock ?? "", "--output-parameter answer=VALUE");
  const timed = workflow({ w: { type: "Suspend", templateName: "s" } }, [{ name: "s", suspend: { duration: "2h" } }]);
  assertEquals(explain(timed, {}, NOW).map(({ code, until }) => [code, until]), [["Timer", "2026-01-01T02:00:00Z"]]);
});

Deno.test("explain: a retry between two attempts has the time of the next one", () => {
  const template: Template = {
    name: "r",
    container: { image: "i" },
    retryStrategy: { backoff: { duration: "10m", factor: 2 } },
  };
  const waits = workflow({
    "w": { type: "Retry", templateName: "r", message: "Backoff for 20 minutes", children: ["w(0)", "w(1)"] },
    "w(0)": { type: "Pod", phase: "Failed", finishedAt: START, nodeFlag: { retried: true } },
    "w(1)": { type: "Pod", phase: "Failed", finishedAt: START, nodeFlag: { retried: true } },
  }, [template]);
  const [reason] = explain(waits, {}, NOW);
  assertEquals([reason?.code, reason?.until], ["Retry", "2026-01-01T00:20:00Z"]);
  assertEquals(reason?.text, "attempt 2 at 2026-01-01T00:20:00Z: Backoff for 20 minutes");
});

const DIAMOND: Template = {
  name: "dag",
  parallelism: 1,
  dag: {
    tasks: [
      { name: "a", template: "t" },
      { name: "b", template: "t" },
      { name: "c", template: "t", depends: "a && b" },
      { name: "d", template: "t", arguments: { parameters: [{ name: "x", value: "{{tasks.c.outputs.result}}" }] } },
    ],
  },
};

Deno.test("explain: an HTTP node names its agent pod and the obstacle that keeps the pod from running", () => {
  const request = workflow({ w: { type: "HTTP", phase: "Pending" } });
  assertEquals(linesOf(request), ["Http w: the workflow's agent processes it, or is being created"]);
  assertEquals(linesOf(request, { agent: {} }), ["Http w: its agent pod is being requested"]);
  const agent = (status: Pod["status"]) => ({
    agent: { pod: { metadata: { name: "w-1-agent" }, spec: { containers: [] }, status } },
  });
  assertEquals(linesOf(request, agent({ phase: "Running" })), ["Http w: agent pod w-1-agent: in progress"]);
  const conditions = [{ type: "PodScheduled", status: "False", message: "0/3 nodes are available" }];
  assertEquals(linesOf(request, agent({ phase: "Pending", conditions })), [
    "Http w: agent pod w-1-agent: 0/3 nodes are available",
  ]);
});

Deno.test("explain: a task names its dependencies with their phases, and the limit that it waits for", () => {
  const nodes: Nodes = { "w": { type: "DAG", templateName: "dag" }, "w.a": { type: "Pod" } };
  assertEquals(linesOf(workflow(nodes, [DIAMOND])), [
    `Running w.a: running since ${START}`,
    "Slots w.b: template parallelism 1 is used by a",
    "Depends w.c: waits for a (Running), b",
    "Reference w.d: {{tasks.c.outputs.result}} has no value yet: c has not run",
  ]);
});

Deno.test("explain: a task waits for the hooks of its dependencies", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", templateName: "dag" },
    "w.a": { type: "Pod", phase: "Succeeded", children: ["w.a.hooks.x"] },
    "w.a.hooks.x": { type: "Pod", nodeFlag: { hooked: true }, displayName: "a.hooks.x" },
    "w.b": { type: "Pod", phase: "Succeeded" },
  };
  assert(linesOf(workflow(nodes, [DIAMOND])).includes("DependsHooks w.c: waits for hook x of a"));
});

Deno.test("explain: a step group waits for the previous one, and the exit handler for all nodes", () => {
  const steps: Template = { name: "s", steps: [[{ name: "a", template: "t" }], [{ name: "b", template: "t" }]] };
  const nodes: Nodes = {
    "w": { type: "Steps", templateName: "s" },
    "w[0]": { type: "StepGroup", children: ["w[0].a"] },
    "w[0].a": { type: "Pod" },
  };
  assertEquals(linesOf(workflow(nodes, [steps], { spec: { templates: [steps], onExit: "t" } })), [
    `Running w[0].a: running since ${START}`,
    "ExitHandler w.onExit: waits for all other nodes",
    "Group w[1]: waits for step group [0]",
  ]);
});

Deno.test("explain: a workflow without activity is stuck, unless a pass is due", () => {
  const nodes: Nodes = {
    "w": { type: "DAG", templateName: "dag" },
    "w.a": { type: "Pod", phase: "Succeeded", finishedAt: START },
    "w.b": { type: "Pod", phase: "Succeeded", finishedAt: START },
  };
  const stuck = workflow(nodes, [DIAMOND]);
  assertEquals(explain(stuck, {}, NOW)[0]?.code, "Stuck");
  assertEquals(explain(stuck, {}, NOW).some(isCause), false);
  assertEquals(explain(stuck, {}, new Date("2026-01-01T00:00:03Z"))[0]?.code, "Queue");
});

Deno.test("explain: an invalid workflow waits until it is fixed", () => {
  const [only] = explainUnreadable("spec.entrypoint: expected string, got 7");
  assertEquals([only?.code, only?.text], ["Quarantined", "cannot be read: spec.entrypoint: expected string, got 7"]);
});

Deno.test("explain: a workflow waits for a missing WorkflowTemplate, if templates are known", () => {
  const of = workflow({}, [], { spec: { workflowTemplateRef: { name: "base" } }, status: { phase: "" } });
  const reasons = linesOf(of, { workflowTemplate: () => undefined });
  assertEquals(reasons[0], "TemplateMissing -: WorkflowTemplate base not found in ns");
});

Deno.test("explain: finds the reasons of 10,000 nodes in linear time", () => {
  const nodes: Record<string, Nodes[string]> = { w: { type: "DAG", templateName: "dag", children: [] } };
  for (let index = 0; index < 10_000; index++) nodes[`w.t${index}`] = { type: "Pod", templateName: "t" };
  const tasks = Array.from({ length: 10_000 }, (_, index) => ({ name: `t${index}`, template: "t" }));
  const large = workflow(nodes, [{ name: "t", container: { image: "i" } }, { name: "dag", dag: { tasks } }]);
  explain(large, {}, NOW);
  const began = cpuMillis();
  assertEquals(explain(large, {}, NOW).length, 10_000);
  // About 20 ms.
  assert(cpuMillis() - began < 2000, `it took ${cpuMillis() - began} ms`);
});
