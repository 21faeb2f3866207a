/** A container whose program was never reached. */
import type { Container } from "./runtime.ts";

/** As an engine says it of a program that it could not start. */
const START_ERROR = 128;

/** One that has ended before it began; for what reason, the message says. */
export function notStarted(message: string): Container {
  return {
    ended: Promise.resolve({ exitCode: START_ERROR, reason: "StartError", message }),
    signal() {},
    exec: () => Promise.reject(new Error(message)),
    remove: () => Promise.resolve(),
  };
}
