import { assertEquals } from "@std/assert";
import type { Reason } from "@tiphys/engine/explain";
import { Health } from "./health.ts";
import { serveHealth } from "./health_server.ts";

Deno.test("/healthz: responds for this process, and reports why the controller waits", async () => {
  const health = new Health();
  const server = serveHealth(health, 0, "127.0.0.1");
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.addr.port}${path}`);
    return [answer.status, await answer.text()];
  };
  assertEquals(await ask("/healthz"), [200, "ok\n"]);
  health.setPauseReason("parallelism: no number");
  assertEquals(await ask("/healthz"), [
    200,
    "ok, but no workflow is processed until the settings are fixed: parallelism: no number\n",
  ]);
  assertEquals((await ask("/metrics"))[0], 404);
  await server.shutdown();
});

Deno.test("/debug/why: returns as JSON why a workflow waits", async () => {
  const health = new Health();
  const server = serveHealth(health, 0, "127.0.0.1");
  const ask = (key: string) => fetch(`http://127.0.0.1:${server.addr.port}/debug/why?workflow=${key}`);
  const idle = await ask("ns/w");
  assertEquals([idle.status, await idle.text()], [
    404,
    'no workflow "ns/w" is processed here: use ?workflow=NAMESPACE/NAME\n',
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

Deno.test("health: a controller is unhealthy if passes are queued and none ends for a minute, until the next one ends", () => {
  const health = new Health();
  const controller = { queueDepth: 7, stalledMillis: 60_000, why: () => Promise.resolve(undefined) };
  health.watch(controller);
  assertEquals(health.current.status, 200);
  controller.stalledMillis = 61_000;
  assertEquals(health.current, { status: 500, text: "no pass has ended for 61 s, and 7 are queued\n" });
  controller.stalledMillis = 0;
  controller.queueDepth = 100_000;
  assertEquals(health.current.status, 200);
});

Deno.test("health: unhealthy after the event loop was blocked for more than five seconds, until that measurement expires", () => {
  let now = 0;
  const health = new Health(() => now);
  const measureAfter = (millis: number) => {
    now += millis;
    health.measure();
    return health.current.status;
  };
  assertEquals([1000, 1400, 5900].map(measureAfter), [200, 200, 200]);
  assertEquals(measureAfter(7000), 500);
  const later = Array.from({ length: 10 }, () => measureAfter(1000));
  assertEquals([later[8], later[9]], [500, 200]);
});
