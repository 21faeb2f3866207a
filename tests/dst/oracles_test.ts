import { assertEquals } from "@std/assert";
import type { Pod, Workflow } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import type { Evidence } from "./evidence.ts";
import type { ApiCall } from "./network.ts";
import {
  actsInOwnEpoch,
  alwaysHasReason,
  collectsGarbage,
  endsInTime,
  hasNoUncaughtErrors,
  hasOneActiveController,
  judge,
  keepsEndedNodes,
  leavesNoNodeBehind,
  leavesNoObjects,
  losesNoNode,
  respectsLocks,
  sameResult,
  startsOnce,
  writesConditionally,
} from "./oracles.ts";

const NODE = { id: "w-1", name: "w.one", type: "Pod" as const };

function workflow(
  phase: "Running" | "Succeeded" | "Failed",
  nodes: Record<string, unknown>[] = [],
  more = {},
): Workflow {
  const status = { phase, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])), ...more };
  return { metadata: { name: "w" }, spec: {}, status } as Workflow;
}

function pod(uid: string, more: object = {}): Pod {
  const owners = [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "w", uid: "u" }];
  const metadata = { name: "p", uid, ownerReferences: owners, annotations: { [ANNOTATION.nodeName]: "w.one" } };
  return { metadata: { ...metadata, ...more }, spec: { containers: [] }, status: { phase: "Succeeded" } } as Pod;
}

/** A run without violations, with the changes of a test. */
function evidence(change: Partial<Evidence> = {}): Evidence {
  const ended = workflow("Succeeded", [{ ...NODE, phase: "Succeeded", finishedAt: "2026-01-01T12:00:09Z" }]);
  return {
    case: { name: "w", about: "a test", workflow: { metadata: { name: "w" } } },
    hasUserActions: false,
    versions: [{ at: 1, workflow: workflow("Running", [{ ...NODE, phase: "Running" }]) }, { at: 9, workflow: ended }],
    starts: [{ at: 2, pod: pod("a"), retries: 0 }],
    ends: new Map(),
    deletions: [],
    retriedAt: [],
    endedAt: 9,
    calmFrom: 9,
    waitedUntil: 9,
    left: { pods: [], reports: [], claims: [], workflows: [] },
    changes: [],
    lateWrites: [],
    queued: 0,
    exits: [],
    uncaught: [],
    trace: [],
    calls: 1,
    places: [],
    hash: "0",
    log: [],
    ...change,
  };
}

Deno.test("oracles: report nothing for a run without violations", () => {
  assertEquals(judge(evidence({ faultless: evidence() })), []);
});

Deno.test("sameResult: reports another phase, and nothing when users interfered", () => {
  const failed = { at: 9, workflow: workflow("Failed", [{ ...NODE, phase: "Failed", finishedAt: "x" }]) };
  const other = evidence({ faultless: evidence(), versions: [failed] });
  assertEquals(sameResult(other).length, 2);
  assertEquals(sameResult({ ...other, hasUserActions: true }), []);
});

Deno.test("sameResult: accepts that a node ended by a user had or had not started, and reports another end", () => {
  const cut = (fields: object) => {
    const node = {
      ...NODE,
      phase: "Failed",
      message: "workflow shutdown with strategy: Stop",
      finishedAt: "x",
      ...fields,
    };
    return [{ at: 9, workflow: workflow("Failed", [node]) }];
  };
  const faultless = evidence({ versions: cut({ outputs: { exitCode: "143" } }) });
  assertEquals(sameResult(evidence({ faultless, versions: cut({}) })), []);
  assertEquals(sameResult(evidence({ faultless, versions: cut({ phase: "Succeeded" }) })).length, 1);
  assertEquals(sameResult(evidence({ faultless, versions: cut({ message: "main: Error" }) })).length, 1);
});

Deno.test("sameResult: a group may quote the message of an ended node with one space or two", () => {
  const quoted = (spaces: string) => {
    const message = `child 'w-1 (main: workflow shutdown with strategy:${spaces}Stop)' failed`;
    return [{ at: 9, workflow: workflow("Failed", [{ ...NODE, phase: "Failed", message, finishedAt: "x" }]) }];
  };
  const faultless = evidence({ versions: quoted("  ") });
  assertEquals(sameResult(evidence({ faultless, versions: quoted(" ") })), []);
});

