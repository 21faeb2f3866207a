/**
 * Deadlocks: everything in the holders of some locks waits for locks of these same holders. As in Argo Workflows, they
 * wait until somebody stops one of them or raises a limit, or a deadline ends one, so the waiting nodes show who holds
 * and who waits for which lock. Deadlocks among the nodes of one workflow are found here; the table of locks finds
 * those between workflows, from the stalled holders that are found here.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { DEADLOCK } from "@tiphys/base/constants";
import { parseHolderKey } from "../lock_table/mod.ts";
import { shortened } from "@tiphys/base/limits";
import { isFulfilled } from "@tiphys/model/status";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";
import { type LockChanges, type LockFacts, WHOLE_WORKFLOW } from "./lock_facts.ts";

/** The maximum number of holders of a cycle in a message. */
const MAX_NAMED_HOLDERS = 4;

/** Adds the deadlock to the messages of nodes that wait in it, and removes it when it is resolved. */
export function reportDeadlocks(pass: Slice<NodesDraft & RequestsDraft>): void {
  const { locks } = pass.facts;
  // A partial pass does not know everything that is in progress.
  if (!locks || pass.currentEvaluation.isPartial || pass.draft.lockRequests.length > 0) return;
  const withText = pass.cache(nodesWithDeadlockText);
  // After a restart it is unknown which nodes have such a message.
  withText.ids ??= locks.answers.waitedFor.size === 0 ? new Set() : new Set(locks.answers.keys());
  const deadlock = locks.answers.waitedFor.size === 0 ? undefined : new Deadlock(pass, locks);
  pass.draft.stalledHolders = deadlock?.stalledHolders() ?? new Map();
  deadlock?.removeUnblockedHolders();
  const affected = new Set([...deadlock?.waiters ?? [], ...locks.deadlocks?.keys() ?? []]);
  // Removed messages remain in the set until a later pass finds them removed, since this decision may not be written.
  const withRemovedText = [...withText.ids].filter((id) =>
    !affected.has(id) && setDeadlockText(pass, locks, id, undefined)
  );
  const own = new Set(deadlock?.waiters);
  for (const id of affected) {
    setDeadlockText(pass, locks, id, own.has(id) ? deadlock!.describe(id) : locks.deadlocks!.get(id)!);
  }
  withText.ids = new Set([...affected, ...withRemovedText]);
}

/** The nodes that may have a message about a deadlock; undefined if unknown. */
const nodesWithDeadlockText = (): { ids?: ReadonlySet<string> } => ({});

/** Sets or removes the text about a deadlock. Returns whether the message changed. */
function setDeadlockText(pass: Slice<NodesDraft>, locks: LockFacts, id: string, text: string | undefined): boolean {
  const node = pass.draft.nodes.get(id);
  const answer = locks.answers.get(id);
  if (!node || answer?.kind !== "waiting" || !isWaiting(node)) return false;
  const message = text === undefined ? answer.message : `${answer.message}${DEADLOCK}${text}`;
  return pass.draft.update(id, { message }) !== node;
}

function isWaiting(node: NodeStatus): boolean {
  return !isFulfilled(node) && node.synchronizationStatus?.waiting !== undefined;
}

/** The path from a holder to a cycle. */
interface CyclePath {
  /** The first holder of the cycle on the path. */
  readonly entry: string;
  /** The number of holders in the cycle. */
  readonly size: number;
}

class Deadlock {
  readonly #pass: Slice;
  readonly #locks: LockFacts;
  /** The nodes that wait for locks, by the holder around them, in which nothing else is in progress. */
  readonly #waiters = new Map<string, readonly string[]>();
  /** The nodes of this workflow that hold a lock, by its `TYPE KEY`; empty if other workflows also hold it. */
  readonly #holders = new Map<string, readonly string[]>();
  readonly #paths = new Map<string, CyclePath>();
  /** For each holder in a cycle: its lock that the previous holder waits for. */
  readonly #awaitedLocks = new Map<string, string>();
  readonly #key: string;

  /** Collects the holders with a waiting node and nothing else in progress. */
  constructor(pass: Slice, locks: LockFacts) {
    this.#pass = pass;
    this.#locks = locks;
    this.#key = `${pass.draft.workflow.metadata.namespace}/${pass.name}`;
    for (const holder of locks.answers.held.keys()) {
      const waiters = this.#waitersIn(holder);
      if (waiters.length > 0) this.#waiters.set(holder, waiters);
    }
  }

