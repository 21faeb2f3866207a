/** Tests of connections with slow or invalid peers. */
import { assertEquals, assertRejects } from "@std/assert";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { NameNodeError, readAnswer } from "./rpc_frames.ts";
import { message, prefixVarintLength } from "./rpc_messages.ts";
import { type Conn, Wire } from "./wire.ts";

/** A connection that provides these bytes. Each read waits until `nextRead` resolves. */
function wireOf(bytes: Uint8Array, nextRead: () => Promise<void> = () => Promise.resolve()): Wire {
  let rest = bytes;
  const conn: Conn = {
    async read(into) {
      await nextRead();
      const taken = rest.subarray(0, into.length);
      into.set(taken);
      rest = rest.subarray(taken.length);
      return taken.length || null;
    },
    write: (written) => Promise.resolve(written.length),
    close() {},
  };
  return Wire.wrap(conn, { what: "hdfs: a node" });
}

Deno.test("wire: an exception named like a property of Object.prototype is unknown", async () => {
  const body = prefixVarintLength(message([[1, 1], [2, 1], [4, "constructor"]]));
  using wire = wireOf(joinedBytes([Uint8Array.of(0, 0, 0, body.length), body]));
  const error = await assertRejects(() => readAnswer(wire, { id: 1, what: "hdfs: asking" }), NameNodeError);
  assertEquals(error.kind, "final");
});

Deno.test("wire: a connection over another one has no timeout, because a sealed piece may take longer", async () => {
  const { setTimeout: real } = globalThis;
  // All timeouts expire at once.
  globalThis.setTimeout = ((act: () => void) => real(act, 0)) as typeof setTimeout;
  try {
    using wire = wireOf(Uint8Array.of(7), () => new Promise((resolve) => real(resolve, 20)));
    assertEquals([await wire.read(1), wire.isOpen], [Uint8Array.of(7), true]);
  } finally {
    globalThis.setTimeout = real;
  }
});
