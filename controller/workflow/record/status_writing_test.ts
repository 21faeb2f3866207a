import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import type { Action } from "@tiphys/engine";
import { type DecisionSummary, isOfOldNode, StatusWriting } from "./status_writing.ts";

const BEFORE: Workflow = { metadata: { name: "w" }, spec: {}, status: { phase: "Running" } };

const EVENT: Action = { kind: "event", type: "Normal", reason: "R", message: "m" };
const FINISH: Action = { kind: "finishPod", podName: "p", remove: false, delaySeconds: 0 };
const POD = { kind: "createPod", nodeId: "n" } as unknown as Action;

/** A decision that only reports progress. */
const NEWS: DecisionSummary = {
  hasChanges: true,
  phase: "Running",
  actions: [],
  logLines: [],
  requeueAt: undefined,
  isPartial: false,
  isNodeChanged: () => false,
};

Deno.test("status: a change that only reports progress is written after half a second, together with later changes", () => {
  const writing = new StatusWriting();
  assertEquals([1000, 1200, 1499, 1500].map((now) => writing.due(BEFORE, NEWS, now)), [1500, 1500, 1500, "now"]);
  writing.writeStarted();
  writing.writeEnded(10, { isWritten: true });
  assertEquals(writing.due(BEFORE, NEWS, 2000), 2500);
});

Deno.test("status: a progress change waits for four times the duration of the last write, if that is longer", () => {
  const writing = new StatusWriting();
  writing.writeEnded(1000, { isWritten: true });
  assertEquals([writing.due(BEFORE, NEWS, 1000), writing.due(BEFORE, NEWS, 5000)], [5000, "now"]);
});

Deno.test("status: a progress change waits for at most three seconds while background work is delayed", () => {
  const writing = new StatusWriting();
  const due = (now: number, isServerBusy: boolean) => writing.due(BEFORE, NEWS, now, { isServerBusy });
  assertEquals([1000, 1500, 2000, 3999, 4000].map((now) => due(now, true)), [1500, 2000, 2500, 4000, "now"]);
  assertEquals(due(2000, false), "now");
  assertEquals(writing.due(BEFORE, { ...NEWS, phase: "Succeeded" }, 1000, { isServerBusy: true }), "now");
});

Deno.test("status: a lock transfer waits for others as long as the last write took, at most half a second", () => {
  const locks = { requests: [], held: [], released: ["n"], writesHolders: false };
  const writing = new StatusWriting();
  const due = (now: number, transfersLocks = true) => writing.due(BEFORE, { ...NEWS, locks }, now, { transfersLocks });
  assertEquals(due(1000), "now");
  writing.writeStarted();
  writing.writeEnded(80, { isWritten: true });
  assertEquals([2000, 2079, 2080].map((now) => due(now)), [2080, 2080, "now"]);
  assertEquals(due(2000, false), "now");
  writing.writeStarted();
  writing.writeEnded(3000, { isWritten: true });
  assertEquals(due(6000), 6500);
});

Deno.test("status: the pod of a node that is named as the next holder of its lock waits for a write only if few are named", () => {
  const change = { ...NEWS, actions: [POD], isNodeChanged: () => true };
  const due = (ahead: string, needsMoreSuccessors = false) =>
    new StatusWriting().due(BEFORE, change, 1000, {
      isUnrecordedSuccessor: (nodeId) => nodeId === ahead,
      needsMoreSuccessors,
    });
  const { nodeId } = POD as Extract<typeof POD, { kind: "createPod" }>;
  assertEquals([due(nodeId), due("another"), due(nodeId, true)], [1500, "now", "now"]);
});

const AT_ONCE: Record<string, Partial<DecisionSummary>> = {
  "changes nothing": { hasChanges: false },
  "requests the next pass now": { requeueAt: 1000 },
  "releases locks": { locks: { released: ["n"] } as unknown as NonNullable<DecisionSummary["locks"]> },
  "leaves a part to the next pass": { isPartial: true },
  "enters another phase": { phase: "Succeeded" },
  "creates the pod of a node that it has just created": { actions: [POD], isNodeChanged: () => true },
  "deletes a pod": { actions: [EVENT, { kind: "deletePod", podName: "p", uid: "u" }] },
};

for (const [what, change] of Object.entries(AT_ONCE)) {
  Deno.test(`status: a decision that ${what} is written immediately`, () => {
    assertEquals(new StatusWriting().due(BEFORE, { ...NEWS, ...change }, 1000), "now");
  });
}

const WAITING: Record<string, Partial<DecisionSummary>> = {
  "emits events and cleans up pods": { actions: [EVENT, FINISH] },
  "creates the pod of a node that was written before": { actions: [POD] },
  "requests the next pass later": { requeueAt: 1001 },
  "emits events without a change": { hasChanges: false, actions: [EVENT] },
};

for (const [what, change] of Object.entries(WAITING)) {
  Deno.test(`status: the write of a decision that ${what} may be delayed`, () => {
    assertEquals(new StatusWriting().due(BEFORE, { ...NEWS, ...change }, 1000), 1500);
  });
}

Deno.test("status: actions wait for a write in the current epoch, unless they are safe whichever controller is active", () => {
  const writing = new StatusWriting();
  const needs = (actions: Action[], epoch?: number) => writing.needsProof(epoch, { ...NEWS, actions });
  assertEquals([needs([POD]), needs([POD], 7), needs([EVENT], 7), needs([], 7)], [false, true, false, false]);
  writing.writeEnded(1, { isWritten: false });
  assertEquals([needs([POD], 7), writing.isProven(7)], [true, false]);
  writing.writeEnded(1, { isWritten: true });
  assertEquals([needs([POD], 7), writing.isProven(7)], [false, true]);
});

Deno.test("status: a pod may be created before the status is written only if its node was written before", () => {
  assertEquals([true, false].map((isTouched) => isOfOldNode(POD, { isNodeChanged: () => isTouched })), [false, true]);
  assertEquals(isOfOldNode(EVENT, { isNodeChanged: () => false }), false);
});
