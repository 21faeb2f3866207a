/** The HTTP server for the controller's metrics, in the format of Prometheus. */
import { systemClock } from "@tiphys/base/clock";
import type { ControllerSettings } from "@tiphys/model/api";
import type { Log } from "@tiphys/base/log";
import { ownCertificate } from "@tiphys/base/x509";
import { parseArgoDuration } from "@tiphys/base/go/duration";
import { serveIfAvailable } from "@tiphys/base/net/own_port";
import { processMetrics } from "./process_metrics.ts";
import { controllerMetrics } from "./own_metrics.ts";
import { exposition, EXPOSITION_TYPE, type Instrument, type MetricRegistry, type Modifier } from "@tiphys/base/metrics";

/** The prefix of all names of metrics. */
const PREFIX = "argo_workflows_";

/** The number of characters that are written at a time. */
const PIECE = 64 * 1024;

export interface MetricsServerOptions {
  readonly port: number;
  readonly path: string;
  /** A certificate and its key in PEM format; without them, the server uses HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly hostname?: string;
  /** Whether to omit a metric that cannot be read. Otherwise the response is interrupted, and the scrape fails. */
  readonly ignoreErrors?: boolean | undefined;
}

/** The key `metricsConfig` of the settings, which is read once at the start. */
type MetricsConfig = NonNullable<ControllerSettings["metricsConfig"]>;

/** Creates the registry of metrics according to the settings. */
export function metricsAsSet(config: MetricsConfig = {}, log: Log, operations?: OperationBuckets): MetricRegistry {
  const modifiers = { ...operationModifier(operations), ...config.modifiers };
  const registry = controllerMetrics({ now: Date.now, modifiers });
  const unknown = registry.unknownModifiers();
  if (unknown.length > 0) log.warn("Unknown metrics in modifiers", { names: unknown.join(", ") });
  return registry;
}

/** The buckets of `operation_duration_seconds`: `count` of them, in equal steps up to `lastMillis` milliseconds. */
export interface OperationBuckets {
  readonly count: number;
  readonly lastMillis: number;
}

function operationModifier(operations: OperationBuckets | undefined): Record<string, Modifier> {
  if (!operations) return {};
  const { count, lastMillis } = operations;
  const histogramBuckets = Array.from({ length: count }, (_, index) => lastMillis / 1000 / count * (index + 1));
  return { operation_duration_seconds: { histogramBuckets } };
}

/** Serves the metrics if the settings enable it, and removes old values of workflows, until the signal is aborted. */
export function serveAsSet(
  registry: MetricRegistry,
  config: MetricsConfig = {},
  log: Log,
  signal: AbortSignal,
): void {
  if (config.enabled === false) return;
  const { port = 9090, path = "/metrics", secure = true, ignoreErrors } = config;
  const server = serveIfAvailable(
    { what: "Metrics", port, setting: "the key `port` of `metricsConfig`", log },
    () =>
      serveMetrics(registry, {
        port,
        path,
        ignoreErrors,
        ...(secure && { tls: ownCertificate("workflow-controller", new Date()) }),
      }),
  );
  signal.addEventListener("abort", () => void server?.shutdown(), { once: true });
  const lifetime = Number(parseArgoDuration(config.metricsTTL ?? "0") / 1_000_000n);
  if (lifetime <= 0) return;
  const timer = setInterval(() => registry.dropOlderThan(lifetime), lifetime);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** Serves the metrics until the server is shut down. */
export function serveMetrics(registry: MetricRegistry, options: MetricsServerOptions): Deno.HttpServer<Deno.NetAddr> {
  const { port, path, tls, hostname, ignoreErrors = false } = options;
  return Deno.serve({ port, ...(hostname ? { hostname } : {}), ...tls, onListen: () => {} }, async (request) => {
    if (new URL(request.url).pathname !== path) return new Response("not found\n", { status: 404 });
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("method not allowed\n", { status: 405, headers: { allow: "GET, HEAD" } });
    }
    await awaitCounting(registry);
    return metricsResponse(request.method, page(registry, ignoreErrors));
  });
}

/** The maximum time that a response waits for changes that are being counted, in milliseconds. */
const COUNTING_TIMEOUT_MILLIS = 2000;

/** Resolves when the changes in progress have been counted, or after a timeout. */
async function awaitCounting(registry: MetricRegistry): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const takeBack = systemClock.after(COUNTING_TIMEOUT_MILLIS, resolve);
  await Promise.race([registry.whenRecorded(), late]);
  takeBack();
}

/** The response to a scrape. A large page is streamed. */
function metricsResponse(method: string, lines: Iterable<string>): Response {
  const headers = { "content-type": EXPOSITION_TYPE };
  if (method === "HEAD") return new Response(null, { headers });
  return new Response(ReadableStream.from(pieces(lines)), { headers });
}

function* page(registry: MetricRegistry, ignoreErrors: boolean): Generator<string> {
  for (const instrument of registry.instruments()) {
    if (ignoreErrors) yield* linesOrNothing(instrument);
    else yield* exposition([instrument], PREFIX);
  }
  yield* processMetrics();
}

/** The lines of a metric; empty if it cannot be read. */
function linesOrNothing(instrument: Instrument): readonly string[] {
  try {
    return [...exposition([instrument], PREFIX)];
  } catch {
    return [];
  }
}

function* pieces(lines: Iterable<string>): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let piece = "";
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield encoder.encode(piece);
    piece = "";
  }
  if (piece !== "") yield encoder.encode(piece);
}
