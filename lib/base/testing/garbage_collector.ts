/** The collector of garbage, for tests of what is held and what is not. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Gives the function that collects all garbage of this thread at once. */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
