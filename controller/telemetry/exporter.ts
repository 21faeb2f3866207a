/** Sends metrics and traces to a collector of OpenTelemetry over HTTP, as OTLP in JSON. */
import type { Workflow } from "../../lib/api/mod.ts";
import type { Log } from "../../lib/log.ts";
import { attributesOf, type MetricRegistry, OtlpMetrics } from "../../lib/metrics/mod.ts";
import { type Span, spansOf } from "./workflow_trace.ts";

/** The addresses that metrics and traces are sent to, as the environment says; without one nothing is sent. */
export interface TelemetryTargets {
  readonly metrics?: string;
  readonly traces?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The time between two sendings of metrics, in milliseconds. */
  readonly intervalMillis: number;
  /** The part of the environment that is not followed, in words for the log. */
  readonly warning?: string;
}

/**
 * Reads the variables of OpenTelemetry.
 * @throws {Error} that names the variable that cannot be used; never a header.
 */
export function telemetryTargets(env: (name: string) => string | undefined): TelemetryTargets {
  const base = env("OTEL_EXPORTER_OTLP_ENDPOINT");
  const target = (signal: "metrics" | "traces") => {
    const name = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`;
    const own = env(name);
    if (own) return urlOf(name, own);
    return base ? `${urlOf("OTEL_EXPORTER_OTLP_ENDPOINT", base).replace(/\/$/, "")}/v1/${signal}` : undefined;
  };
  const [metrics, traces] = [target("metrics"), target("traces")];
  const interval = env("OTEL_METRIC_EXPORT_INTERVAL") ?? "60000";
  if (!/^[1-9]\d*$/.test(interval)) {
    throw new Error(`OTEL_METRIC_EXPORT_INTERVAL: expected milliseconds, got ${JSON.stringify(interval)}`);
  }
  const warning = metrics || traces ? protocolWarning(env, [metrics, traces]) : undefined;
  return {
    ...(warning && { warning }),
    ...(metrics && { metrics }),
    ...(traces && { traces }),
    headers: headersOf(env("OTEL_EXPORTER_OTLP_HEADERS") ?? ""),
    serviceName: env("OTEL_SERVICE_NAME") || "workflows-controller",
    intervalMillis: Number(interval),
  };
}

/** The warning about a collector of gRPC, which has a port of its own and does not understand what is sent here. */
function protocolWarning(
  env: (name: string) => string | undefined,
  targets: readonly (string | undefined)[],
): string | undefined {
  const asked = PROTOCOLS.find((name) => env(name) === "grpc");
  const port = targets.find((target) => target && new URL(target).port === GRPC_PORT);
  if (asked === undefined && port === undefined) return undefined;
  const what = asked === undefined ? `port ${GRPC_PORT} is that of gRPC` : `${asked} is grpc`;
  return `${what}; metrics and traces are sent over HTTP in JSON: name the collector's port of HTTP, usually 4318`;
}

const GRPC_PORT = "4317";
const PROTOCOLS = [
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
  "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
] as const;

function urlOf(name: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new Error(`${name}: expected an address such as http://collector:4318`);
}

/** `NAME=VALUE` by commas, values with percent signs as in an address. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(",").map((pair) => pair.trim()).filter((pair) => pair.includes("="));
  return Object.fromEntries(pairs.map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
  }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Spans in one request, and spans that wait at most: more are dropped, and told of. */
const SPANS_AT_A_TIME = 1000;
const MOST_SPANS = 20_000;
const ANSWER_WITHIN_MILLIS = 10_000;
const SPANS_EVERY_MILLIS = 5000;

/** The registry whose metrics an exporter sends, and the addresses that metrics and traces go to. */
export interface TelemetryOptions {
  readonly targets: TelemetryTargets;
  readonly registry: MetricRegistry;
  readonly temporality?: "Cumulative" | "Delta" | undefined;
  readonly log: Log;
  readonly version: string;
}

/** Sends until it is closed. Trouble is told once, until something is taken again; nothing waits for it. */
export class Telemetry {
  readonly #options: TelemetryOptions;
  readonly #metrics: OtlpMetrics;
  #since = nowNanos();
  readonly #began = this.#since;
  #spans: Span[] = [];
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  #isTroubled = false;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#metrics = new OtlpMetrics({ temporality: options.temporality });
    const { targets } = options;
    if (targets.metrics) this.#timers.push(setInterval(() => void this.#sendMetrics(), targets.intervalMillis));
    if (targets.traces) this.#timers.push(setInterval(() => void this.#sendSpans(), SPANS_EVERY_MILLIS));
  }

  /** A workflow is over: its trace is sent with the next ones. */
  workflowEnded(workflow: Workflow): void {
    if (!this.#options.targets.traces) return;
    const spans = spansOf(workflow);
    if (this.#spans.length + spans.length > MOST_SPANS) {
      return this.#options.log.warn("A trace is dropped: the collector does not keep up", { spans: spans.length });
    }
    this.#spans.push(...spans);
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#sendMetrics(), this.#sendSpans()]);
  }

  async #sendMetrics(): Promise<void> {
    const { targets, registry, temporality } = this.#options;
    if (!targets.metrics) return;
    const now = nowNanos();
    const startTimeUnixNano = temporality === "Delta" ? this.#since : this.#began;
    const metrics = this.#metrics.of(registry.instruments(), { startTimeUnixNano, timeUnixNano: now });
    this.#since = now;
    await this.#send(targets.metrics, {
      resourceMetrics: [{ ...this.#resource, scopeMetrics: [{ ...SCOPE, metrics }] }],
    });
  }

  async #sendSpans(): Promise<void> {
    const { targets } = this.#options;
    while (targets.traces && this.#spans.length > 0) {
      const spans = this.#spans.splice(0, SPANS_AT_A_TIME);
      await this.#send(targets.traces, { resourceSpans: [{ ...this.#resource, scopeSpans: [{ ...SCOPE, spans }] }] });
    }
  }

  get #resource() {
    const { targets, version } = this.#options;
    const attributes = attributesOf({ "service.name": targets.serviceName, "service.version": version });
    return { resource: { attributes } };
  }

  async #send(url: string, body: object): Promise<void> {
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { ...this.#options.targets.headers, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MILLIS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled) {
        const { origin, pathname } = new URL(url);
        this.#options.log.warn("Telemetry cannot be sent", { to: `${origin}${pathname}`, error: String(error) });
      }
      this.#isTroubled = true;
    }
  }
}

const SCOPE = { scope: { name: "argo-workflows" } };

function nowNanos(): string {
  return `${BigInt(Date.now()) * 1_000_000n}`;
}