  /** The stalled holders, for the detection of deadlocks between workflows. */
  stalledHolders(): NonNullable<LockChanges["stalled"]> {
    const nameOf = (id: string) => id === WHOLE_WORKFLOW ? `workflow ${this.#pass.name}` : this.#nameOf(id);
    return new Map([...this.#waiters].map(([holder, waiters]) => {
      return [holder, { name: nameOf(holder), waiters, waiterName: nameOf(waiters[0]!) }];
    }));
  }

  /** Removes holders with a node that waits for a lock which will be free, and those that wait for them. */
  removeUnblockedHolders(): void {
    // The holders that wait for each lock, and the awaited locks of each holder, so that each is visited once.
    const waiting = new Map<string, string[]>();
    const held = new Map<string, string[]>();
    for (const [holder, waiters] of this.#waiters) {
      for (const id of waiters) add(waiting, this.#lockIdOf(id), holder);
    }
    const free = new Set<string>();
    for (const lock of waiting.keys()) {
      const holders = this.#holdersOf(lock);
      if (holders.length === 0 || !holders.every((holder) => this.#waiters.has(holder))) free.add(lock);
      for (const holder of holders) add(held, holder, lock);
    }
    // The iteration also visits locks that are added meanwhile.
    for (const lock of free) {
      for (const holder of waiting.get(lock)!) {
        if (this.#waiters.delete(holder)) { for (const own of held.get(holder) ?? []) free.add(own); }
      }
    }
  }

  /** The nodes that wait in the deadlock. */
  get waiters(): string[] {
    return [...this.#waiters.values()].flat();
  }

  /** Describes the cycle that a node waits in, or behind. */
  describe(waiter: string): string {
    const { entry, size } = this.#pathFrom(this.#holderAwaitedBy(waiter));
    const parts: string[] = [];
    for (let holder = entry; parts.length < Math.min(size, MAX_NAMED_HOLDERS); holder = this.#next(holder)) {
      parts.push(this.#describeHolder(holder));
    }
    const more = size > MAX_NAMED_HOLDERS ? ` and ${size - MAX_NAMED_HOLDERS} more` : "";
    return parts.join("; ") + more;
  }

  #pathFrom(start: string): CyclePath {
    const path = new Set<string>();
    let holder = start;
    while (!this.#paths.has(holder) && !path.has(holder)) {
      path.add(holder);
      holder = this.#next(holder);
    }
    const walked = [...path];
    const from = path.has(holder) ? walked.indexOf(holder) : walked.length;
    const cycle = walked.slice(from);
    for (const member of cycle) {
      this.#paths.set(member, { entry: member, size: cycle.length });
      this.#awaitedLocks.set(this.#next(member), this.#lockOf(this.#firstWaiter(member))!);
    }
    for (const earlier of walked.slice(0, from)) this.#paths.set(earlier, this.#paths.get(holder)!);
    return this.#paths.get(start)!;
  }

  #firstWaiter(holder: string): string {
    return this.#waiters.get(holder)![0]!;
  }

  /** The holder that a node waits for. */
  #holderAwaitedBy(waiter: string): string {
    return this.#holdersOf(this.#lockIdOf(waiter))[0]!;
  }

  #next(holder: string): string {
    return this.#holderAwaitedBy(this.#firstWaiter(holder));
  }

  #describeHolder(holder: string): string {
    const waiter = this.#firstWaiter(holder);
    const holds = shortened(this.#awaitedLocks.get(holder)!);
    const wants = shortened(this.#lockOf(waiter)!);
    return `${this.#nameOf(holder)} holds ${holds}, and ${this.#nameOf(waiter)} in it waits for ${wants}`;
  }

  #nameOf(id: string): string {
    return id === WHOLE_WORKFLOW ? "the workflow" : shortened(this.#pass.draft.nodes.nameOf(id) ?? id);
  }

  /** The nodes in a holder that wait for locks; empty if anything else is in progress in it, or nothing is. */
  #waitersIn(holder: string): readonly string[] {
    const { nodes } = this.#pass.draft;
    const waiters: string[] = [];
    // The iteration also visits nodes that are added meanwhile.
    const open = new Set(nodes.openIn(holder));
    for (const id of open) {
      const node = nodes.get(id)!;
      // A group is in progress with its calls, which are not inside it; a daemon ends with the others.
      if (node.type === "StepGroup" || node.type === "TaskGroup" || isFulfilled(node)) continue;
      if (isWaiting(node) && this.#locks.answers.get(id)?.kind === "waiting") waiters.push(id);
      else {
        const inside = node.type === "Pod" ? NO_IDS : nodes.openIn(id);
        if (inside.size === 0) return [];
        for (const member of inside) open.add(member);
      }
    }
    return waiters;
  }

  #lockOf(id: string): string | undefined {
    const answer = this.#locks.answers.get(id);
    return answer?.kind === "waiting" ? answer.refused : undefined;
  }

  /** The `TYPE KEY` of the lock that a node waits for; empty if the lock is free. */
  #lockIdOf(id: string): string {
    const answer = this.#locks.answers.get(id);
    if (answer?.kind !== "waiting" || !answer.isFull) return "";
    const ref = answer.locks.find(({ key }) => key === answer.refused);
    return ref ? `${ref.type} ${ref.key}` : "";
  }

  #holdersOf(lock: string): readonly string[] {
    const known = this.#holders.get(lock);
    if (known) return known;
    const holders = this.#locks.holders.get(lock) ?? [];
    const own = holders.map((key) => parseHolderKey(key)).filter((parsed) => parsed?.workflow === this.#key);
    const found = own.length === holders.length ? own.map((parsed) => parsed!.nodeId) : [];
    this.#holders.set(lock, found);
    return found;
  }
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const NO_IDS: ReadonlySet<string> = new Set();
