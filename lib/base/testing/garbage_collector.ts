/** Access to the garbage collector, for tests of memory leaks. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns a function that collects all garbage of this thread. */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