Deno.test("startsOnce: reports a node whose main started in two pods, unless a user retried in between", () => {
  const twice = (retries: number) =>
    evidence({ starts: [{ at: 2, pod: pod("a"), retries: 0 }, { at: 5, pod: pod("b"), retries }] });
  assertEquals(startsOnce(twice(0)).length, 1);
  assertEquals(startsOnce(twice(1)), []);
});

Deno.test("keepsEndedNodes: reports a node that changed its end", () => {
  const end = (phase: string) => ({ ...NODE, phase, finishedAt: "2026-01-01T12:00:09Z" });
  const versions = [
    { at: 1, workflow: workflow("Running", [end("Succeeded")]) },
    { at: 2, workflow: workflow("Running", [end("Failed")]) },
  ];
  assertEquals(keepsEndedNodes(evidence({ versions })).length, 1);
  assertEquals(keepsEndedNodes(evidence({ versions, retriedAt: [2] })), []);
});

Deno.test("losesNoNode: reports a node that was written and is gone", () => {
  const versions = [
    { at: 1, workflow: workflow("Running", [{ ...NODE, phase: "Running" }]) },
    { at: 2, workflow: workflow("Running", []) },
  ];
  assertEquals(losesNoNode(evidence({ versions })).length, 1);
});

Deno.test("endsInTime: reports a workflow that does not end", () => {
  assertEquals(endsInTime(evidence({ endedAt: undefined })).length, 1);
});

Deno.test("alwaysHasReason: reports a workflow without changes for a minute and nothing in progress", () => {
  const stuck = workflow("Running", [{ ...NODE, type: "DAG", phase: "Running" }]);
  const versions = [{ at: 1, workflow: stuck }, { at: 70_000, workflow: workflow("Succeeded") }];
  assertEquals(alwaysHasReason(evidence({ versions })).length, 1);
  const waits = workflow("Running", [{ ...NODE, type: "Suspend", phase: "Running" }]);
  assertEquals(alwaysHasReason(evidence({ versions: [{ at: 1, workflow: waits }, ...versions.slice(1)] })), []);
});

Deno.test("leavesNoObjects: reports finalizers, missing labels, reports, claims, late writes and waiting passes", () => {
  const object = { apiVersion: "v1", kind: "X", metadata: { name: "x" } };
  const left = { pods: [pod("a", { finalizers: ["f"] })], reports: [object], claims: [object], workflows: [] };
  const write = { at: 9, process: "A1", place: "A1 request 9", method: "PATCH", path: "/x", body: "" };
  assertEquals(leavesNoObjects(evidence({ left, lateWrites: [write], queued: 1 })).length, 6);
});

Deno.test("hasNoUncaughtErrors: reports a process that ended by an error, except for a lost lease", () => {
  const lost = 'The lease "workflow-controller" in namespace "argo" was lost';
  assertEquals(hasNoUncaughtErrors(evidence({ exits: [lost] })), []);
  assertEquals(hasNoUncaughtErrors(evidence({ exits: ["refused"], uncaught: ["TypeError"] })).length, 2);
});

Deno.test("leavesNoObjects: only a workflow that failed may keep its claims", () => {
  const claims = [{ metadata: { name: "w-disk" } }];
  const left = (phase: "Succeeded" | "Failed") => {
    const last = workflow(phase);
    return evidence({
      versions: [{ at: 9, workflow: last }],
      left: { pods: [], reports: [], claims, workflows: [last] },
    });
  };
  assertEquals(leavesNoObjects(left("Failed")), []);
  assertEquals(leavesNoObjects(left("Succeeded")).length, 1);
});

/** A call of a process that the server handled. */
function handledCall(process: string, method: string, path: string, body: object = {}, status = 200): ApiCall {
  return { at: 1, process, place: `${process} request 1`, method, path, body: JSON.stringify(body), status };
}

const LEASE = "/apis/coordination.k8s.io/v1/namespaces/argo/leases/workflow-controller";
const PODS = "/api/v1/namespaces/default/pods";
const WORKFLOW = "/apis/argoproj.io/v1alpha1/namespaces/default/workflows/w";
const taken = (process: string) => handledCall(process, "PUT", LEASE, { spec: { holderIdentity: process } });

