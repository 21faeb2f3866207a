import { assertEquals, assertRejects } from "@std/assert";
import { garbageCollector } from "../testing/garbage_collector.ts";
import { abortableFetch } from "./abortable_fetch.ts";

const collectGarbage = garbageCollector();

/** Starts a server whose responses begin and never end. */
function serveWithoutEnd() {
  const begun = () =>
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("begun")) });
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => new Response(begun()));
}

Deno.test("abortableFetch: aborting the signal ends the body, also after a garbage collection", async () => {
  await using server = serveWithoutEnd();
  const url = `http://127.0.0.1:${server.addr.port}/there`;
  const left = new AbortController();
  const open = async () => {
    const response = await abortableFetch(url, { signal: left.signal });
    assertEquals([response.status, response.url], [200, url]);
    return response.body!.getReader();
  };
  const reader = await open();
  assertEquals(new TextDecoder().decode((await reader.read()).value), "begun");
  const read = reader.read();
  // Unreferenced objects are collected in a later turn of the event loop.
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  left.abort(new Error("left"));
  await assertRejects(() => read, Error, "left");
});

Deno.test("abortableFetch: returns the response unchanged without a signal", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(null, { status: 204, headers: { "x-kept": "yes" } }),
  );
  const url = `http://127.0.0.1:${server.addr.port}/`;
  for (const init of [{}, { signal: new AbortController().signal }]) {
    const { status, headers, body } = await abortableFetch(url, init);
    assertEquals([status, headers.get("x-kept"), body], [204, "yes", null]);
  }
});
