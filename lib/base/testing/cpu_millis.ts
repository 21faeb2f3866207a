/** CPU time, for tests of how much work something takes. */
import process from "node:process";

/**
 * Returns the CPU time of this thread in milliseconds. Unlike elapsed time, it does not count the work of other
 * programs.
 */
export function cpuMillis(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
