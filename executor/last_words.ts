/** The last words of a broken executor: nobody must wait for it in vain. */
import { PATH } from "../lib/constants.ts";
import { parseMarker, textOfMarker } from "../lib/watch/mod.ts";
import { describe, failureAt, messageOf, writeTerminationMessage } from "./failure.ts";
import { at, type World } from "./world.ts";

/** The bytes of a marker that are read: one that says READY is shorter. */
const LONGEST_MARKER = 4096;

/** Says why this process ends, at once; and, where others wait for its marker, that they need not. */
export function lastWords(world: World, error: unknown, isSupervisor: boolean): void {
  const failure = failureAt(isSupervisor ? "inputs" : "command", error);
  writeTerminationMessage(world, messageOf(failure));
  world.log(failure.message);
  if (isSupervisor && !isReady(world)) sayFailed(world, failure.message);
}

function isReady(world: World): boolean {
  try {
    return parseMarker(world.files.tail(at(world, PATH.status), LONGEST_MARKER)?.text ?? "").kind === "READY";
  } catch {
    return false;
  }
}

function sayFailed(world: World, message: string): void {
  try {
    world.files.write(at(world, PATH.status), textOfMarker({ kind: "FAILED", message }));
  } catch (error) {
    world.log(`failed to write ${PATH.status}: ${describe(error)}`);
  }
}
