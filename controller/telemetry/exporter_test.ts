import { assertEquals, assertThrows } from "@std/assert";
import { MetricRegistry } from "../../lib/metrics/mod.ts";
import { silentLog } from "../../lib/log.ts";
import { Telemetry, telemetryTargets } from "./exporter.ts";

const targetsOf = (variables: Record<string, string>) => telemetryTargets((name) => variables[name]);

Deno.test("telemetry goes where OpenTelemetry's variables say, and nowhere without them", () => {
  assertEquals(targetsOf({}), { headers: {}, serviceName: "workflows-controller", intervalMillis: 60_000 });
  const both = targetsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://tempo/own",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, b=c=d",
  });
  assertEquals([both.metrics, both.traces, both.headers], [
    "http://collector:4318/v1/metrics",
    "http://tempo/own",
    { authorization: "Bearer x", b: "c=d" },
  ]);
  assertThrows(
    () => targetsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }),
    Error,
    "OTEL_EXPORTER_OTLP_ENDPOINT",
  );
});

Deno.test("a setting that asks for gRPC, or names its port, is answered by a warning that HTTP is spoken; others are not", () => {
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
  const spoken = "metrics and traces are sent over HTTP in JSON: name the collector's port of HTTP, usually 4318";
  assertEquals(targetsOf(base).warning, undefined);
  assertEquals(targetsOf({ ...base, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }).warning, undefined);
  assertEquals(
    targetsOf({ ...base, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }).warning,
    `OTEL_EXPORTER_OTLP_PROTOCOL is grpc; ${spoken}`,
  );
  assertEquals(
    targetsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4317" }).warning,
    `port 4317 is that of gRPC; ${spoken}`,
  );
  assertEquals(targetsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }).warning, undefined);
});

/** A metric of OTLP's JSON, as far as these tests read it. */
interface ToldMetric {
  readonly name: string;
  readonly sum: { readonly dataPoints: readonly [{ readonly asDouble: number }] };
  readonly histogram: {
    readonly dataPoints: readonly [
      { readonly bucketCounts: readonly string[]; readonly explicitBounds: readonly number[]; readonly count: string },
    ];
  };
}

interface ToldSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code: number };
  readonly endTimeUnixNano: string;
}

interface ToldBody {
  readonly resourceMetrics: readonly [
    { readonly scopeMetrics: readonly [{ readonly metrics: readonly ToldMetric[] }] },
  ];
  readonly resourceSpans: readonly [{ readonly scopeSpans: readonly [{ readonly spans: readonly ToldSpan[] }] }];
}

/** A request that the collector got. */
interface Told {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: ToldBody;
}

/** The value of the metric `total_count`. */
function totalOf(metrics: readonly ToldMetric[]): number | undefined {
  return metrics.find(({ name }) => name === "total_count")?.sum.dataPoints[0].asDouble;
}

Deno.test("a collector gets the metrics and the trace of a workflow that ended, with its headers", async () => {
  const told: Told[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname: path } = new URL(request.url);
    told.push({ path, authorization: request.headers.get("authorization"), body: await request.json() });
    return Response.json({});
  });
  const registry = new MetricRegistry({ now: () => 0 });
  registry.of("total_count").add({ phase: "Running", namespace: "n" }, 3);
  for (const value of [0.15, 7, 1000]) registry.of("queue_duration").observe({ queue_name: "q" }, value);
  const telemetry = new Telemetry({
    targets: targetsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
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
  await telemetry.close();
  await server.shutdown();
  const at = (path: string) => told.find((one) => one.path === path);
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
    ["0123abcd00004000800000000000000f", "node", 2],
    ["0123abcd00004000800000000000000f", "node", 2],
  ]);
  assertEquals(spans[2]?.parentSpanId, spans[1]?.spanId);
  assertEquals(spans[1]?.parentSpanId, spans[0]?.spanId);
  assertEquals(spans[0]?.endTimeUnixNano, "1767225605000000000");
});

Deno.test("changes only are told where the temporality is Delta", async () => {
  const sums: (number | undefined)[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }: ToldBody = await request.json();
    sums.push(totalOf(metrics));
    return Response.json({});
  });
  const registry = new MetricRegistry({ now: () => 0 });
  const count = () => registry.of("total_count").add({ phase: "Running", namespace: "n" }, 2);
  count();
  const targets = targetsOf({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://127.0.0.1:${server.addr.port}/` });
  const telemetry = new Telemetry({ targets, registry, temporality: "Delta", log: silentLog, version: "v1" });
  await telemetry.close();
  count();
  await telemetry.close();
  await server.shutdown();
  assertEquals(sums, [2, 2]);
});
