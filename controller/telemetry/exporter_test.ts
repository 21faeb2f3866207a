import { assertEquals } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { MetricRegistry } from "@tiphys/base/metrics";
import { silentLog } from "@tiphys/base/log";
import { Telemetry } from "./exporter.ts";
import { telemetryTargets } from "./targets.ts";
import { spansOf } from "./workflow_trace.ts";

const targetsOf = (variables: Record<string, string>) => telemetryTargets((name) => variables[name]);

/** A metric in OTLP's JSON, with the fields that these tests read. */
interface MetricJson {
  readonly name: string;
  readonly sum: { readonly dataPoints: readonly [{ readonly asDouble: number }] };
  readonly histogram: {
    readonly dataPoints: readonly [
      { readonly bucketCounts: readonly string[]; readonly explicitBounds: readonly number[]; readonly count: string },
    ];
  };
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code: number; readonly message?: string };
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

interface ExportRequest {
  readonly resourceMetrics: readonly [
    { readonly scopeMetrics: readonly [{ readonly metrics: readonly MetricJson[] }] },
  ];
  readonly resourceSpans: readonly [{ readonly scopeSpans: readonly [{ readonly spans: readonly ExportedSpan[] }] }];
}

/** A request that the collector received. */
interface CollectorRequest {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: ExportRequest;
}

/** The value of the metric `total_count`. */
function totalOf(metrics: readonly MetricJson[]): number | undefined {
  return metrics.find(({ name }) => name === "total_count")?.sum.dataPoints[0].asDouble;
}

Deno.test("telemetry: a collector receives the metrics and the trace of a finished workflow, with the configured headers", async () => {
  const received: CollectorRequest[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname: path } = new URL(request.url);
    received.push({ path, authorization: request.headers.get("authorization"), body: await request.json() });
    return Response.json({});
  });
  const registry = new MetricRegistry({ now: () => 0 });
  registry.builtIn("total_count").add({ phase: "Running", namespace: "n" }, 3);
  for (const value of [0.15, 7, 1000]) registry.builtIn("queue_duration").observe({ queue_name: "q" }, value);
  const telemetry = new Telemetry({
    targets: targetsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=secret",
    }),
    registry,
    log: silentLog,
    version: "v1",
  });
  const [startedAt, finishedAt] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z"];
  telemetry.workflowEnded({
    metadata: { name: "w", namespace: "n", uid: "0123abcd-0000-4000-8000-00000000000f" },
    spec: {},
    status: {
      phase: "Failed",
      message: "no",
      startedAt,
      finishedAt,
      nodes: {
        w: { id: "w", name: "w", type: "Steps", phase: "Failed", startedAt, finishedAt },
        "w-1": { id: "w-1", name: "w.a", type: "Pod", phase: "Failed", boundaryID: "w", startedAt, finishedAt },
        "w-2": { id: "w-2", name: "w.b", type: "Pod", phase: "Pending", boundaryID: "w", startedAt },
      },
    },
  });
  const workflow = { metadata: { uid: "0123abcd-0000-4000-8000-00000000000f" } };
  telemetry.queueWorkSpan({ name: "reconcile_workflow", workflow, began: 1000, ended: 1002 });
  const error = new KubeError('Pod "w-1" is invalid: "hunter2"', { status: 422, reason: "Invalid" });
  telemetry.queueWorkSpan({ name: "create_workflow_pod", workflow, nodeId: "w-1", began: 1002, ended: 1003, error });
  telemetry.queueWorkSpan({ name: "persist_updates", workflow: { metadata: { uid: "no UID" } }, began: 1, ended: 2 });
  telemetry.controllerStarted({ began: 100, synced: 200, ended: 300 });
  await telemetry.close();
  await server.shutdown();
  const at = (path: string) => received.find((request) => request.path === path);
  assertEquals(at("/v1/metrics")?.authorization, "secret");
  const { metrics } = at("/v1/metrics")!.body.resourceMetrics[0].scopeMetrics[0];
  assertEquals(totalOf(metrics), 3);
  const queues = metrics.find(({ name }) => name === "queue_duration");
  const { bucketCounts, explicitBounds, count } = queues!.histogram.dataPoints[0];
  assertEquals([count, explicitBounds.length + 1], ["3", bucketCounts.length]);
  assertEquals(bucketCounts.join(""), "01000010001");
  const { spans } = at("/v1/traces")!.body.resourceSpans[0].scopeSpans[0];
  assertEquals(spans.map((span) => [span.traceId, span.name, span.status.code]), [
    ["0123abcd00004000800000000000000f", "workflow", 2],
    ["0123abcd00004000800000000000000f", "workflow_phase", 1],
    ["0123abcd00004000800000000000000f", "node", 2],
    ["0123abcd00004000800000000000000f", "node", 2],
    ["0123abcd00004000800000000000000f", "reconcile_workflow", 1],
    ["0123abcd00004000800000000000000f", "create_workflow_pod", 2],
    [spans[6]?.traceId, "startup_controller", 1],
    [spans[6]?.traceId, "startup_cache_sync", 1],
  ]);
  assertEquals(spans[5]?.status.message, "invalid: 422 Invalid");
  assertEquals(spans[4]?.parentSpanId, spans[0]?.spanId);
  assertEquals(spans[5]?.parentSpanId, spans[3]?.spanId);
  assertEquals([spans[6]?.parentSpanId, spans[7]?.parentSpanId], [undefined, spans[6]?.spanId]);
  assertEquals(spans[4]?.endTimeUnixNano, "1002000000");
  assertEquals(spans[3]?.parentSpanId, spans[2]?.spanId);
  assertEquals(spans[2]?.parentSpanId, spans[0]?.spanId);
  assertEquals(spans[0]?.endTimeUnixNano, "1767225605000000000");
});