Deno.test("hasOneActiveController: reports a process that writes while another has the lease", () => {
  const write = handledCall("A1", "PATCH", WORKFLOW);
  assertEquals(hasOneActiveController(evidence({ changes: [taken("A1"), write] })), []);
  assertEquals(hasOneActiveController(evidence({ changes: [taken("A1"), taken("B1"), write] })).length, 1);
  const refused = { ...taken("B1"), status: 409 };
  assertEquals(hasOneActiveController(evidence({ changes: [taken("A1"), refused, write] })), []);
});

Deno.test("actsInOwnEpoch: reports a pod created before the process had written its workflow", () => {
  const pod = { metadata: { labels: { [LABEL.workflow]: "w" } } };
  const [write, make] = [handledCall("A1", "PATCH", WORKFLOW), handledCall("A1", "POST", PODS, pod)];
  assertEquals(actsInOwnEpoch(evidence({ changes: [write, make] })), []);
  assertEquals(actsInOwnEpoch(evidence({ changes: [{ ...write, process: "B1" }, make] })).length, 1);
  assertEquals(actsInOwnEpoch(evidence({ changes: [{ ...write, status: 409 }, make] })).length, 1);
});

Deno.test("writesConditionally: reports unconditional writes of workflows and leases, and deletions of pods", () => {
  const metadata = { uid: "u", resourceVersion: "7" };
  const well = [
    handledCall("A1", "PATCH", WORKFLOW, { metadata: { resourceVersion: "7" } }),
    handledCall("A1", "PUT", LEASE, { metadata }),
    handledCall("A1", "DELETE", `${PODS}/p`, { preconditions: metadata }),
    handledCall("A1", "PATCH", `${PODS}/p`, { metadata: { ...metadata, finalizers: [] } }),
  ];
  assertEquals(writesConditionally(evidence({ changes: well })), []);
  const badly = well.map((apiCall) => ({ ...apiCall, body: JSON.stringify({ metadata: { finalizers: [] } }) }));
  assertEquals(writesConditionally(evidence({ changes: badly })).length, 4);
});

Deno.test("collectsGarbage: reports artifacts deleted too early, not at all, or against their strategy", () => {
  const artifact = (name: string, strategy: string) => ({ name, s3: { key: name }, artifactGC: { strategy } });
  const outputs = {
    artifacts: [
      artifact("early", "OnWorkflowCompletion"),
      artifact("late", "OnWorkflowDeletion"),
      artifact("kept", "Never"),
    ],
  };
  const ended = workflow("Succeeded", [{ ...NODE, phase: "Succeeded", outputs }]);
  const goes = (deletions: Evidence["deletions"], deletionTimestamp?: string) => {
    const going = { ...ended, metadata: { ...ended.metadata, deletionTimestamp } };
    const versions = [{ at: 1, workflow: ended }, ...(deletionTimestamp ? [{ at: 5, workflow: going }] : [])];
    const { case: testCase, ...others } = evidence({ versions, deletions, endedAt: 9 });
    return collectsGarbage({ ...others, case: { ...testCase, vanishes: true } });
  };
  const time = "2026-01-01T12:00:10Z";
  assertEquals(goes([{ at: 2, key: "early" }, { at: 6, key: "late" }], time), []);
  assertEquals(goes([{ at: 2, key: "early" }], time), ["late is still there although its workflow is gone"]);
  assertEquals(goes([{ at: 2, key: "early" }, { at: 3, key: "late" }], time), [
    "late was deleted before its workflow was",
  ]);
  assertEquals(goes([{ at: 2, key: "early" }, { at: 6, key: "late" }, { at: 7, key: "kept" }], time), [
    "kept was deleted and was to stay",
  ]);
});

Deno.test("collectsGarbage: reads the strategy of a workflow whose spec is a template's", () => {
  const outputs = { artifacts: [{ name: "a", s3: { key: "a" } }] };
  const { status, ...bare } = workflow("Succeeded", [{ ...NODE, phase: "Succeeded", outputs }]);
  const problemsWith = (strategy: "OnWorkflowCompletion" | "Never") => {
    const ended = { ...bare, status: { ...status, storedWorkflowTemplateSpec: { artifactGC: { strategy } } } };
    return collectsGarbage(evidence({ versions: [{ at: 1, workflow: ended }], deletions: [{ at: 2, key: "a" }] }));
  };
  assertEquals(problemsWith("OnWorkflowCompletion"), []);
  assertEquals(problemsWith("Never"), ["a was deleted and was to stay"]);
});

