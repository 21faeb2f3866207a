/**
 * A thousand clients that watch one workflow and read nothing: memory stays bounded, and they are disconnected in time.
 */
import { connect as connectHttp2 } from "node:http2";
import { assert, assertEquals } from "@std/assert";
import { deferSessionEnd } from "@tiphys/base/net/session_end";
import { WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../tests/await_fact.ts";
import { objectOf } from "../gate/testing/matrix.ts";
import { listen } from "../listen/listen.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";

/** Streams over two HTTP/2 sessions, and HTTP/1.1 connections; half of each receive lines, the others events. */
const [STREAMS, CONNECTIONS] = [960, 40];
const STALL_MILLIS = 3_000;
/** Changes of a workflow of 50 kB: 10 MB for each watcher, and 10 GB in all if everything were kept. */
const CHANGES = 200;
const FILLING = "x".repeat(50_000);
/** Includes the memory of the clients, which run in this process. */
const MAX_BYTES = 2 ** 30;
const PATH = `/api/v1/workflow-events/${NAMESPACE}?listOptions.fieldSelector=metadata.name%3Dseen`;
const ACCEPT = ["application/json", "text/event-stream"];

Deno.test("watch: a thousand clients that do not read use bounded memory, do not delay others, and are disconnected", async () => {
  await using bench = await serverBench(["server"]);
  await bench.admin.create(WORKFLOWS, NAMESPACE, objectOf("Workflow", "seen"));
  let [requests, left] = [0, 0];
  const listening = await listen({
    hostname: "127.0.0.1",
    port: 0,
    stallMillis: STALL_MILLIS,
    handler(request, peer) {
      if (request.url.includes("/workflow-events/")) {
        requests++;
        request.signal.addEventListener("abort", () => left++, { once: true });
      }
      return bench.handler(request, peer);
    },
  });
  const sessions = [1, 2].map(() => deferSessionEnd(connectHttp2(`http://127.0.0.1:${listening.port}`)));
  for (let index = 0; index < STREAMS; index++) {
    sessions[index % 2]!.request({ ":path": PATH, accept: ACCEPT[(index >> 1) % 2]! }).on("error", () => {});
  }
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, async (_, index) => {
    const client = await Deno.connect({ port: listening.port });
    await client.write(
      new TextEncoder().encode(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nAccept: ${ACCEPT[index % 2]}\r\n\r\n`),
    );
    return client;
  }));
  await awaitFact("all clients watch", () => Promise.resolve(requests === STREAMS + CONNECTIONS), { seconds: 60 });
  const before = Deno.memoryUsage().rss;
  let max = 0;
  for (let change = 0; change < CHANGES; change++) {
    await bench.admin.patch(WORKFLOWS, NAMESPACE, "seen", { metadata: { annotations: { filling: change + FILLING } } });
    max = Math.max(max, Deno.memoryUsage().rss - before);
  }
  const response = await fetch(`http://127.0.0.1:${listening.port}/api/v1/workflows/${NAMESPACE}`);
  assertEquals((await response.json()).items.length, 1);
  await awaitFact("all clients are disconnected", () => Promise.resolve(left === requests), { seconds: 60 });
  assert(max < MAX_BYTES, `${max} bytes more were held`);
  for (const session of sessions) session.destroy();
  for (const client of connections) client.close();
  await listening.close();
});
