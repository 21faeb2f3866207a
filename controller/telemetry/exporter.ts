/** Exports metrics and traces to OpenTelemetry collectors. */
import type { Workflow } from "@tiphys/model/api";
import type { Log } from "@tiphys/base/log";
import { attributesOf, type MetricRegistry, OtlpMetrics, type WorkSpan } from "@tiphys/base/metrics";
import type { Payload } from "./send.ts";
import type { Target, TelemetryTargets } from "./targets.ts";
import { spanOfWork, spansOfStart, type StartTimes } from "./work_spans.ts";
import { type Span, spansOf } from "./workflow_trace.ts";

/** The maximum number of spans in one request, and of queued spans. Further spans are dropped, which is logged. */
const MAX_SPANS_PER_REQUEST = 1000;
const MAX_QUEUED_SPANS = 20_000;
const SPANS_INTERVAL_MILLIS = 5000;

/** The registry of the exported metrics, and the addresses of the collectors. */
export interface TelemetryOptions {
  readonly targets: TelemetryTargets;
  readonly registry: MetricRegistry;
  readonly temporality?: "Cumulative" | "Delta" | undefined;
  readonly log: Log;
  readonly version: string;
}

/**
 * Exports until it is closed. A failure is logged once, until a request succeeds again. Exporting blocks nothing else.
 */
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
    if (targets.traces) this.#timers.push(setInterval(() => void this.#sendSpans(), SPANS_INTERVAL_MILLIS));
  }

  /** Queues the trace of a workflow that has finished. */
  workflowEnded(workflow: Workflow): void {
    if (!this.#options.targets.traces) return;
    const spans = spansOf(workflow);
    if (this.#spans.length + spans.length > MAX_QUEUED_SPANS) {
      return this.#options.log.warn("A trace is dropped: the collector is too slow", { spans: spans.length });
    }
    this.#spans.push(...spans);
  }

  /** Queues the span of work that was done for a workflow, as a child of the span of the workflow or its node. */
  queueWorkSpan(work: WorkSpan): void {
    const span = this.#options.targets.traces && spanOfWork(work);
    // Spans of work are dropped first: there are many of them, and each is of little value.
    if (span && this.#spans.length < MAX_QUEUED_SPANS / 2) this.#spans.push(span);
  }

  /** Queues a separate trace of the controller's start. */
  controllerStarted(times: StartTimes): void {
    if (this.#options.targets.traces) this.#spans.push(...spansOfStart(times));
  }

  /** Exports the queued data. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#sendMetrics(), this.#sendSpans()]);
  }

  async #sendMetrics(): Promise<void> {
    const { targets, registry, temporality } = this.#options;
    if (!targets.metrics) return;
    const now = nowNanos();
    const startTimeUnixNano = temporality === "Delta" ? this.#since : this.#began;
    const metrics = this.#metrics.metricsOf(registry.instruments(), { startTimeUnixNano, timeUnixNano: now });
    this.#since = now;
    const json = { resourceMetrics: [{ ...this.#resource, scopeMetrics: [{ ...SCOPE, metrics }] }] };
    await this.#send(targets.metrics, { signal: "metrics", json });
  }

  async #sendSpans(): Promise<void> {
    const { targets } = this.#options;
    while (targets.traces && this.#spans.length > 0) {
      const spans = this.#spans.splice(0, MAX_SPANS_PER_REQUEST);
      const json = { resourceSpans: [{ ...this.#resource, scopeSpans: [{ ...SCOPE, spans }] }] };
      await this.#send(targets.traces, { signal: "traces", json });
    }
  }

  get #resource() {
    const { targets, version } = this.#options;
    const usual = { "service.name": "workflows-controller", "service.version": version };
    return { resource: { attributes: attributesOf({ ...usual, ...targets.resource }) } };
  }

  async #send(target: Target, sending: Payload): Promise<void> {
    try {
      const { sendTo } = await import("./send.ts");
      await sendTo(target, sending);
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled) {
        const { origin, pathname } = new URL(target.url);
        this.#options.log.warn("Exporting telemetry failed", { to: `${origin}${pathname}`, error: String(error) });
      }
      this.#isTroubled = true;
    }
  }
}

const SCOPE = { scope: { name: "argo-workflows" } };

function nowNanos(): string {
  return `${BigInt(Date.now()) * 1_000_000n}`;
}
