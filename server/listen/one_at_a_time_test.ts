/** Tests of pipelined requests. */
import { assert, assertEquals } from "@std/assert";
import { awaitFact } from "../../tests/await_fact.ts";
import { listen } from "./listen.ts";

const get = (path: string, ...headers: readonly string[]) =>
  [`GET ${path} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");

/** A port whose responses wait for a signal, and the state of its requests. */
async function waitingPort() {
  const seen = { begun: 0, now: 0, most: 0, left: 0 };
  const word = Promise.withResolvers<void>();
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    async handler({ url, signal }) {
      seen.begun++;
      seen.most = Math.max(seen.most, ++seen.now);
      signal.addEventListener("abort", () => seen.left++, { once: true });
      if (!url.endsWith("/now")) await word.promise;
      seen.now--;
      return new Response(`[${new URL(url).pathname}]`);
    },
  });
  return { seen, goOn: word.resolve, port: listening.port, [Symbol.asyncDispose]: () => listening.close() };
}

Deno.test("oneAtATime: pipelined requests are answered one after another, in order", async () => {
  await using port = await waitingPort();
  const client = await Deno.connect({ port: port.port });
  const paths = Array.from({ length: 60 }, (_, index) => `/${index}`);
  const requests = paths.map((path) => get(path, ...(path === "/59" ? ["Connection: close"] : [])));
  await client.write(new TextEncoder().encode(requests.join("")));
  await awaitFact("the first request is in progress", () => port.seen.begun === 1, { seconds: 60 });
  port.goOn();
  const text = await new Response(client.readable).text();
  assertEquals([...text.matchAll(/\[(.*?)\]/g)].map(([, path]) => path), paths);
  assertEquals([port.seen.begun, port.seen.most], [60, 1]);
});

Deno.test("oneAtATime: a client with thousands of pipelined requests is disconnected, and others are served", async () => {
  await using port = await waitingPort();
  const client = await Deno.connect({ port: port.port });
  const sent = (async () => {
    let bytes = new TextEncoder().encode(get("/wait").repeat(20_000));
    while (bytes.length > 0) bytes = bytes.subarray(await client.write(bytes));
  })().catch(() => {});
  await awaitFact("no client is pending", () => port.seen.left === port.seen.begun && port.seen.begun > 0, {
    seconds: 60,
  });
  await sent;
  assert(port.seen.most <= 1, `${port.seen.most} at once`);
  const other = await fetch(`http://127.0.0.1:${port.port}/now`);
  assertEquals(await other.text(), "[/now]");
  port.goOn();
  client.close();
});
