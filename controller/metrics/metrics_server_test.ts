import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { exposition, EXPOSITION_TYPE } from "@tiphys/base/metrics";
import { silentLog } from "@tiphys/base/log";
import { ownCertificate } from "@tiphys/base/x509";
import { metricsAsSet, serveMetrics } from "./metrics_server.ts";

Deno.test("metrics: are served under their path, with TLS if it is configured", async () => {
  const registry = metricsAsSet({}, silentLog);
  for (const tls of [undefined, ownCertificate("workflow-controller", new Date())]) {
    const server = serveMetrics(registry, { port: 0, path: "/metrics", hostname: "127.0.0.1", ...(tls && { tls }) });
    using client = Deno.createHttpClient({ caCerts: tls ? [tls.cert] : [] });
    const origin = `${tls ? "https://localhost" : "http://127.0.0.1"}:${server.addr.port}`;
    const answer = await fetch(`${origin}/metrics`, { client });
    assertEquals([answer.status, answer.headers.get("content-type")], [200, EXPOSITION_TYPE]);
    assertStringIncludes(await answer.text(), "\nargo_workflows_is_leader 0\n");
    for (const [path, method, status] of [["/", "GET", 404], ["/metrics", "POST", 405]] as const) {
      const refused = await fetch(origin + path, { method, client });
      assertEquals(refused.status, status);
      await refused.body?.cancel();
    }
    await server.shutdown();
  }
});

Deno.test("metrics: a page contains all changes that were in progress when it was requested", async () => {
  const registry = metricsAsSet({}, silentLog);
  const server = serveMetrics(registry, { port: 0, path: "/metrics", hostname: "127.0.0.1" });
  const change = registry.beginChange();
  const asked = Promise.withResolvers<void>();
  const { whenRecorded } = registry;
  registry.whenRecorded = async () => {
    asked.resolve();
    await whenRecorded.call(registry);
  };
  const page = fetch(`http://127.0.0.1:${server.addr.port}/metrics`).then((answer) => answer.text());
  await asked.promise;
  registry.builtIn("is_leader").set({}, 1);
  change[Symbol.dispose]();
  assertStringIncludes(await page, "\nargo_workflows_is_leader 1\n");
  await server.shutdown();
});

Deno.test("metrics: a large page is streamed completely", async () => {
  const registry = metricsAsSet({ modifiers: {} }, silentLog);
  for (let index = 0; index < 5000; index++) {
    registry.record({ name: "c", help: "h", type: "counter", labels: { at: `${index}` }, value: index });
  }
  const server = serveMetrics(registry, { port: 0, path: "/metrics", hostname: "127.0.0.1" });
  const text = await (await fetch(`http://127.0.0.1:${server.addr.port}/metrics`)).text();
  await server.shutdown();
  assertEquals(text.match(/^argo_workflows_c\{/gm)?.length, 5000);
  assert(text.endsWith("\n"));
});

Deno.test("metrics: the buckets of passes have the configured number and last limit, in equal steps", () => {
  const registry = metricsAsSet({}, silentLog, { count: 4, lastMillis: 2000 });
  registry.builtIn("operation_duration_seconds").observe({}, 1.2);
  const lines = [...exposition(registry.instruments(), "")];
  assertEquals(lines.join("").match(/^operation_duration_seconds_bucket.*$/gm), [
    'operation_duration_seconds_bucket{le="0.5"} 0',
    'operation_duration_seconds_bucket{le="1"} 0',
    'operation_duration_seconds_bucket{le="1.5"} 1',
    'operation_duration_seconds_bucket{le="2"} 1',
    'operation_duration_seconds_bucket{le="+Inf"} 1',
  ]);
});

Deno.test("metrics: with ignoreErrors a gauge that cannot be read is omitted, and without it the scrape fails", async () => {
  const registry = metricsAsSet({}, silentLog);
  registry.builtIn("gauge").addReader(() => {
    throw new Error("out of reach");
  });
  const pages: string[] = [];
  for (const ignoreErrors of [true, false]) {
    const server = serveMetrics(registry, { port: 0, path: "/metrics", hostname: "127.0.0.1", ignoreErrors });
    const page = fetch(`http://127.0.0.1:${server.addr.port}/metrics`).then((answer) => answer.text());
    pages.push(await page.catch(() => "broken off"));
    await server.shutdown();
  }
  assertEquals(pages[0]?.includes("argo_workflows_gauge{"), false);
  assertStringIncludes(pages[0]!, "\nargo_workflows_is_leader 0\n");
  assertStringIncludes(pages[0]!, "\nargo_workflows_version{");
  assertEquals(pages[1], "broken off");
});
