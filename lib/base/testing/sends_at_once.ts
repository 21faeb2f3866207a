/**
 * Sockets of this process, asked whether they send what they are given at once. Nagle's algorithm, where it is left on, keeps a
 * piece back until the other side has acknowledged the one before, which it may do 40 ms later.
 */

const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
/** The length of an address of either version of IP. */
const ADDRESS_BYTES = 28;

/** Whether this machine tells: its options of sockets are asked as glibc has them. */
export const TELLS_WHAT_SENDS_AT_ONCE = Deno.build.os === "linux" && Deno.build.target.endsWith("-gnu");

/** Whether the socket with this port at its own side and that one at the other sends at once; undefined for none. */
export function sendsAtOnce(port: number, otherPort: number): boolean | undefined {
  const libc = Deno.dlopen("libc.so.6", {
    getsockname: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
    getpeername: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
    getsockopt: { parameters: ["i32", "i32", "i32", "buffer", "buffer"], result: "i32" },
  });
  const { getsockname, getpeername, getsockopt } = libc.symbols;
  const portOf = (ask: typeof getsockname, descriptor: number): number | undefined => {
    const address = new Uint8Array(ADDRESS_BYTES);
    const length = Uint32Array.of(ADDRESS_BYTES);
    if (ask(descriptor, address, length) !== 0) return undefined;
    return new DataView(address.buffer).getUint16(2);
  };
  try {
    for (const { name } of Deno.readDirSync("/proc/self/fd")) {
      const descriptor = Number(name);
      if (portOf(getsockname, descriptor) !== port || portOf(getpeername, descriptor) !== otherPort) continue;
      const value = new Int32Array(1);
      if (getsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, value, Uint32Array.of(4)) === 0) return value[0] !== 0;
    }
    return undefined;
  } finally {
    libc.close();
  }
}
