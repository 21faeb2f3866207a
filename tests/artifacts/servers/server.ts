/** A server of a store: started by the tests on loopback, asked the contract, and ended. */
import type { UnderTest } from "../../../lib/artifacts/testing/contract/mod.ts";

/** A server that runs, and the ways in which it is asked. */
export interface RunningServer extends AsyncDisposable {
  readonly asked: readonly UnderTest[];
}

/** A kind of server. */
export interface ServerKind {
  readonly name: string;
  /** Getting its program takes longer than people want to wait: it is asked by its name, or with `--all`. */
  readonly isSlow?: boolean;
  /** Starts it. @throws {NotHere} when it cannot be had on this machine. */
  start(): Promise<RunningServer>;
}

/** This machine cannot have the server; the message says what it lacks. */
export class NotHere extends Error {
  override readonly name = "NotHere";
}
