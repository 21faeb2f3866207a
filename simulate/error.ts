import type { Reason } from "@tiphys/engine/explain";

/** A simulation that cannot run or cannot continue. The message explains how to fix the test. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
  /** The reasons why the workflow cannot continue; empty for other errors. */
  readonly reasons: readonly Reason[];

  constructor(message: string, reasons: readonly Reason[] = []) {
    super(message);
    this.reasons = reasons;
  }
}