Deno.test("telemetry: a trace contains no message of the status, because it can quote what the API server refused", async () => {
  const bodies: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    bodies.push(await request.text());
    return Response.json({});
  });
  const targets = targetsOf({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${server.addr.port}/`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  const telemetry = new Telemetry({
    targets,
    registry: new MetricRegistry({ now: () => 0 }),
    log: silentLog,
    version: "v1",
  });
  const message = 'Pod "w-1" is invalid: spec.containers[0].env[0].value: Invalid value: "hunter2"';
  const ended = { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:05Z", message };
  telemetry.workflowEnded({
    metadata: { name: "w", namespace: "n", uid: "0123abcd-0000-4000-8000-00000000000f" },
    spec: {},
    status: {
      phase: "Error",
      ...ended,
      nodes: {
        w: { id: "w", name: "w", type: "Pod", phase: "Error", ...ended },
        x: {
          id: "x",
          name: "x",
          type: "Pod",
          phase: "Failed",
          ...ended,
          outputs: { exitCode: "3", result: "hunter2" },
        },
      },
    },
  });
  await telemetry.close();
  await server.shutdown();
  const [{ scopeSpans: [{ spans }] }] = (JSON.parse(bodies[0]!) as ExportRequest).resourceSpans;
  assertEquals(spans.map(({ status }) => status), [
    { code: 2, message: "Error" },
    { code: 1 },
    { code: 2, message: "Error" },
    { code: 2, message: "Failed" },
  ]);
  const codes = spans.flatMap(({ attributes }) => attributes.filter(({ key }) => key === "exitCode"));
  assertEquals(codes, [{ key: "exitCode", value: { stringValue: "3" } }]);
  assertEquals(bodies.join().includes("hunter2"), false);
});

Deno.test("telemetry: a trace has spans for the phases Pending, until the start, and Running, until the end", () => {
  const uid = "0123abcd-0000-4000-8000-00000000000f";
  const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
  const phases = (created: number) =>
    spansOf({
      metadata: { name: "w", namespace: "n", uid, creationTimestamp: at(created) },
      spec: {},
      status: { phase: "Succeeded", startedAt: at(4), finishedAt: at(9) },
    }).filter(({ name }) => name === "workflow_phase").map((span) => [
      ...span.attributes.map(({ value }) => value.stringValue),
      (Number(span.endTimeUnixNano) - Number(span.startTimeUnixNano)) / 1e9,
    ]);
  assertEquals(phases(1), [["Pending", 3], ["Running", 5]]);
  assertEquals(phases(4), [["Running", 5]]);
});

Deno.test("telemetry: with temporality Delta only changes are exported", async () => {
  const sums: (number | undefined)[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }: ExportRequest = await request.json();
    sums.push(totalOf(metrics));
    return Response.json({});
  });
  const registry = new MetricRegistry({ now: () => 0 });
  const count = () => registry.builtIn("total_count").add({ phase: "Running", namespace: "n" }, 2);
  count();
  const targets = targetsOf({
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${server.addr.port}/`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  const telemetry = new Telemetry({ targets, registry, temporality: "Delta", log: silentLog, version: "v1" });
  await telemetry.close();
  count();
  await telemetry.close();
  await server.shutdown();
  assertEquals(sums, [2, 2]);
});
