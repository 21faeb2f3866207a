import { assertEquals } from "@std/assert";
import type { LockChanges } from "@tiphys/engine/locks";
import { seededRandom } from "../../../lib/engine/lock_table/testing/seeded_random.ts";
import { decideWithLocks, type LockedDecision } from "./decide_with_locks.ts";

interface LockEngine {
  readonly decision: { readonly locks?: LockChanges };
}

const NOTHING: LockChanges = { requests: [], held: [], released: [], writesHolders: false };
const REQUESTS: LockChanges = { ...NOTHING, requests: [{ nodeId: "n", locks: [], priority: 0 }] };
const RELEASES: LockChanges = { ...NOTHING, released: ["n"] };

function lockEngine(locks: LockChanges): LockEngine {
  return { decision: { locks } };
}

/** Locks that count the transfers which are neither undone nor committed. */
function locksOf({ hasRestored = false, isNamed = false, mayTransfer = true }) {
  const open = new Set<number>();
  let count = 0;
  let committed = 0;
  const transfer = () => {
    const id = count++;
    open.add(id);
    return { undo: () => void open.delete(id), commit: () => void (open.delete(id) && committed++) };
  };
  return {
    open,
    get committed() {
      return committed;
    },
    transferToRestored: () => hasRestored ? transfer() : undefined,
    wouldGoToNamedSuccessors: () => isNamed,
    mayTransfer: () => mayTransfer,
    transfer: () => mayTransfer ? transfer() : undefined,
  };
}

/** Runs a list of decisions; `answered` counts the answered requests. */
async function run(decisions: readonly (LockEngine | undefined | "throw")[], locks: ReturnType<typeof locksOf>) {
  const rest = [...decisions];
  const calls: boolean[] = [];
  let answered = 0;
  const pass = { key: "n/w", locks, answer: () => Promise.resolve(void answered++) };
  const decide = (isFirst: boolean) => {
    calls.push(isFirst);
    const next = rest.shift();
    return next === "throw" ? Promise.reject(new Error("defect")) : Promise.resolve(next);
  };
  let locked: LockedDecision<LockEngine> | undefined;
  let error: unknown;
  try {
    locked = await decideWithLocks<LockEngine>(pass, decide);
  } catch (thrown) {
    error = thrown;
  }
  return { locked, error, calls, answered };
}

Deno.test("locks: a decision is repeated until its requests are answered", async () => {
  const { locked, calls, answered } = await run(
    [lockEngine(REQUESTS), lockEngine(REQUESTS), lockEngine(NOTHING)],
    locksOf({}),
  );
  assertEquals([calls, answered, locked?.decided], [[true, false, false], 2, lockEngine(NOTHING)]);
});

Deno.test("locks: a workflow that always requests more is decided 21 times in a pass", async () => {
  const { locked, calls } = await run(Array.from({ length: 100 }, () => lockEngine(REQUESTS)), locksOf({}));
  assertEquals([calls.length, locked?.decided], [21, lockEngine(REQUESTS)]);
});

Deno.test("locks: successors that the status names get their locks permanently before the write", async () => {
  const locks = locksOf({ isNamed: true });
  const { locked } = await run([lockEngine({ ...RELEASES, isEvident: true }), lockEngine(NOTHING)], locks);
  locked?.undo();
  assertEquals([locked?.decided, locks.committed, locks.open.size], [lockEngine(NOTHING), 1, 0]);
});

Deno.test("locks: a decision after a transfer transfers nothing more", async () => {
  const { locked } = await run([lockEngine(RELEASES), lockEngine(RELEASES)], locksOf({ hasRestored: true }));
  assertEquals(locked?.mayTransferLocks(), false);
});

Deno.test("locks: in any pass a transfer is in the returned decision, committed, or undone", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seededRandom(seed);
    const locks = locksOf({ hasRestored: random() < 0.3, isNamed: random() < 0.3, mayTransfer: random() < 0.7 });
    const decisions = Array.from({ length: 6 }, () => {
      const kind = random();
      if (kind < 0.1) return undefined;
      if (kind < 0.2) return "throw" as const;
      return lockEngine(kind < 0.4 ? REQUESTS : kind < 0.8 ? { ...RELEASES, isEvident: random() < 0.5 } : NOTHING);
    });
    const { locked } = await run(decisions, locks);
    let last = locked;
    if (locked?.mayTransferLocks()) last = await locked.transferLocks().catch(() => undefined);
    last?.undo();
    assertEquals([...locks.open], [], `seed ${seed}`);
  }
});
