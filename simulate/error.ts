import type { Reason } from "../lib/explain/mod.ts";

/** A simulation that cannot be what the test meant: the message says what to change. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
  /** The reasons why the workflow does not go on; empty where the error is another one. */
  readonly reasons: readonly Reason[];

  constructor(message: string, reasons: readonly Reason[] = []) {
    super(message);
    this.reasons = reasons;
  }
}
