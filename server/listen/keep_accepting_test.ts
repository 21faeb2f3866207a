/** Tests of the port that is looked after: what counts as deaf. */
import { assertEquals } from "@std/assert";
import { EventEmitter } from "node:events";
import { keepAccepting } from "./keep_accepting.ts";

/** A server behind a port whose connections come when a test says so; it counts how often it was listened on anew. */
class ScriptedServer extends EventEmitter {
  again = 0;
  close() {
    this.again++;
  }
  listen() {}
}

Deno.test("a server that was too busy for one connection, and took the next, is not listened on anew", async () => {
  const server = new ScriptedServer();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { hostname, port } = listener.addr;
  const stop = keepAccepting({ server: server as never, hostname, port, tryMillis: 1, comeMillis: 200 });
  for (let tries = 1; tries <= 3; tries++) {
    using connection = await listener.accept();
    if (tries > 1) server.emit("connection", { remotePort: connection.remoteAddr.port });
    if (tries === 3) stop();
    // The client leaves when it has seen that it came, or waited long enough.
    while (await connection.read(new Uint8Array(1)).catch(() => null) !== null);
  }
  assertEquals(server.again, 0);
});

Deno.test("a server that takes no connection, twice in a row, is listened on anew", async () => {
  const server = new ScriptedServer();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { hostname, port } = listener.addr;
  const anew = Promise.withResolvers<void>();
  const stop = keepAccepting({ server: server as never, hostname, port, tryMillis: 1, comeMillis: 10 });
  server.listen = () => {
    stop();
    anew.resolve();
  };
  await anew.promise;
  assertEquals(server.again, 1);
});

Deno.test("a server that is full, and ends each connection more as soon as it comes, is not listened on anew", async () => {
  const server = new ScriptedServer();
  // A socket that was ended has no other side any more.
  server.on("connection", (socket: { remotePort: number | undefined }) => socket.remotePort = undefined);
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { hostname, port } = listener.addr;
  const stop = keepAccepting({ server: server as never, hostname, port, tryMillis: 1, comeMillis: 200 });
  for (let tries = 1; tries <= 3; tries++) {
    using connection = await listener.accept();
    if (tries === 3) stop();
    server.emit("connection", { remotePort: connection.remoteAddr.port });
    while (await connection.read(new Uint8Array(1)).catch(() => null) !== null);
  }
  assertEquals(server.again, 0);
});
