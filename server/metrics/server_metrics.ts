/** The metrics of the server: its requests by operation and status, how long they took, and what the process uses. */
import process from "node:process";
import { exposition, EXPOSITION_TYPE, Instrument } from "../../lib/metrics/mod.ts";

const PREFIX = "argo_server_";
/** The most series, one for each operation and status: no caller can make more of them. */
const MOST_SERIES = 5000;
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Counts what the server does, from its start on. */
export class ServerMetrics {
  readonly #requests: Instrument;
  readonly #seconds: Instrument;
  readonly #rss: Instrument;
  readonly #cpu: Instrument;

  /** `now` is in milliseconds since 1970. */
  constructor(now: () => number) {
    const options = { now, maxSeries: MOST_SERIES };
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
  }

  /** Counts one answer of an operation. */
  count(operation: string, status: number, seconds: number): void {
    this.#requests.add({ operation, status: String(status) });
    this.#seconds.observe({ operation }, seconds);
  }

  /** The page of a scrape. */
  response(): Response {
    const own = exposition([this.#requests, this.#seconds], PREFIX);
    const ofProcess = exposition([this.#rss, this.#cpu], "process_");
    return new Response([...own, ...ofProcess].join(""), { headers: { "content-type": EXPOSITION_TYPE } });
  }
}

function processMetric(name: string, type: "counter" | "gauge", help: string, now: () => number): Instrument {
  return new Instrument({ name, type, help }, { now, maxSeries: 1 });
}
