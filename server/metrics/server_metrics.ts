/** The metrics of the server: requests by operation and status, durations, and process resources. */
import process from "node:process";
import { exposition, EXPOSITION_TYPE, Instrument } from "@tiphys/base/metrics";
import type { Code } from "../wire/errors.ts";
import { GrpcMetrics } from "./grpc_metrics.ts";

const PREFIX = "argo_server_";
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** The statuses of scrapes that exist from the start with the value 0. */
const SCRAPE_STATUSES = ["200", "500", "503"];

/** A request that is being handled. */
export interface Handling {
  /** Records the status, when the response starts. */
  recordStatus(status: number): void;
  /** Records sent messages of the response. */
  recordSent(messages: number): void;
  /** Records the end of the response. Only the first call counts. */
  recordEnd(code: Code): void;
}

/** The metrics of a server since its start. */
export class ServerMetrics {
  readonly #requests: Instrument;
  readonly #seconds: Instrument;
  readonly #rss: Instrument;
  readonly #cpu: Instrument;
  readonly #grpc: GrpcMetrics;
  readonly #scrapes: Instrument;
  readonly #scrapesInFlight: Instrument;

  /** `now` is in milliseconds since the epoch. */
  constructor(now: () => number) {
    const options = { now };
    const labels = ["operation"];
    this.#requests = new Instrument({
      name: "requests_total",
      type: "counter",
      help: "Requests that were answered, by operation and HTTP status.",
      labels: [...labels, "status"],
    }, options);
    this.#seconds = new Instrument({
      name: "request_duration_seconds",
      type: "histogram",
      help: "Time from a request to the beginning of its answer.",
      labels,
      buckets: BUCKETS,
    }, options);
    this.#rss = processMetric("resident_memory_bytes", "gauge", "Resident memory size in bytes.", now);
    this.#cpu = processMetric("cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.", now);
    this.#rss.addReader(() => [[{}, Deno.memoryUsage().rss]]);
    this.#cpu.addReader(() => {
      const { user, system } = process.cpuUsage();
      return [[{}, (user + system) / 1e6]];
    });
    this.#grpc = new GrpcMetrics(now);
    this.#scrapes = new Instrument(
      { name: "requests_total", type: "counter", help: "Scrapes, by HTTP status.", labels: ["code"] },
      { now },
    );
    for (const code of SCRAPE_STATUSES) this.#scrapes.declare({ code });
    this.#scrapesInFlight = new Instrument(
      { name: "requests_in_flight", type: "gauge", help: "Scrapes that are being answered." },
      { now },
    );
  }

  /** Starts to measure a request of a known operation. */
  begin(operation: string): Handling {
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1000;
    let isOver = false;
    this.#grpc.recordStart(operation);
    return {
      recordStatus: (status) => {
        this.#requests.add({ operation, status: String(status) });
        this.#seconds.observe({ operation }, seconds());
      },
      recordSent: (messages) => this.#grpc.recordSent(operation, messages),
      recordEnd: (code) => {
        if (!isOver) this.#grpc.recordEnd(operation, code, seconds());
        isOver = true;
      },
    };
  }

  /** Returns the metrics page. The scrape itself is counted as in flight, and as completed by the next one. */
  response(): Response {
    this.#scrapesInFlight.add();
    let code = "500";
    try {
      const text = [
        ...exposition([this.#requests, this.#seconds], PREFIX),
        ...exposition(this.#grpc.instruments, "grpc_server_"),
        ...exposition([this.#rss, this.#cpu], "process_"),
        ...exposition([this.#scrapesInFlight, this.#scrapes], "promhttp_metric_handler_"),
      ].join("");
      code = "200";
      return new Response(text, { headers: { "content-type": EXPOSITION_TYPE } });
    } finally {
      this.#scrapesInFlight.add({}, -1);
      this.#scrapes.add({ code });
    }
  }
}

function processMetric(name: string, type: "counter" | "gauge", help: string, now: () => number): Instrument {
  return new Instrument({ name, type, help }, { now });
}
