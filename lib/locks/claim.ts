/** Claims: one who asks for locks, what became of it, and who comes before whom. */
import { isInDatabase, type LockItem } from "./lock_item.ts";
import { holderKey } from "./lock_key.ts";

/** A lock, as it is named in a status. */
export type LockRef = Pick<LockItem, "type" | "key">;

/** A request of the engine for all of these locks at once. */
export interface LockAsk {
  /** The ID of the node that is to hold them; empty for the workflow itself. */
  readonly nodeId: string;
  readonly locks: readonly LockItem[];
  /** The workflow's. */
  readonly priority: number;
  /** Whether it comes before those of its workflow that do not: others, which may have asked before, wait for its end. */
  readonly comesFirst?: boolean;
}

/** The answer to a request for locks. */
export type LockAnswer =
  /** Not answered yet: after a restart all who wait are heard first. */
  | { readonly kind: "heard" }
  /** The status named it as a next holder before a restart, and it has not asked since. */
  | { readonly kind: "named" }
  | { readonly kind: "held"; readonly locks: readonly LockRef[] }
  | LockRefusal
  /** The locks that the status says are held are lost: their rows in the database are gone. */
  | { readonly kind: "lost"; readonly message: string }
  /** A definite mistake: the locks will never be granted. */
  | { readonly kind: "failed"; readonly message: string }
  /** Trouble of the world: the locks are asked for again, and again. */
  | { readonly kind: "trouble"; readonly message: string };

/** The answer to one who waits. */
export interface LockRefusal {
  readonly kind: "waiting";
  readonly locks: readonly LockRef[];
  /** The key of the first lock that is not to be had. */
  readonly refused: string;
  /** Whether that has as many holders as it may have; else others come first, or nobody may have it. */
  readonly isFull: boolean;
  readonly message: string;
}

/** A request for locks in the table. */
export interface Claim {
  /** `namespace/name`. */
  readonly workflow: string;
  readonly nodeId: string;
  readonly key: string;
  readonly locks: readonly LockItem[];
  readonly precedence: Precedence;
  answer: LockAnswer;
  /** The refusal of the database that keeps some of the locks; absent where it is still to be asked. */
  refusal?: DatabaseRefusal | undefined;
  /**
   * The moment of the table at which it was last told that it waits, and for whom. What changed since is not known to
   * it.
   */
  told: number;
  /** The hold is known to be written: the workflow's status has it, or names the claim as one of the next holders. */
  isWritten: boolean;
  /** It holds its lock as a successor that is named in the status, which does not name it as a holder yet. */
  isAhead: boolean;
}

/** A database has others in front, or as many holders as may be. */
export interface DatabaseRefusal {
  readonly refused: string;
  readonly message: string;
  /** The holders of its locks, by the ID of the lock. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** Whether the lock that is refused has as many holders as it may have; else another is before. */
  readonly isFull: boolean;
}

/**
 * The fields that decide which claim is next: a total order, the same in every queue, so that no two can wait for each
 * other.
 */
export interface Precedence {
  readonly priority: number;
  /** The creation time of the workflow, as Kubernetes writes it. */
  readonly created: string;
  readonly namespace: string;
  readonly name: string;
  /** The order in which the nodes of one workflow asked first; below 0 of those that come before the others. */
  readonly order: number;
  /**
   * The place among those whom the status of their workflow names as next holders, from 0, where it was read after a restart:
   * they come before all others, for who was at work before may have given them their locks.
   */
  readonly succession?: number | undefined;
}

/** Makes a claim that nothing is known of yet. */
export function newClaim(
  workflow: string,
  created: string,
  order: number,
  ask: LockAsk,
  succession?: number,
): Claim {
  const { nodeId, locks, priority, comesFirst } = ask;
  const [namespace = "", name = ""] = workflow.split("/");
  return {
    workflow,
    nodeId,
    key: holderKey(workflow, nodeId),
    locks,
    precedence: {
      priority,
      created,
      namespace,
      name,
      order: comesFirst ? order - Number.MAX_SAFE_INTEGER : order,
      succession,
    },
    answer: HEARD,
    told: 0,
    isWritten: false,
    isAhead: false,
  };
}

/** The answer to one who asked and cannot be told anything yet. */
export const HEARD: LockAnswer = { kind: "heard" };

/** The answer to one whom a status named as a next holder, as long as it does not ask. */
export const NAMED: LockAnswer = { kind: "named" };

/** Compares who comes first: successors that a status names, then the higher priority, the older workflow, then names, then the order of asking. */
export function byPrecedence({ precedence: a }: Claim, { precedence: b }: Claim): number {
  return bySuccession(a, b) || b.priority - a.priority || compare(a.created, b.created) ||
    compare(a.namespace, b.namespace) ||
    compare(a.name, b.name) || a.order - b.order;
}

function bySuccession({ succession: a = NOBODYS }: Precedence, { succession: b = NOBODYS }: Precedence): number {
  return a - b;
}

const NOBODYS = Number.MAX_SAFE_INTEGER;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a claim is to one lock, of which a table knows all. */
export function isSimple(claim: Claim): boolean {
  return claim.locks.length === 1 && !isForDatabase(claim);
}

/** Whether a database has a say in a claim. */
export function isForDatabase({ locks }: Claim): boolean {
  return locks.some(isInDatabase);
}
