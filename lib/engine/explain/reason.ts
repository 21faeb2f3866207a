/** Reasons why something waits, as a code and as a sentence for people. */
import { timeText } from "@tiphys/model/status";

/** `cause` if the cause is outside of the workflow's graph: a pod, a timer, a lock, a person, a request. */
type ReasonKind = "cause" | "consequence";

/**
 * Every reason by its code. `consequence` if the wait is for another node of the workflow, which has a reason itself.
 */
const CODES = {
  // Workflows.
  Parallelism: "cause",
  NamespaceParallelism: "cause",
  Suspended: "cause",
  Lock: "cause",
  LockUnreadable: "cause",
  Claim: "cause",
  TemplateMissing: "cause",
  NotOurs: "cause",
  NoController: "cause",
  Backoff: "cause",
  Conflict: "cause",
  WriteGathers: "cause",
  Rest: "cause",
  Queue: "cause",
  Quarantined: "cause",
  Archiving: "cause",
  ArtifactGC: "cause",
  TTL: "cause",
  Stuck: "consequence",
  // Nodes.
  Depends: "consequence",
  DependsHooks: "consequence",
  Group: "consequence",
  Reference: "consequence",
  Address: "cause",
  Slots: "consequence",
  ExitHandler: "consequence",
  PodRoom: "cause",
  Rate: "cause",
  Retry: "cause",
  Person: "cause",
  Timer: "cause",
  NodeLock: "cause",
  // A person has to end a deadlock.
  Deadlock: "cause",
  Memo: "cause",
  Refused: "cause",
  Quota: "cause",
  Unschedulable: "cause",
  Gate: "cause",
  Image: "cause",
  Volume: "cause",
  Creating: "cause",
  Staging: "cause",
  Running: "cause",
  Probe: "cause",
  Report: "cause",
  Deleting: "cause",
  Kill: "cause",
  Http: "cause",
  Plugin: "cause",
  Condition: "cause",
} as const satisfies Record<string, ReasonKind>;

/** The code of a reason, which programs read. */
export type ReasonCode = keyof typeof CODES;

/** An object or node that something waits for. */
export interface Ref {
  /** A kind of Kubernetes objects, `Node` for a node of the workflow, `Lock` or `Holder`. */
  readonly kind: string;
  readonly name: string;
}

/** A reason why a workflow, or a node of it, waits. */
export interface Reason {
  readonly code: ReasonCode;
  /** The name of the node that waits or has not started; absent for the workflow itself. */
  readonly node?: string | undefined;
  /** The start of the wait, if known (RFC 3339). */
  readonly since?: string | undefined;
  /** A sentence for people, without its subject. */
  readonly text: string;
  /** The objects and nodes that it waits for. */
  readonly blocks: readonly Ref[];
  /** The latest end of the wait (RFC 3339). */
  readonly until?: string | undefined;
  /** The event or action that ends the wait. */
  readonly unblock: string;
}

/** The parts of a reason; `until` may be NaN if it is unknown. */
export interface ReasonParts {
  readonly node?: string | undefined;
  readonly since?: string | undefined;
  readonly text: string;
  readonly blocks?: readonly Ref[];
  /** Milliseconds since the epoch. */
  readonly until?: number | undefined;
  readonly unblock: string;
}

/** Creates a reason without its absent parts. */
export function reason(code: ReasonCode, { node, since, text, blocks = [], until, unblock }: ReasonParts): Reason {
  return {
    code,
    ...(node === undefined ? {} : { node }),
    ...(since === undefined ? {} : { since }),
    text,
    blocks,
    ...(until === undefined || Number.isNaN(until) ? {} : { until: timeText(new Date(until)) }),
    unblock,
  };
}

/** Whether a reason has a cause outside of the workflow's graph. A workflow with such a reason is not stuck. */
export function isCause({ code }: Pick<Reason, "code">): boolean {
  return CODES[code] === "cause";
}

/** The `unblock` of a reason that requires no action. */
export const BY_ITSELF = "no action needed";

/** The `unblock` of a reason after a failed request. */
export const RETRIED = "no action needed: it is retried";
