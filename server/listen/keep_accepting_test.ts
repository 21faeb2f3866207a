/** Tests of the probe. */
import { assertEquals } from "@std/assert";
import { EventEmitter } from "node:events";
import { keepAccepting } from "./keep_accepting.ts";

/** A server whose connections are accepted on demand. It counts how often it was reopened. */
class ScriptedServer extends EventEmitter {
  reopened = 0;
  close() {
    this.reopened++;
  }
  listen() {}
}

Deno.test("keepAccepting: a single late connection does not reopen the port", async () => {
  const server = new ScriptedServer();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { hostname, port } = listener.addr;
  const stop = keepAccepting({ server: server as never, hostname, port, tryMillis: 1, arrivalMillis: 200 });
  for (let tries = 1; tries <= 3; tries++) {
    using connection = await listener.accept();
    if (tries > 1) server.emit("connection", { remotePort: connection.remoteAddr.port });
    if (tries === 3) stop();
    // The client disconnects after it was accepted, or after its timeout.
    while (await connection.read(new Uint8Array(1)).catch(() => null) !== null);
  }
  assertEquals(server.reopened, 0);
});

Deno.test("keepAccepting: two unaccepted connections reopen the port", async () => {
  const server = new ScriptedServer();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { hostname, port } = listener.addr;
  const anew = Promise.withResolvers<void>();
  const stop = keepAccepting({ server: server as never, hostname, port, tryMillis: 1, arrivalMillis: 10 });
  server.listen = () => {
    stop();
    anew.resolve();
  };
  await anew.promise;
  assertEquals(server.reopened, 1);
});

Deno.test("keepAccepting: a full server that closes new connections is not reopened", async () => {
  const server = new ScriptedServer();
  // A closed socket no longer has a remote port.
  server.on("connection", (socket: { remotePort: number | undefined }) => socket.remotePort = undefined);
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { hostname, port } = listener.addr;
  const stop = keepAccepting({ server: server as never, hostname, port, tryMillis: 1, arrivalMillis: 60_000 });
  for (let tries = 1; tries <= 3; tries++) {
    using connection = await listener.accept();
    if (tries === 3) stop();
    server.emit("connection", { remotePort: connection.remoteAddr.port });
    while (await connection.read(new Uint8Array(1)).catch(() => null) !== null);
  }
  assertEquals(server.reopened, 0);
});
