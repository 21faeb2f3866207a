/** Connections as Node streams, for TLS on top of them. */
import type { Carrier } from "./wire.ts";

type DuplexClass = typeof import("node:stream").Duplex;

/** Returns a connection as a Node stream. `Duplex` is passed in, so that only TLS loads Node's streams. */
export function duplexOf(Duplex: DuplexClass, carrier: Carrier & Partial<Pick<Deno.TcpConn, "closeWrite">>) {
  return new Duplex({
    async read() {
      try {
        const into = new Uint8Array(65_536);
        const size = await carrier.read(into);
        this.push(size === null ? null : into.subarray(0, size));
      } catch (error) {
        this.destroy(error as Error);
      }
    },
    async write(chunk: Uint8Array, _encoding, done) {
      try {
        for (let sent = 0; sent < chunk.length;) sent += await carrier.write(chunk.subarray(sent));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    async final(done) {
      try {
        await carrier.closeWrite?.();
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    destroy(error, done) {
      try {
        carrier.close();
      } catch { /* It is closed. */ }
      done(error);
    },
  });
}
