/** The number of connections that a port may have without taking the last descriptors of its process. */

/** Half of the descriptors stay for everything else: files, connections to others, programs that are started. */
const SHARE = 1 / 2;

/**
 * The most connections at a time: `most`, or fewer where the process may open few files. `each` is the number of descriptors that
 * one connection takes. Where the system does not say how many there are, it is `most`.
 */
export function connectionRoom(most: number, each: number): number {
  const descriptors = mostDescriptors();
  return descriptors === undefined ? most : Math.max(1, Math.min(most, Math.floor(descriptors * SHARE / each)));
}

function mostDescriptors(): number | undefined {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(Deno.readTextFileSync("/proc/self/limits"))?.[1]);
    return limit > 0 ? limit : undefined;
  } catch {
    return undefined;
  }
}
