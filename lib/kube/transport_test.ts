import { assert, assertEquals, assertRejects } from "@std/assert";
import { KubeError } from "./errors.ts";
import { httpTransport } from "./transport.ts";

/**
 * A server on loopback that responds to the requests of a connection in order, and disconnects when it has no response.
 */
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

Deno.test("transport: a write is sent once, even if a reused connection dies before the response", async () => {
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

Deno.test("transport: after a 401 the credentials are read once more and the request is repeated with its body", async () => {
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

Deno.test("transport: an unreachable server is an error that names it, without its password", async () => {
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

Deno.test("transport: a server that closes the connection during the TLS handshake is an error in plain words", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const closing = listener.accept().then(async (connection) => {
    await connection.read(new Uint8Array(4096));
    connection.close();
  });
  const transport = httpTransport({ server: `https://127.0.0.1:${port}` });
  const error = await assertRejects(() => transport.fetch("/api", { method: "POST", body: "{}" }), KubeError);
  assertEquals(error.message, `Could not POST https://127.0.0.1:${port}/api: the server closed the connection`);
  await closing;
  listener.close();
  transport.close();
});

/** A server on loopback that responds with the request. */
function echo(answer: (url: URL, request: Request) => Response | undefined = () => undefined) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const url = new URL(request.url);
    const { host, authorization, accept } = Object.fromEntries(request.headers);
    const told = { path: url.pathname + url.search, host, authorization, accept, body: await request.text() };
    return answer(url, request) ?? Response.json(told);
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() };
}

Deno.test("transport: a request keeps the path before /api, its headers, and its query", async () => {
  const server = echo();
  const transport = httpTransport({
    server: `${server.url}/k8s/clusters/c-1/`,
    credentials: () => Promise.resolve({ headers: { Authorization: "Bearer ours" } }),
  });
  const headers = { accept: "application/json", authorization: "Bearer theirs" };
  const answer = await transport.fetch("/api/v1/pods?labelSelector=a%3Db", { headers });
  assertEquals(await answer.json(), {
    path: "/k8s/clusters/c-1/api/v1/pods?labelSelector=a%3Db",
    host: new URL(server.url).host,
    authorization: "Bearer ours",
    accept: "application/json",
    body: "",
  });
  const odd = await transport.fetch("/api/v1/ö b/../x");
  assertEquals((await odd.json() as { path: string }).path, "/k8s/clusters/c-1/api/v1/x");
  transport.close();
  await server.close();
});

Deno.test("transport: a GET follows a redirect, a write does not", async () => {
  const server = echo((url) =>
    url.pathname === "/old" ? new Response(null, { status: 307, headers: { location: "/new" } }) : undefined
  );
  const transport = httpTransport({ server: server.url });
  assertEquals((await (await transport.fetch("/old")).json() as { path: string }).path, "/new");
  const write = await transport.fetch("/old", { method: "POST", body: "content" });
  assertEquals(write.status, 307);
  transport.close();
  await server.close();
});

Deno.test("transport: a proxy of the kubeconfig is used instead of the server", async () => {
  const proxy = echo();
  const transport = httpTransport({ server: "http://kubernetes.example", proxy: proxy.url });
  const answer = await (await transport.fetch("/api", { method: "POST", body: "content" })).json();
  const { path, host, body } = answer as Record<string, string>;
  assertEquals({ path, host, body }, { path: "/api", host: "kubernetes.example", body: "content" });
  transport.close();
  await proxy.close();
});
