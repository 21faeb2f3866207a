import { assertEquals, assertRejects } from "@std/assert";
import type { Action } from "@tiphys/engine";
import type { LockChanges } from "@tiphys/engine/locks";
import { KubeError } from "@tiphys/kube";
import type { Workflow } from "@tiphys/model/api";
import type { LaneResult } from "./decider.ts";
import { KnownWorkflow } from "./known_workflow.ts";
import type { ReconcilerOptions } from "./reconciler_options.ts";
import { NeedsSlowLaneError } from "./record/stored_nodes.ts";
import type { LockedDecision } from "./sync/decide_with_locks.ts";
import { Writer } from "./writer.ts";

const BEFORE: Workflow = { metadata: { name: "w" }, spec: {}, status: { phase: "Running" } };
const POD = { kind: "createPod", nodeId: "n" } as unknown as Action;
const RELEASES: LockChanges = { requests: [], held: [], released: ["n"], writesHolders: false };

/** A writer with the time `now`, and its calls. */
function writerAt({ now = 1000, epoch = undefined as number | undefined, hasUnrecordedGrant = false }) {
  const refused: string[] = [];
  const locks = {
    isUnrecordedSuccessor: () => false,
    hasUnrecordedGrant: () => hasUnrecordedGrant,
    needsSuccessors: () => false,
    revokeGrants: (key: string) => refused.push(key),
  };
  const parts = { actions: {}, client: { isBackgroundWaiting: false }, clock: { now: () => now }, epoch, locks };
  const options = parts as unknown as ReconcilerOptions;
  const state = new KnownWorkflow("uid-1");
  const writer = new Writer(options, { key: "d/w", seen: { metadata: {} }, state, read: undefined, trace: {} });
  return { writer, state, refused };
}

interface DecisionOptions {
  readonly actions?: readonly Action[];
  readonly phase?: "Running" | "Succeeded";
  readonly locks?: LockChanges;
  readonly write?: LaneResult["write"];
  /** The decision after a transfer of locks; undefined if there is no time for it. */
  readonly afterTransfer?: LockedDecision<LaneResult> | "no time";
}

function decided(
  { actions = [], phase = "Running", locks, write = () => Promise.resolve(BEFORE), afterTransfer }: DecisionOptions,
) {
  const undone: string[] = [];
  const decision = { hasChanges: true, phase, actions, logLines: [], isPartial: false, isNodeChanged: () => false };
  const locked: LockedDecision<LaneResult> = {
    decided: { before: BEFORE, decision: { ...decision, ...(locks && { locks }) }, write },
    mayTransferLocks: () => afterTransfer !== undefined,
    transferLocks: () => Promise.resolve(afterTransfer === "no time" ? undefined : afterTransfer),
    undo: () => undone.push("undo"),
  };
  return { locked, undone };
}

Deno.test("writer: a change that only reports progress is written later, and the end of a node immediately", async () => {
  const { writer } = writerAt({});
  assertEquals(await writer.plan(decided({}).locked, []), { when: "later", at: 1500 });
  assertEquals((await writer.plan(decided({ phase: "Succeeded" }).locked, [])).when, "now");
});

Deno.test("writer: a decision is undone if its locks cannot be transferred in time", async () => {
  const { writer } = writerAt({});
  const { locked } = decided({ phase: "Succeeded", locks: RELEASES, afterTransfer: "no time" });
  assertEquals(await writer.plan(locked, []), { when: "undo" });
});

Deno.test("writer: after a transfer all actions follow the write", async () => {
  const { writer } = writerAt({});
  const after = decided({ actions: [POD] }).locked;
  const plan = await writer.plan(decided({ phase: "Succeeded", locks: RELEASES, afterTransfer: after }).locked, []);
  assertEquals(plan, { when: "now", decision: after, actions: [POD], needsProof: false });
});

Deno.test("writer: a pod of a recorded node is early, unless its lock or the epoch is not recorded yet", () => {
  const early = (writer: Writer) => writer.order(decided({ actions: [POD], locks: RELEASES }).locked.decided).early;
  assertEquals(early(writerAt({}).writer), [POD]);
  assertEquals(early(writerAt({ hasUnrecordedGrant: true }).writer), []);
  assertEquals(early(writerAt({ epoch: 2 }).writer), []);
});

Deno.test("writer: a failed write releases its locks, permanently only if it was refused", async () => {
  for (const [status, isRefused] of [[409, false], [503, false], [422, true]] as const) {
    const { writer, refused } = writerAt({});
    const write = () => Promise.reject(new KubeError("no", { status }));
    const { locked, undone } = decided({ phase: "Succeeded", write });
    const plan = await writer.plan(locked, []);
    if (plan.when !== "now") throw new Error(plan.when);
    await assertRejects(() => writer.write(plan), KubeError);
    assertEquals([undone, refused.length], [["undo"], isRefused ? 1 : 0], `${status}`);
  }
});

Deno.test("writer: a workflow that must be compressed moves to the slow lane", async () => {
  const { writer, state } = writerAt({});
  const { locked, undone } = decided({
    phase: "Succeeded",
    write: () => Promise.reject(new NeedsSlowLaneError("large")),
  });
  const plan = await writer.plan(locked, []);
  if (plan.when !== "now") throw new Error(plan.when);
  assertEquals([await writer.write(plan), undone, state.pace.isSlow], [undefined, ["undo"], true]);
});
