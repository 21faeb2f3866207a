import { assert, assertEquals, assertRejects } from "@std/assert";
import { KubeError } from "./errors.ts";
import { httpTransport } from "./transport.ts";

/** A server on loopback that answers each request of a connection in turn, and hangs up where there is no answer. */
function rawServer(answer: (count: number) => string | undefined) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let count = 0;
  const done = (async () => {
    for await (const connection of listener) void serve(connection);
  })();

  async function serve(connection: Deno.Conn) {
    const buffer = new Uint8Array(4096);
    let text = "";
    for (;;) {
      const read = await connection.read(buffer).catch(() => null);
      if (read === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, read));
      if (!text.includes("THE END")) continue;
      text = "";
      const reply = answer(++count);
      if (reply === undefined) break;
      await connection.write(new TextEncoder().encode(reply));
    }
    connection.close();
  }

  return {
    url: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    count: () => count,
    async close() {
      listener.close();
      await done;
    },
  };
}

Deno.test("a write is sent once, even when a reused connection dies before the answer", async () => {
  const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
  const server = rawServer((count) => count === 1 ? ok : undefined);
  const transport = httpTransport({ server: server.url });
  const write = () => transport.fetch("/", { method: "POST", body: "THE END" });
  await (await write()).text();
  const error = await assertRejects(write, KubeError);
  assertEquals([error.status, server.count()], [0, 2]);
  transport.close();
  await server.close();
});

Deno.test("after a 401 the credentials are asked for once more and the request is repeated with its body", async () => {
  const seen: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const token = request.headers.get("authorization");
    seen.push(`${token} ${await request.text()}`);
    return new Response(null, { status: token === "Bearer new" ? 200 : 401 });
  });
  const transport = httpTransport({
    server: `http://127.0.0.1:${server.addr.port}`,
    credentials: (rejected) => Promise.resolve({ headers: { authorization: rejected ? "Bearer new" : "Bearer old" } }),
  });
  const response = await transport.fetch("/", { method: "POST", body: "content" });
  assertEquals([response.status, seen], [200, ["Bearer old content", "Bearer new content"]]);
  await response.body?.cancel();
  transport.close();
  await server.shutdown();
});

Deno.test("an unreachable server is an error that names it and no password", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  const transport = httpTransport({ server: `http://user:hunter2@127.0.0.1:${port}` });
  const error = await assertRejects(() => transport.fetch("/api?token=hunter2"), KubeError);
  assertEquals(error.status, 0);
  const everything = `${error.message} ${error.stack} ${Deno.inspect(error)}`;
  assert(error.message.includes(`http://127.0.0.1:${port}/api`), error.message);
  assert(!everything.includes("hunter2"), everything);
  transport.close();
});
