/** Reasons why something waits, as a code and as a sentence for people. */
import { timeText } from "@tiphys/model/status";

/** `underWay` if the cause is outside of the workflow's graph: a pod, a timer, a lock, a person, a request. */
type Weight = "underWay" | "follows";

/** Every reason by its code. `follows` if the wait is for another node of the workflow, which has a reason itself. */
const CODES = {
  // Workflows.
  Parallelism: "underWay",
  NamespaceParallelism: "underWay",
  Suspended: "underWay",
  Lock: "underWay",
  LockUnreadable: "underWay",
  Claim: "underWay",
  TemplateMissing: "underWay",
  NotOurs: "underWay",
  NoController: "underWay",
  Backoff: "underWay",
  Conflict: "underWay",
  WriteGathers: "underWay",
  Rest: "underWay",
  Queue: "underWay",
  Quarantined: "underWay",
  Archiving: "underWay",
  ArtifactGC: "underWay",
  TTL: "underWay",
  Stuck: "follows",
  // Nodes.
  Depends: "follows",
  DependsHooks: "follows",
  Group: "follows",
  Reference: "follows",
  Address: "underWay",
  Slots: "follows",
  ExitHandler: "follows",
  PodRoom: "underWay",
  Rate: "underWay",
  Retry: "underWay",
  Person: "underWay",
  Timer: "underWay",
  NodeLock: "underWay",
  // A person has to end a deadlock.
  Deadlock: "underWay",
  Memo: "underWay",
  Refused: "underWay",
  Quota: "underWay",
  Unschedulable: "underWay",
  Gate: "underWay",
  Image: "underWay",
  Volume: "underWay",
  Creating: "underWay",
  Staging: "underWay",
  Running: "underWay",
  Probe: "underWay",
  Report: "underWay",
  Deleting: "underWay",
  Kill: "underWay",
  Http: "underWay",
  Plugin: "underWay",
  Condition: "underWay",
} as const satisfies Record<string, Weight>;

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
export function isUnderWay({ code }: Pick<Reason, "code">): boolean {
  return CODES[code] === "underWay";
}

/** The `unblock` of a reason that requires no action. */
export const BY_ITSELF = "it goes on by itself";
