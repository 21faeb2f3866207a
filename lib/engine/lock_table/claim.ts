/** Claims: requests for locks with their state, and the order of precedence. */
import { isInDatabase, type LockItem } from "./lock_item.ts";
import { holderKey } from "./lock_key.ts";

/** A lock, as identified in a status. */
export type LockRef = Pick<LockItem, "type" | "key">;

/** A request of the engine for all of these locks together. */
export interface LockRequest {
  /** The ID of the node that requests them; empty for the workflow itself. */
  readonly nodeId: string;
  readonly locks: readonly LockItem[];
  /** The priority of the workflow. */
  readonly priority: number;
  /** Whether it precedes the other claims of its workflow, even earlier ones, because they wait for its end. */
  readonly isFirstOfWorkflow?: boolean;
}

/** The answer to a request for locks. */
export type LockAnswer =
  /** Not decided yet: after a restart, all waiting claims are registered first. */
  | { readonly kind: "undecided" }
  /** The status named it as a successor before a restart, and it has not requested the lock since. */
  | { readonly kind: "namedSuccessor" }
  | { readonly kind: "held"; readonly locks: readonly LockRef[] }
  | LockRefusal
  /** The status records locks that are lost, because their rows in the database are gone. */
  | { readonly kind: "lost"; readonly message: string }
  /** A permanent error: the locks will never be granted. */
  | { readonly kind: "failed"; readonly message: string }
  /** A temporary error: the request is retried. */
  | { readonly kind: "temporaryError"; readonly message: string };

/** The answer to a waiting claim. */
export interface LockRefusal {
  readonly kind: "waiting";
  readonly locks: readonly LockRef[];
  /** The key of the first lock that is not available. */
  readonly refused: string;
  /**
   * Whether that lock has its maximum number of holders; otherwise other claims precede this one, or nobody may have
   * it.
   */
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
  /** The refusal of the database for some of the locks; undefined if the database has not decided yet. */
  refusal?: DatabaseRefusal | undefined;
  /**
   * The table's time of the last answer to this claim, which named the claims that it waits for. Later changes of the
   * holders are not in that answer.
   */
  answeredAt: number;
  /** Whether the hold is recorded: the workflow's status has it, or names the claim as a successor. */
  isRecorded: boolean;
  /** Whether it holds its lock as a successor in the status, which does not record it as a holder yet. */
  isUnrecordedSuccessor: boolean;
}

/** A database refused a claim: others precede it, or the lock has its maximum number of holders. */
export interface DatabaseRefusal {
  readonly refused: string;
  readonly message: string;
  /** The holders of its locks, by the ID of the lock. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** Whether the refused lock has its maximum number of holders; otherwise another claim precedes this one. */
  readonly isFull: boolean;
}

/**
 * The fields that decide which claim is next. They form a total order, the same in every queue, so that two claims
 * cannot wait for each other.
 */
export interface Precedence {
  readonly priority: number;
  /** The creation time of the workflow, as Kubernetes formats it. */
  readonly created: string;
  readonly namespace: string;
  readonly name: string;
  /** The order of the first requests of a workflow's nodes; negative for those that precede the others. */
  readonly order: number;
  /**
   * The position among the successors in the status of the workflow, from 0, if it was read after a restart. Successors
   * precede all other claims, because the previous process may have granted them their locks.
   */
  readonly successorPosition?: number | undefined;
}

/** Creates a claim that no request has been evaluated for yet. */
export function newClaim(
  workflow: string,
  created: string,
  order: number,
  request: LockRequest,
  successorPosition?: number,
): Claim {
  const { nodeId, locks, priority, isFirstOfWorkflow } = request;
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
      order: isFirstOfWorkflow ? order - Number.MAX_SAFE_INTEGER : order,
      successorPosition,
    },
    answer: UNDECIDED,
    answeredAt: 0,
    isRecorded: false,
    isUnrecordedSuccessor: false,
  };
}

/** The answer to a claim that is not decided yet. */
export const UNDECIDED: LockAnswer = { kind: "undecided" };

/** The answer to a successor in a status that has not requested its lock. */
export const NAMED_SUCCESSOR: LockAnswer = { kind: "namedSuccessor" };

/**
 * Compares the precedence of claims: successors in a status first, then the higher priority, the older workflow, then
 * names, then the order of requests.
 */
export function byPrecedence({ precedence: a }: Claim, { precedence: b }: Claim): number {
  return bySuccessorPosition(a, b) || b.priority - a.priority || compare(a.created, b.created) ||
    compare(a.namespace, b.namespace) ||
    compare(a.name, b.name) || a.order - b.order;
}

function bySuccessorPosition(
  { successorPosition: a = NOT_A_SUCCESSOR }: Precedence,
  { successorPosition: b = NOT_A_SUCCESSOR }: Precedence,
): number {
  return a - b;
}

const NOT_A_SUCCESSOR = Number.MAX_SAFE_INTEGER;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a claim is for one lock that is not in a database. */
export function isSimple(claim: Claim): boolean {
  return claim.locks.length === 1 && !isForDatabase(claim);
}

/** Whether a claim involves locks of a database. */
export function isForDatabase({ locks }: Claim): boolean {
  return locks.some(isInDatabase);
}
