/** The metrics of the server: its requests by operation and status, how long they took, and what the process uses. */
import process from "node:process";
import { exposition, EXPOSITION_TYPE, Instrument } from "../../lib/metrics/mod.ts";
import type { Code } from "../wire/errors.ts";
import { GrpcMetrics } from "./grpc_metrics.ts";

const PREFIX = "argo_server_";
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Statuses of scrapes that are there from the start, at zero. */
const SCRAPE_STATUSES = ["200", "500", "503"];

/** One request that an operation handles. */
export interface Handling {
  /** Its answer begins. */
  answered(status: number): void;
  /** Messages of its answer were sent. */
  sent(messages: number): void;
  /** Its answer has ended; only the first time counts. */
  ended(code: Code): void;
}

/** Counts what the server does, from its start on. */
export class ServerMetrics {
  readonly #requests: Instrument;
  readonly #seconds: Instrument;
  readonly #rss: Instrument;
  readonly #cpu: Instrument;
  readonly #grpc: GrpcMetrics;
  readonly #scrapes: Instrument;
  readonly #scrapesInFlight: Instrument;

  /** `now` is in milliseconds since 1970. */
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
    this.#rss.read(() => [[{}, Deno.memoryUsage().rss]]);
    this.#cpu.read(() => {
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

  /** A request begins whose operation is known. */
  begin(operation: string): Handling {
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1000;
    let isOver = false;
    this.#grpc.started(operation);
    return {
      answered: (status) => {
        this.#requests.add({ operation, status: String(status) });
        this.#seconds.observe({ operation }, seconds());
      },
      sent: (messages) => this.#grpc.sent(operation, messages),
      ended: (code) => {
        if (!isOver) this.#grpc.ended(operation, code, seconds());
        isOver = true;
      },
    };
  }

  /** The page of a scrape, which is in flight itself and counted by the next. */
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
