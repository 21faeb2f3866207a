/** What a broken executor still says: nobody must wait for it in vain (spec/pods 8.11). */
import { PATH } from "../lib/constants.ts";
import { parseMarker, writeMarkerSync } from "../lib/watch/mod.ts";
import { describe, failureAt, messageOf, writeTerminationMessage } from "./failure.ts";
import { at, type World } from "./world.ts";

/** Says why this process ends, at once; and, where others wait for its marker, that they need not. */
export function lastWords(world: World, error: unknown, isSupervisor: boolean): void {
  const failure = failureAt(isSupervisor ? "inputs" : "command", error);
  writeTerminationMessage(world, messageOf(failure));
  world.log(failure.message);
  if (isSupervisor && !isReady(world)) sayFailed(world, failure.message);
}

function isReady(world: World): boolean {
  try {
    return parseMarker(Deno.readTextFileSync(at(world, PATH.status))).kind === "READY";
  } catch {
    return false;
  }
}

function sayFailed(world: World, message: string): void {
  try {
    writeMarkerSync(at(world, PATH.status), { kind: "FAILED", message });
  } catch (error) {
    world.log(`failed to write ${PATH.status}: ${describe(error)}`);
  }
}
