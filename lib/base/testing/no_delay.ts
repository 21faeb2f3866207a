/**
 * Checks whether sockets of this process have TCP_NODELAY. Without it, Nagle's algorithm holds a small packet back
 * until the other side has acknowledged the previous one, which may take 40 ms.
 */

const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
/** The length of a socket address of either version of IP. */
const ADDRESS_BYTES = 28;

/** Whether this machine supports the check, which calls glibc. */
export const CAN_READ_NO_DELAY = Deno.build.os === "linux" && Deno.build.target.endsWith("-gnu");

/** Whether the socket with these ports has TCP_NODELAY; undefined without such a socket. */
export function hasNoDelay(port: number, otherPort: number): boolean | undefined {
  const libc = Deno.dlopen("libc.so.6", {
    getsockname: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
    getpeername: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
    getsockopt: { parameters: ["i32", "i32", "i32", "buffer", "buffer"], result: "i32" },
  });
  const { getsockname, getpeername, getsockopt } = libc.symbols;
  const portOf = (call: typeof getsockname, descriptor: number): number | undefined => {
    const address = new Uint8Array(ADDRESS_BYTES);
    const length = Uint32Array.of(ADDRESS_BYTES);
    if (call(descriptor, address, length) !== 0) return undefined;
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
