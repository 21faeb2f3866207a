/** The work of one patch, counted before it is done. A unit is about the time to move one item of a list. */

import { UserError } from "@tiphys/base/user_error";

/** Error for a patch that exceeds the limit of its caller, which is below the maximum. */
export class PatchWorkError extends UserError {
  override readonly name = "PatchWorkError";
}

/** Counts the work of one patch. */
export class PatchWork {
  readonly #limit: number;
  readonly #refuse: (() => never) | undefined;
  #done = 0;

  /** `refuse` throws the error of a patch that exceeds the limit; by default a {@link PatchWorkError}. */
  constructor(limit: number, refuse?: () => never) {
    this.#limit = limit;
    this.#refuse = refuse;
  }

  /** @throws above the limit. */
  spend(work: number): void {
    this.#done += work;
    if (this.#done <= this.#limit) return;
    this.#refuse?.();
    throw new PatchWorkError(`The patch costs more than ${this.#limit} units of work`);
  }
}
