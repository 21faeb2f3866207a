/** Protection against an object that crashes the process in every pass, also after restarts. */
import type { KubeObject } from "@tiphys/kube";
import { UserError } from "@tiphys/base/user_error";

/** A record of passes that survives the process. */
export interface PassGuard {
  /**
   * Records that a pass over this version of an object begins.
   * @returns false if the process ended too often during passes over this version: no pass may run.
   */
  beginPass(kind: string, object: KubeObject): boolean;
  /** Records that the pass has ended, with or without an error. */
  endPass(kind: string, object: KubeObject): void;
}

/** The refusal of a pass by the guard. The message is constant, so that it is reported only once. */
export class ProcessEndedError extends UserError {
  override readonly name = "ProcessEndedError";

  constructor() {
    super("the process ended repeatedly during passes over this object: it is not processed until it is changed");
  }
}