Deno.test("respectsLocks: reports a lock with too many holders, one that is kept, and a start without one", () => {
  const templates = [{ name: "t", synchronization: { mutexes: [{ name: "m" }] } }];
  const state = (phase: "Running" | "Succeeded", holders: readonly string[]): Workflow => ({
    metadata: { name: "w", namespace: "n" },
    spec: { templates },
    status: {
      phase,
      nodes: { "w-1": { ...NODE, templateName: "t" } },
      synchronization: holders.length
        ? { mutex: { holding: holders.map((holder) => ({ mutex: "n/Mutex/m", holder })) } }
        : undefined,
    },
  } as Workflow);
  const start = { at: 5, pod: pod("a"), retries: 0 };
  const good = [{ at: 4, workflow: state("Running", ["n/w/w-1"]) }, { at: 9, workflow: state("Succeeded", []) }];
  assertEquals(respectsLocks(evidence({ versions: good, starts: [start] })), []);
  assertEquals(respectsLocks(evidence({ versions: good, starts: [{ ...start, at: 3 }] })), [
    "main of w.one began at 3 ms, and n/w/w-1 held nothing before",
  ]);
  const bad = [{ at: 4, workflow: state("Succeeded", ["n/w/w-1", "n/w/w-2"]) }];
  assertEquals(respectsLocks(evidence({ versions: bad, starts: [] })), [
    "mutex n/Mutex/m was held by n/w/w-1, n/w/w-2 at 4 ms",
    "the finished workflow holds locks",
  ]);
});

Deno.test("respectsLocks: accepts nodes written as the next holders, and reports more mains than the limit", () => {
  const synchronization = { semaphores: [{ configMapKeyRef: { name: "limits", key: "one" } }] };
  const node = (id: string) => ({ ...NODE, id, name: id, templateName: "t" });
  const named: Workflow = {
    metadata: {
      name: "w",
      namespace: "n",
      annotations: { [ANNOTATION.nextHolders]: '{"semaphore n/ConfigMap/limits/one":["w-2"]}' },
    },
    spec: { templates: [{ name: "t", synchronization }] },
    status: {
      phase: "Running",
      nodes: { "w-1": node("w-1"), "w-2": node("w-2") },
      synchronization: { semaphore: { holding: [{ semaphore: "n/ConfigMap/limits/one", holders: ["n/w/w-1"] }] } },
    },
  } as unknown as Workflow;
  const start = (time: number, id: string) => ({
    at: time,
    pod: pod(id, { annotations: { [ANNOTATION.nodeName]: id } }),
    retries: 0,
  });
  const objects = [{ kind: "ConfigMap", metadata: { name: "limits" }, data: { one: "1" } }];
  const kept = (ends: [string, number][]) =>
    respectsLocks(evidence({
      versions: [{ at: 4, workflow: named }],
      starts: [start(5, "w-1"), start(8, "w-2")],
      ends: new Map(ends),
      case: { objects } as unknown as Evidence["case"],
    }));
  assertEquals(kept([["w-1", 7]]), []);
  assertEquals(kept([["w-1", 9]]), ["2 mains ran under semaphore n/ConfigMap/limits/one at 8 ms"]);
});

Deno.test("leavesNoNodeBehind: reports a node that waits in an ended node, and accepts a pod that ends by itself", () => {
  const around = { id: "w-2", name: "w", type: "DAG", phase: "Failed", finishedAt: "2026-01-01T00:00:05Z" };
  const inIt = (fields: object) => {
    const nodes = [around, { ...NODE, boundaryID: "w-2", phase: "Pending", ...fields }];
    return leavesNoNodeBehind(evidence({ versions: [{ at: 7, workflow: workflow("Running", nodes) }] }));
  };
  const found = ["w.one is Pending, and w, in which it lies, is Failed at 7 ms"];
  assertEquals(inIt({ type: "Suspend" }), found);
  assertEquals(inIt({ synchronizationStatus: { waiting: "ns/Mutex/m" } }), found);
  assertEquals(inIt({}), []);
  assertEquals(inIt({ type: "Suspend", phase: "Succeeded", finishedAt: "2026-01-01T00:00:05Z" }), []);
});
