/** The interface between the reconcile loop and a kind of objects. */
import type { KubeObject } from "@tiphys/kube";

/**
 * When to run the next pass: a time in milliseconds since 1970, `now`, or `onChange` if only a change of the object
 * requires one.
 */
export type Requeue = number | "now" | "onChange";

/** The result of a pass. */
export interface PassEnd {
  readonly requeue: Requeue;
  /** Whether the pass was not completed, for reasons other than the object. Earlier failures still count. */
  readonly isInconclusive?: boolean;
}

/** An object whose passes fail. */
export interface FailedPass {
  readonly seen: KubeObject;
  readonly error: unknown;
  /** The number of consecutive failures. */
  readonly failures: number;
}

/** A kind of objects. Keys are `namespace/name`. */
export interface Kind {
  /** The name of the kind in the log. */
  readonly name: string;
  /** The unparsed object in the local copy; undefined if it does not exist. */
  cachedObject(key: string): KubeObject | undefined;
  /**
   * Runs one pass. `stepAside` is called when the pass continues elsewhere and no longer needs a worker.
   * @throws any error: the loop classifies it.
   */
  pass(key: string, stepAside: () => void): Promise<PassEnd>;
  /** Whether an error is caused by the object itself, whatever its message contains. */
  isOfObject(error: unknown): boolean;
  /** Returns when to run the next pass after a write conflict. */
  retryAfterConflict(key: string): Requeue;
  /**
   * Reports that an object cannot be processed, and why.
   * @returns the written object; undefined if nothing was written.
   */
  reportFailure(key: string, failed: FailedPass): Promise<KubeObject | undefined>;
  /** Returns the time for which an object pauses after a pass, in milliseconds. Urgent passes do not wait for it. */
  restMillis?(key: string): number | undefined;
}
