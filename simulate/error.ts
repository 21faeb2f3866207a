/** A simulation that cannot be what the test meant: the message says what to change. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
}
