/** Protection against an object that ends the process in every pass over it, so that each restart would end the same way. */
import type { KubeObject } from "@tiphys/kube";
import { UserError } from "@tiphys/base/user_error";

/** A record of passes that survives the process. */
export interface PassGuard {
  /**
   * Notes that a pass over this version of an object begins.
   * @returns false for a version during whose passes the process ended too often: no pass may be made.
   */
  enter(kind: string, object: KubeObject): boolean;
  /** Notes that the pass has ended, however it ended. */
  leave(kind: string, object: KubeObject): void;
}

/** The refusal of a pass by the guard. The message is always the same, so that it is written once. */
export class ProcessEndedError extends UserError {
  override readonly name = "ProcessEndedError";

  constructor() {
    super("the process ended repeatedly during passes over this object: it is not processed until it is changed");
  }
}
