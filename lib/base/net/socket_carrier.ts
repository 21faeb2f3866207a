/** A Node socket as a carrier. */
import type { Carrier } from "./wire.ts";

type Socket = import("node:net").Socket;

/** A socket whose sending side can be closed separately. */
export interface SocketCarrier extends Carrier {
  /**
   * Sends the end of the stream, which the other side can distinguish from a lost connection. Resolves when it is sent
   * or the socket is closed.
   */
  closeWrite(): Promise<void>;
}

/** Returns a carrier over a socket. Errors of the socket reject the next read or write. */
export function socketCarrier(socket: Socket): SocketCarrier {
  let rest: Uint8Array | undefined;
  let failure: Error | undefined;
  /** Whether the other side has ended its stream. */
  let ended = false;
  /** Whether the socket is closed for writing. */
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
