/**
 * The gRPC metrics with the names, types and labels of Argo's server, for its dashboards. REST requests count as calls,
 * too.
 */
import { METHODS } from "@tiphys/proto";
import { Instrument, type Labels } from "@tiphys/base/metrics";
import { CODE, type Code } from "../wire/errors.ts";

const PREFIX_LABELS = ["grpc_method", "grpc_service", "grpc_type"];
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The code names of gRPC libraries: `InvalidArgument`. */
const CODE_NAMES = new Map(
  Object.entries(CODE).map(([name, code]) => [code, name === "ok" ? "OK" : name[0]?.toUpperCase() + name.slice(1)]),
);

/**
 * Counts calls of methods. All methods and codes exist from the start with the value 0, and no label contains client
 * input.
 */
export class GrpcMetrics {
  readonly #started: Instrument;
  readonly #handled: Instrument;
  readonly #received: Instrument;
  readonly #sent: Instrument;
  readonly #seconds: Instrument;
  /** The labels of each method by operation ID. */
  readonly #labels: ReadonlyMap<string, Labels>;

  /** `now` is in milliseconds since the epoch. */
  constructor(now: () => number) {
    const labels = PREFIX_LABELS;
    const options = { now };
    const counter = (name: string, help: string) => new Instrument({ name, type: "counter", help, labels }, options);
    this.#started = counter("started_total", "Started method calls.");
    this.#received = counter("msg_received_total", "Messages that were received.");
    this.#sent = counter("msg_sent_total", "Messages that were sent.");
    this.#handled = new Instrument(
      {
        name: "handled_total",
        type: "counter",
        help: "Completed method calls, by code.",
        labels: ["grpc_code", ...labels],
      },
      { now },
    );
    this.#seconds = new Instrument({
      name: "handling_seconds",
      type: "histogram",
      help: "Time from the start of a call to its end, including its stream.",
      labels,
      buckets: BUCKETS,
    }, options);
    this.#labels = new Map(METHODS.map(({ id, path, isStream }) => {
      const [, service = "", method = ""] = path.split("/");
      const type = isStream ? "server_stream" : "unary";
      return [id, { grpc_method: method, grpc_service: service, grpc_type: type }];
    }));
    for (const each of this.#labels.values()) {
      for (const instrument of [this.#started, this.#received, this.#sent, this.#seconds]) instrument.declare(each);
      for (const grpc_code of CODE_NAMES.values()) this.#handled.declare({ ...each, grpc_code });
    }
  }

  /** The metrics; their prefix is `grpc_server_`. */
  get instruments(): readonly Instrument[] {
    return [this.#started, this.#handled, this.#received, this.#sent, this.#seconds];
  }

  /** Counts the start of a call. Operations that are not gRPC methods are ignored. */
  recordStart(operation: string): void {
    const labels = this.#labels.get(operation);
    if (!labels) return;
    this.#started.add(labels);
    this.#received.add(labels);
  }

  /** Counts sent messages. */
  recordSent(operation: string, messages: number): void {
    const labels = this.#labels.get(operation);
    if (labels) this.#sent.add(labels, messages);
  }

  /** Counts the end of a call. */
  recordEnd(operation: string, code: Code, seconds: number): void {
    const labels = this.#labels.get(operation);
    if (!labels) return;
    this.#handled.add({ ...labels, grpc_code: CODE_NAMES.get(code) ?? "Unknown" });
    this.#seconds.observe(labels, seconds);
  }
}
