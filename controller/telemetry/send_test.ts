/**
 * Tests of the exported bytes: compared with those of OpenTelemetry's Go library for the same requests
 * (`testdata/made_by_go.json`), and received by an independent gRPC server.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { status } from "@grpc/grpc-js";
import { requestBytes } from "./otlp_messages.ts";
import { type Payload, sendTo } from "./send.ts";
import { telemetryTargets } from "./targets.ts";
import { type Call, collector } from "./testing/collector.ts";

interface GoRequest extends Payload {
  readonly hex: string;
}

const MADE: readonly GoRequest[] = JSON.parse(
  await Deno.readTextFile(new URL("testdata/made_by_go.json", import.meta.url)),
);

for (const { signal, json, hex } of MADE) {
  Deno.test(`telemetry: a request of ${signal} has the same bytes as in OpenTelemetry's Go library`, () => {
    assertEquals(requestBytes(signal, json).toHex(), hex);
  });
}

function targetOf(signal: Payload["signal"], variables: Record<string, string>) {
  const target = telemetryTargets((name) => variables[name])[signal];
  if (!target) throw new Error("no target");
  return target;
}

Deno.test("telemetry: a gRPC collector receives metrics and traces at its methods, with headers, with and without compression", async () => {
  const calls: Call[] = [];
  const { url, close } = await collector(calls);
  for (const [index, made] of MADE.entries()) {
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: "Api-Key=k",
      ...(index % 2 === 0 && { OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" }),
    };
    await sendTo(targetOf(made.signal, variables), made);
  }
  close();
  assertEquals(calls.map(({ hex, key }) => [hex, key]), MADE.map(({ hex }) => [hex, "k"]));
  assertEquals(
    calls.map(({ method }) => method.split("/")[1]?.split(".")[3]),
    MADE.map(({ signal }) => signal === "metrics" ? "metrics" : "trace"),
  );
});

Deno.test("telemetry: an error of gRPC contains the status, but not the message, which may repeat the payload", async () => {
  const { url, close } = await collector([], { code: status.UNAUTHENTICATED, details: "no such key: k" });
  const target = targetOf("metrics", { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: "api-key=k" });
  const { message } = await assertRejects(() => sendTo(target, MADE[0]!), Error);
  assertEquals(message, "the response had gRPC status 16");
  close();
  await assertRejects(() => sendTo(target, MADE[0]!), Error);
});

Deno.test("telemetry: over HTTP the same bytes are sent, compressed if the environment enables it", async () => {
  const got: [string, string | null, string][] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const isZipped = request.headers.get("content-encoding") === "gzip";
    const body = isZipped ? request.body!.pipeThrough(new DecompressionStream("gzip")) : request.body!;
    const { pathname } = new URL(request.url);
    got.push([pathname, request.headers.get("content-type"), (await new Response(body).bytes()).toHex()]);
    return new Response(null);
  });
  const [made] = MADE;
  for (const compression of ["none", "gzip"]) {
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
    };
    await sendTo(targetOf(made!.signal, variables), made!);
  }
  await server.shutdown();
  const expected: [string, string, string] = [`/v1/${made!.signal}`, "application/x-protobuf", made!.hex];
  assertEquals(got, [expected, expected]);
});

Deno.test("telemetry: errors of refused connections and redirects do not contain the key in the query of an address", async () => {
  const nobody = freePort();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => Response.redirect(`http://127.0.0.1:${nobody}/other?api-key=key-of-another`, 307),
  );
  for (const port of [nobody, server.addr.port]) {
    const target = targetOf("traces", {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces?api-key=key-(of)-ours`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    });
    const { message } = await assertRejects(() => sendTo(target, { signal: "traces", json: {} }), Error, "127.0.0.1");
    assertEquals(/api-key|key-|ours|another/.exec(message), null, message);
  }
  await server.shutdown();
});

Deno.test("telemetry: the error for an invalid header does not contain its value", async () => {
  const target = targetOf("traces", {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:1/v1/traces",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=of%0Aours",
  });
  const { message } = await assertRejects(() => sendTo(target, { signal: "traces", json: {} }), Error, "OTLP_HEADERS");
  assertEquals(message.includes("ours"), false, message);
});

/** A port without a listener. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
