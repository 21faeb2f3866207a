/** Reasons why something waits: machine-readable, and in a sentence for people. */
import { timeText } from "@tiphys/model/status";

/** Whether what is waited for goes on by itself, outside of the workflow's own graph: a pod, a timer, a lock, a person, a request. */
type Weight = "underWay" | "follows";

/** Every reason by its code: `follows` where another node of the workflow is waited for, which has a reason of its own. */
const CODES = {
  // Of the workflow.
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
  // Of a node.
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
  // Not by itself: a person has to end it.
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

/** An object, or a node, that stands in the way. */
export interface Ref {
  /** A kind of Kubernetes, or `Node`. */
  readonly kind: string;
  readonly name: string;
}

/** A reason why a workflow, or a node of it, waits. */
export interface Reason {
  readonly code: ReasonCode;
  /** The name of the node that waits, or that will; absent where it is the workflow. */
  readonly node?: string | undefined;
  /** The moment at which the wait began, where that is known (RFC 3339). */
  readonly since?: string | undefined;
  /** A sentence for people, without its subject. */
  readonly text: string;
  /** The things that it waits for. */
  readonly blocks: readonly Ref[];
  /** The moment at which the wait ends at the latest (RFC 3339). */
  readonly until?: string | undefined;
  /** The event or the act that ends the wait. */
  readonly unblock: string;
}

/** The parts of a reason, with times as they are known. */
export interface ReasonParts {
  readonly node?: string | undefined;
  readonly since?: string | undefined;
  readonly text: string;
  readonly blocks?: readonly Ref[];
  /** Milliseconds since 1970. */
  readonly until?: number | undefined;
  readonly unblock: string;
}

/** Makes a reason; absent parts are left out. */
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

/** Whether something goes on, or is awaited, for this reason: then the workflow is not stuck. */
export function isUnderWay({ code }: Pick<Reason, "code">): boolean {
  return CODES[code] === "underWay";
}

/** The `unblock` of a reason that nobody can do anything about, and need not. */
export const BY_ITSELF = "it goes on by itself";
