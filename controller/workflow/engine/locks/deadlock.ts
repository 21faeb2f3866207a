/**
 * Deadlocks among the nodes of one workflow: all that goes on in the holders of some locks waits for locks that these very
 * holders have. They wait for ever, as in the peer, unless somebody stops one of them or raises a limit; so the nodes that
 * wait say who holds what, and who waits for what.
 */
import type { NodeStatus } from "../../../../lib/api/mod.ts";
import { DEADLOCK } from "../../../../lib/constants.ts";
import { parseHolderKey } from "../../../../lib/locks/mod.ts";
import { shortened } from "../../../../lib/limits.ts";
import { isFulfilled } from "../../../../lib/status/mod.ts";
import type { Pass } from "../pass.ts";
import type { LockFacts } from "./lock_facts.ts";
import { WHOLE_WORKFLOW } from "./workflow_locks.ts";

/** The most holders of a cycle that a message names. */
const MOST_NAMED = 4;

/** Says of the nodes that wait in a deadlock that they do, and takes that back where it is over. */
export function tellDeadlocks(pass: Pass): void {
  const { locks } = pass.facts;
  // A pass that saw a part only does not know what goes on.
  if (!locks || pass.currentLook.isPart || pass.draft.lockAsks.length > 0) return;
  const told = pass.cache(toldNodes);
  // After a restart it is not known who was told.
  told.ids ??= locks.answers.waitedFor.size === 0 ? new Set() : new Set(locks.answers.keys());
  const deadlock = locks.answers.waitedFor.size === 0 ? undefined : Deadlock.find(pass, locks);
  const inIt = new Set(deadlock?.waiters);
  // What is taken back stays among them until a pass finds it so: this decision may not come to be written.
  const takenBack = [...told.ids].filter((id) => !inIt.has(id) && tell(pass, locks, id, undefined));
  for (const id of inIt) tell(pass, locks, id, deadlock!.inWords(id));
  told.ids = new Set([...inIt, ...takenBack]);
}

/** The nodes that may say that they wait in a deadlock; undefined where that is not known. */
const toldNodes = (): { ids?: ReadonlySet<string> } => ({});

/** Answers whether the node said something else. */
function tell(pass: Pass, locks: LockFacts, id: string, words: string | undefined): boolean {
  const node = pass.draft.nodes.get(id);
  const answer = locks.answers.get(id);
  if (!node || answer?.kind !== "waiting" || !isWaiting(node)) return false;
  const message = words === undefined ? answer.message : `${answer.message}${DEADLOCK}${words}`;
  return pass.draft.update(id, { message }) !== node;
}

function isWaiting(node: NodeStatus): boolean {
  return !isFulfilled(node) && node.synchronizationStatus?.waiting !== undefined;
}

class Deadlock {
  readonly #pass: Pass;
  readonly #locks: LockFacts;
  /** The nodes that wait for locks, by the holder that they lie in: nothing else goes on in it. */
  readonly #waiters = new Map<string, readonly string[]>();
  readonly #key: string;

  private constructor(pass: Pass, locks: LockFacts) {
    this.#pass = pass;
    this.#locks = locks;
    this.#key = `${pass.draft.workflow.metadata.namespace}/${pass.name}`;
  }

  /** The deadlock of a workflow; undefined where something goes on that all others wait for. */
  static find(pass: Pass, locks: LockFacts): Deadlock | undefined {
    const found = new Deadlock(pass, locks);
    for (const holder of locks.answers.held.keys()) {
      const waiters = found.#waitersIn(holder);
      if (waiters.length > 0) found.#waiters.set(holder, waiters);
    }
    for (let before = -1; before !== found.#waiters.size;) {
      before = found.#waiters.size;
      for (const [holder, waiters] of found.#waiters) {
        if (waiters.some((id) => !found.#isStuck(id))) found.#waiters.delete(holder);
      }
    }
    return found.#waiters.size > 0 ? found : undefined;
  }

  /** The nodes that wait in it. */
  get waiters(): string[] {
    return [...this.#waiters.values()].flat();
  }

  /** The cycle that a node waits in, or behind. */
  inWords(waiter: string): string {
    const path: { readonly holder: string; readonly holds: string; readonly waiter: string }[] = [];
    for (let id = waiter;;) {
      const holds = this.#lockOf(id)!;
      const [holder] = this.#holdersOf(id);
      const from = path.findIndex((one) => one.holder === holder);
      if (from >= 0) {
        const cycle = path.slice(from).map((one) => this.#partInWords(one));
        const more = cycle.length > MOST_NAMED ? ` and ${cycle.length - MOST_NAMED} more` : "";
        return cycle.slice(0, MOST_NAMED).join("; ") + more;
      }
      const [next] = this.#waiters.get(holder!)!;
      path.push({ holder: holder!, holds, waiter: next! });
      id = next!;
    }
  }

  #partInWords({ holder, holds, waiter }: { holder: string; holds: string; waiter: string }): string {
    return `${this.#nameOf(holder)} holds ${holds}, and ${this.#nameOf(waiter)} in it waits for ${
      this.#lockOf(waiter)
    }`;
  }

  #nameOf(id: string): string {
    return id === WHOLE_WORKFLOW ? "the workflow" : shortened(this.#pass.draft.nodes.nameOf(id) ?? id);
  }

  /** The nodes in a holder that wait for locks; none where something else goes on in it, or nothing does. */
  #waitersIn(holder: string): readonly string[] {
    const { nodes } = this.#pass.draft;
    const waiters: string[] = [];
    // The list is walked through to what is added meanwhile.
    const open = new Set(nodes.openIn(holder));
    for (const id of open) {
      const node = nodes.get(id)!;
      // A group goes on with its calls, which lie beside it; a daemon ends with the others.
      if (node.type === "StepGroup" || node.type === "TaskGroup" || isFulfilled(node)) continue;
      if (isWaiting(node) && this.#locks.answers.get(id)?.kind === "waiting") waiters.push(id);
      else {
        const inIt = node.type === "Pod" ? NOTHING : nodes.openIn(id);
        if (inIt.size === 0) return [];
        for (const one of inIt) open.add(one);
      }
    }
    return waiters;
  }

  /** Whether all who hold the lock that a node waits for wait in the deadlock themselves. */
  #isStuck(id: string): boolean {
    const holders = this.#holdersOf(id);
    return holders.length > 0 && holders.every((holder) => this.#waiters.has(holder));
  }

  #lockOf(id: string): string | undefined {
    const answer = this.#locks.answers.get(id);
    return answer?.kind === "waiting" ? answer.refused : undefined;
  }

  /** The nodes of this workflow that hold the lock that a node waits for; none where others do, too, or there is room. */
  #holdersOf(id: string): string[] {
    const answer = this.#locks.answers.get(id);
    if (answer?.kind !== "waiting" || !answer.message.includes("Lock status: 0/")) return [];
    const ref = answer.locks.find(({ key }) => key === answer.refused);
    const holders = (ref && this.#locks.holders.get(`${ref.type} ${ref.key}`)) ?? [];
    const own = holders.map((key) => parseHolderKey(key)).filter((one) => one?.workflow === this.#key);
    return own.length === holders.length ? own.map((one) => one!.nodeId) : [];
  }
}

const NOTHING: ReadonlySet<string> = new Set();
