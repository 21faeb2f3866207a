/** A socket of Node's as what reads and writes when it is asked to. */
import type { Carrier } from "./wire.ts";

type Socket = import("node:net").Socket;

/** A socket as a carrier, over which one can also say that one says no more. */
export interface SocketCarrier extends Carrier {
  /** Says so to the other side, which can tell it from a connection that broke; resolves when it is said, or nobody hears. */
  closeWrite(): Promise<void>;
}

/** Reads and writes by a socket; its errors are those of the next read or write. */
export function socketCarrier(socket: Socket): SocketCarrier {
  let rest: Uint8Array | undefined;
  let failure: Error | undefined;
  /** The other side says no more. */
  let ended = false;
  /** Nothing can be said to the other side any more. */
  let closed = false;
  let wake = () => {};
  socket.on("error", (error: Error) => (failure = error, wake()));
  socket.on("end", () => (ended = true, wake()));
  socket.on("close", () => (ended = closed = true, wake()));
  socket.on("readable", () => wake());
  return {
    async read(into) {
      while (rest === undefined) {
        const chunk = socket.read() as Uint8Array | null;
        if (chunk !== null) rest = chunk;
        else if (failure) throw failure;
        else if (ended) return null;
        else await new Promise<void>((resolve) => wake = resolve);
      }
      const part = rest.subarray(0, into.length);
      into.set(part);
      rest = part.length < rest.length ? rest.subarray(part.length) : undefined;
      return part.length;
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        if (failure || closed) return reject(failure ?? new Deno.errors.BrokenPipe("broken pipe"));
        const gone = () => reject(failure ?? new Deno.errors.BrokenPipe("broken pipe"));
        socket.once("close", gone);
        socket.write(bytes, (error) => {
          socket.removeListener("close", gone);
          error ? reject(error) : resolve(bytes.length);
        });
      }),
    closeWrite: () =>
      new Promise((resolve) => {
        if (closed) return resolve();
        socket.once("close", () => resolve());
        socket.end(() => resolve());
      }),
    close: () => void socket.destroy(),
  };
}
