/** An OpenTelemetry collector with gRPC for tests, which shares no code with the exporter. */
import { Buffer } from "node:buffer";
import type { EventEmitter } from "node:events";
import { Server, ServerCredentials, type status } from "@grpc/grpc-js";
import { deferSessionEnd } from "@tiphys/base/net/session_end";

/** A received call. */
export interface Call {
  readonly method: string;
  readonly hex: string;
  readonly key: unknown;
}

/** A gRPC collector that accepts or refuses all calls. */
export async function collector(calls: Call[], refusal?: { readonly code: status; readonly details: string }) {
  const server = new Server();
  const path = (signal: string) => {
    const service = signal === "metrics" ? "metrics.v1.MetricsService" : "trace.v1.TraceService";
    return `/opentelemetry.proto.collector.${service}/Export`;
  };
  for (const signal of ["metrics", "traces"]) {
    const bytes = (value: unknown) => value as Buffer;
    const method = {
      path: path(signal),
      requestStream: false,
      responseStream: false,
      requestSerialize: bytes,
      requestDeserialize: (value: Buffer) => value,
      responseSerialize: bytes,
      responseDeserialize: (value: Buffer) => value,
    };
    server.addService({ export: method }, {
      export(call: { request: Buffer; metadata: { get(name: string): unknown[] } }, done: Answer) {
        const [key] = call.metadata.get("api-key");
        calls.push({ method: method.path, hex: new Uint8Array(call.request).toHex(), key });
        done(refusal ?? null, Buffer.alloc(0));
      },
    });
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      "127.0.0.1:0",
      ServerCredentials.createInsecure(),
      (error, bound) => error ? reject(error) : resolve(bound),
    )
  );
  // The library has no public access to its HTTP/2 servers.
  const servers: ReadonlyMap<EventEmitter, unknown> = Reflect.get(server, "http2Servers");
  for (const http2 of servers.keys()) http2.on("session", deferSessionEnd);
  return { url: `http://127.0.0.1:${port}`, close: () => server.forceShutdown() };
}

type Answer = (error: { readonly code: status; readonly details: string } | null, value: Buffer) => void;
