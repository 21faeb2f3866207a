/** A kind of objects as the loop must know it to work them: nothing that only one kind has. */
import type { KubeObject } from "@tiphys/kube";

/**
 * The moment of the next pass: milliseconds since 1970, `now`, or `onChange` where nothing but a change asks for one.
 */
export type ComeBack = number | "now" | "onChange";

/** The result of a pass. */
export interface PassEnd {
  readonly comeBack: ComeBack;
  /** The pass came to no end, for no fault of the object: the failures before it still count. */
  readonly isUnsettled?: boolean;
}

/** An object on which no pass comes to its end. */
export interface Hopeless {
  readonly seen: KubeObject;
  readonly error: unknown;
  /** The number of failures in a row. */
  readonly failures: number;
}

/** A kind of objects; its keys are `namespace/name`. */
export interface Kind {
  /** The word of the log for an object of this kind. */
  readonly name: string;
  /** The object as the local copy has it, unread; undefined when there is none. */
  seen(key: string): KubeObject | undefined;
  /**
   * Makes one pass; `stepAside` is called when it is made where it keeps nobody from a place.
   * @throws whatever went wrong: the loop sorts it.
   */
  pass(key: string, stepAside: () => void): Promise<PassEnd>;
  /** Whether an error is of the object itself, whatever its message quotes. */
  isOfObject(error: unknown): boolean;
  /** The moment at which to look again at an object that somebody wrote in between. */
  conflicted(key: string): ComeBack;
  /**
   * Says of an object that it cannot be worked, and why.
   * @returns the object as it was written; undefined when there was nothing to write.
   */
  giveUp(key: string, hopeless: Hopeless): Promise<KubeObject | undefined>;
  /** The time in milliseconds for which an object is left alone after a pass; an urgent pass does not wait for it. */
  restMillis?(key: string): number | undefined;
}
