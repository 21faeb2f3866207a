import { assertEquals } from "@std/assert";
import type { Reason } from "@tiphys/engine/explain";
import { Health } from "./health.ts";
import { serveHealth } from "./health_server.ts";

Deno.test("/healthz answers for this process, and says for what the controller waits", async () => {
  const health = new Health();
  const server = serveHealth(health, 0, "127.0.0.1");
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.addr.port}${path}`);
    return [answer.status, await answer.text()];
  };
  assertEquals(await ask("/healthz"), [200, "ok\n"]);
  health.isHeld("parallelism: no number");
  assertEquals(await ask("/healthz"), [
    200,
    "ok, but no workflow is worked until the settings are mended: parallelism: no number\n",
  ]);
  assertEquals((await ask("/metrics"))[0], 404);
  await server.shutdown();
});

Deno.test("/debug/why tells as JSON why a workflow waits, as the controller at work knows it", async () => {
  const health = new Health();
  const server = serveHealth(health, 0, "127.0.0.1");
  const ask = (key: string) => fetch(`http://127.0.0.1:${server.addr.port}/debug/why?workflow=${key}`);
  const idle = await ask("ns/w");
  assertEquals([idle.status, await idle.text()], [
    404,
    'no workflow "ns/w" is worked here: ?workflow=NAMESPACE/NAME\n',
  ]);
  const reason: Reason = { code: "Suspended", text: "suspended", blocks: [], unblock: "tiphys resume w" };
  const why = (key: string) => Promise.resolve(key === "ns/w" ? [reason] : undefined);
  health.watch({ queueDepth: 0, stalledMillis: 0, why });
  assertEquals(await (await ask("ns/w")).json(), [reason]);
  const other = await ask("ns/other");
  assertEquals(other.status, 404);
  await other.body?.cancel();
  await server.shutdown();
});

Deno.test("a controller is sick when passes wait and none ends for a minute, and well again with the next that ends", () => {
  const health = new Health();
  const controller = { queueDepth: 7, stalledMillis: 60_000, why: () => Promise.resolve(undefined) };
  health.watch(controller);
  assertEquals(health.answer.status, 200);
  controller.stalledMillis = 61_000;
  assertEquals(health.answer, { status: 500, text: "no pass has come to its end for 61 s, and 7 wait\n" });
  controller.stalledMillis = 0;
  controller.queueDepth = 100_000;
  assertEquals(health.answer.status, 200);
});

Deno.test("a thread that was held up for more than five seconds is sick for as long as that counts", () => {
  let now = 0;
  const health = new Health(() => now);
  const measureAfter = (millis: number) => {
    now += millis;
    health.measure();
    return health.answer.status;
  };
  assertEquals([1000, 1400, 5900].map(measureAfter), [200, 200, 200]);
  assertEquals(measureAfter(7000), 500);
  const later = Array.from({ length: 10 }, () => measureAfter(1000));
  assertEquals([later[8], later[9]], [500, 200]);
});
