/** Servers of artifact stores. Tests start them on loopback, run the driver contract, and stop them. */
import type { TestedStore } from "../../../lib/artifacts/testing/contract/mod.ts";

/** A running server, and the drivers to test on it. */
export interface RunningServer extends AsyncDisposable {
  readonly subjects: readonly TestedStore[];
}

/** A kind of server. */
export interface ServerKind {
  readonly name: string;
  /** Whether its program takes many minutes to install. Such a server is tested only by name or with `--all`. */
  readonly isSlow?: boolean;
  /** Starts the server. @throws {Unavailable} when the machine lacks a program to install or run it. */
  start(): Promise<RunningServer>;
}

/** The machine cannot run the server. The message names the missing program. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
