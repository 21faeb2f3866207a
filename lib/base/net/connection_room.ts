/** Limits the connections of a port so that the process keeps enough file descriptors. */

/** Half of the descriptors are reserved for files, outgoing connections and child processes. */
const CONNECTION_SHARE = 1 / 2;

/**
 * Returns the maximum number of concurrent connections: `max`, or fewer if the process may open only few files. `each`
 * is the number of descriptors per connection. If the limit of the process is unknown, returns `max`.
 */
export function allowedConnections(max: number, each: number): number {
  const descriptors = maxDescriptors();
  return descriptors === undefined
    ? max
    : Math.max(1, Math.min(max, Math.floor(descriptors * CONNECTION_SHARE / each)));
}

function maxDescriptors(): number | undefined {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(Deno.readTextFileSync("/proc/self/limits"))?.[1]);
    return limit > 0 ? limit : undefined;
  } catch {
    return undefined;
  }
}
