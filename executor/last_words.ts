/** Error handling of a crashing executor, so that other containers do not wait for it forever. */
import { PATH } from "@tiphys/base/constants";
import { formatMarker, parseMarker } from "@tiphys/base/watch";
import { describeError, messageOf, toExecutorError, writeTerminationMessage } from "./failure.ts";
import { at, type World } from "./world.ts";

/** The maximum number of bytes of a marker to read. A READY marker is shorter. */
const MAX_MARKER_BYTES = 4096;

/**
 * Logs the error and writes the termination message. The supervisor also writes the marker FAILED unless it has written
 * READY, so that main stops waiting.
 */
export function reportCrash(world: World, error: unknown, isSupervisor: boolean): void {
  const failure = toExecutorError(isSupervisor ? "inputs" : "command", error);
  writeTerminationMessage(world, messageOf(failure));
  world.log(failure.message);
  if (isSupervisor && !isReady(world)) writeFailedMarker(world, failure.message);
}

function isReady(world: World): boolean {
  try {
    return parseMarker(world.files.tail(at(world, PATH.status), MAX_MARKER_BYTES)?.text ?? "").kind === "READY";
  } catch {
    return false;
  }
}

function writeFailedMarker(world: World, message: string): void {
  try {
    world.files.write(at(world, PATH.status), formatMarker({ kind: "FAILED", message }));
  } catch (error) {
    world.log(`failed to write ${PATH.status}: ${describeError(error)}`);
  }
}
