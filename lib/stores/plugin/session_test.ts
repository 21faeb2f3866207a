import { createServer } from "node:http2";
import { setImmediate } from "node:timers";
import { assertEquals } from "@std/assert";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { PluginSession } from "./session.ts";

// Node closes sockets one turn after the test has ended.
const options = { sanitizeResources: false, sanitizeOps: false };

Deno.test("PluginSession: concurrent requests on an ended connection share one new connection", options, async () => {
  const path = await Deno.makeTempDir();
  const server = createServer((_, response) => response.end());
  let connections = 0;
  server.on("session", (session) => {
    deferSessionEnd(session);
    connections++;
  });
  await new Promise<void>((resolve) => void server.listen({ path: `${path}/socket` }, resolve));
  const session = new PluginSession(`${path}/socket`);
  const ask = async () => {
    const stream = await session.request("GET", "/", {}, {});
    const connection = stream.session!;
    await new Promise((resolve, reject) => stream.once("error", reject).once("end", resolve).resume());
    return connection;
  };
  try {
    const connection = await ask();
    connection.destroy();
    // The session is destroyed now, and emits `close` one turn later.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    await Promise.all([ask(), ask(), ask()]);
    assertEquals(connections, 2);
  } finally {
    session.close();
    server.close();
    await Deno.remove(path, { recursive: true });
  }
});
