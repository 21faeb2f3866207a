import { assertEquals, assertThrows } from "@std/assert";
import { telemetryTargets } from "./targets.ts";

const targetsOf = (variables: Record<string, string>) => telemetryTargets((name) => variables[name]);

Deno.test("telemetryTargets(): come from OpenTelemetry's variables, and are empty without them", () => {
  assertEquals(targetsOf({}), { resource: {}, intervalMillis: 60_000 });
  const both = targetsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://tempo/own",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, b=c=d",
    OTEL_EXPORTER_OTLP_TIMEOUT: "5000",
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test,service.name=x",
    OTEL_SERVICE_NAME: "own",
  });
  const usual = { headers: { authorization: "Bearer x", b: "c=d" }, gzip: false, timeoutMillis: 5000 };
  assertEquals(both.metrics, { ...usual, protocol: "http/protobuf", url: "http://collector:4318/v1/metrics" });
  assertEquals(both.traces, { ...usual, protocol: "http/json", url: "http://tempo/own", gzip: true });
  assertEquals(both.resource, { "deployment.environment": "test", "service.name": "own" });
});

Deno.test("telemetryTargets(): the protocol defaults to gRPC, except at the port of HTTP", () => {
  const at = (endpoint: string, more: Record<string, string> = {}) => {
    const { protocol, url } = targetsOf({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint, ...more }).metrics!;
    return [protocol, url];
  };
  const method = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
  assertEquals(at("http://collector:4317"), ["grpc", `http://collector:4317${method}`]);
  assertEquals(at("http://collector"), ["grpc", `http://collector${method}`]);
  assertEquals(at("collector:4317"), ["grpc", `https://collector:4317${method}`]);
  assertEquals(at("collector:4317", { OTEL_EXPORTER_OTLP_INSECURE: "true" }), [
    "grpc",
    `http://collector:4317${method}`,
  ]);
  assertEquals(at("http://collector:4318/v1/metrics"), ["http/protobuf", "http://collector:4318/v1/metrics"]);
  assertEquals(at("http://collector:4318", { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }), [
    "grpc",
    `http://collector:4318${method}`,
  ]);
});

Deno.test("telemetryTargets(): a user and a password move from the address to a header", () => {
  const { url, headers } = targetsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://u:p%40ss@collector:4318" }).metrics!;
  assertEquals([url, headers], ["http://collector:4318/v1/metrics", { authorization: `Basic ${btoa("u:p@ss")}` }]);
});

Deno.test("telemetryTargets(): an error names the invalid variable and contains no header", () => {
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4317", OTEL_EXPORTER_OTLP_HEADERS: "a=secret" };
  const wrong: [Record<string, string>, string][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://collector" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "carrier pigeon" }, "OTEL_EXPORTER_OTLP_PROTOCOL"],
    [{ OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "zip" }, "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION"],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: "10s" }, "OTEL_EXPORTER_OTLP_TIMEOUT"],
    [{ OTEL_METRIC_EXPORT_INTERVAL: "0" }, "OTEL_METRIC_EXPORT_INTERVAL"],
  ];
  for (const [variables, name] of wrong) {
    const { message } = assertThrows(() => targetsOf({ ...base, ...variables }), Error, `${name}: expected`);
    assertEquals(message.includes("secret"), false);
  }
});
