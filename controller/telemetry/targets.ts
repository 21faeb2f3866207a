/** The collectors that metrics and traces are sent to, as the variables of OpenTelemetry name them. */
import { basicAuthorization } from "@tiphys/base/basic_authorization";

/** The protocols of OTLP that are spoken. */
export type Protocol = "grpc" | "http/protobuf" | "http/json";

/** One address that one kind of telemetry is sent to, and how. */
export interface Target {
  readonly protocol: Protocol;
  /** With the path that it is sent to, also for gRPC, whose path is that of its method. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  /** The time in which a collector has to answer, milliseconds. */
  readonly timeoutMillis: number;
  /** The file with the certificates of the authorities that are trusted instead of the system's. */
  readonly certificateFile?: string;
}

/** The addresses that metrics and traces are sent to; without one nothing is sent. */
export interface TelemetryTargets {
  readonly metrics?: Target;
  readonly traces?: Target;
  /** Facts about the controller, as attributes of all that is sent. */
  readonly resource: Readonly<Record<string, string>>;
  /** The time between two sendings of metrics, in milliseconds. */
  readonly intervalMillis: number;
}

type Environment = (name: string) => string | undefined;
type Signal = "metrics" | "traces";

/**
 * Reads the variables of OpenTelemetry.
 * @throws {Error} that names the variable that cannot be used; never a header.
 */
export function telemetryTargets(env: Environment): TelemetryTargets {
  const [metrics, traces] = [targetOf(env, "metrics"), targetOf(env, "traces")];
  return {
    ...(metrics && { metrics }),
    ...(traces && { traces }),
    resource: {
      ...pairsOf(env("OTEL_RESOURCE_ATTRIBUTES") ?? ""),
      ...(env("OTEL_SERVICE_NAME") && { "service.name": env("OTEL_SERVICE_NAME") }),
    },
    intervalMillis: millisOf(env, "OTEL_METRIC_EXPORT_INTERVAL", 60_000),
  };
}

/** The target of a signal: its own variables count before those of all signals. */
function targetOf(env: Environment, signal: Signal): Target | undefined {
  const names = (what: string) => [`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${what}`, `OTEL_EXPORTER_OTLP_${what}`];
  const named = (what: string) => {
    const name = names(what).find((one) => env(one));
    return name === undefined ? undefined : { name, text: env(name) ?? "" };
  };
  const endpoint = named("ENDPOINT");
  if (!endpoint) return undefined;
  const isOwn = endpoint.name === names("ENDPOINT")[0];
  const asked = named("PROTOCOL");
  const isSafe = named("INSECURE")?.text.toLowerCase() !== "true";
  const url = addressOf(endpoint, asked?.text, isSafe);
  const protocol = protocolOf(asked, url);
  const compression = named("COMPRESSION");
  if (compression && !["gzip", "none"].includes(compression.text)) {
    throw new Error(`${compression.name}: expected gzip or none, got ${JSON.stringify(compression.text)}`);
  }
  const certificateFile = named("CERTIFICATE")?.text;
  const [own, ofAll] = names("TIMEOUT");
  return {
    protocol,
    url: placeOf(url, { protocol, signal, isOwn }),
    headers: { ...loginOf(url), ...pairsOf(named("HEADERS")?.text ?? "") },
    gzip: compression?.text === "gzip",
    timeoutMillis: millisOf(env, own && env(own) ? own : ofAll ?? "", 10_000),
    ...(certificateFile && { certificateFile }),
  };
}

/** An address; gRPC's may lack its scheme, which is then that of TLS unless it is said to be insecure. */
function addressOf({ name, text }: { name: string; text: string }, protocol: string | undefined, isSafe: boolean): URL {
  const isBare = !text.includes("://") && (protocol ?? "grpc") === "grpc";
  const url = URL.parse(isBare ? `${isSafe ? "https" : "http"}://${text}` : text);
  if ((url?.protocol === "http:" || url?.protocol === "https:") && url.hostname) return url;
  throw new Error(`${name}: expected an address such as http://collector:4317`);
}

/** Port 4318 is that of HTTP: who names it and no protocol means that; else gRPC is usual, as it is in Argo. */
function protocolOf(asked: { name: string; text: string } | undefined, { port }: URL): Protocol {
  if (!asked) return port === HTTP_PORT ? "http/protobuf" : "grpc";
  const found = PROTOCOLS.find((one) => one === asked.text);
  if (found) return found;
  throw new Error(`${asked.name}: expected ${PROTOCOLS.join(", ")}, got ${JSON.stringify(asked.text)}`);
}

const HTTP_PORT = "4318";
const PROTOCOLS = ["grpc", "http/protobuf", "http/json"] as const;

const METHODS = {
  metrics: "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
  traces: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
} as const;

function placeOf(
  url: URL,
  { protocol, signal, isOwn }: { readonly protocol: Protocol; readonly signal: Signal; readonly isOwn: boolean },
): string {
  if (protocol === "grpc") return `${url.origin}${METHODS[signal]}`;
  const place = `${url.origin}${url.pathname}`;
  return isOwn ? `${place}${url.search}` : `${place.replace(/\/$/, "")}/v1/${signal}`;
}

/** A user and a password in an address become a header: addresses stand in the log. */
function loginOf({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  return { authorization: basicAuthorization(decoded(username), decoded(password)) };
}

function millisOf(env: Environment, name: string, usual: number): number {
  const text = env(name) || String(usual);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`${name}: expected milliseconds, got ${JSON.stringify(text)}`);
}

/** `NAME=VALUE` by commas, values with percent signs as in an address. */
function pairsOf(text: string): Record<string, string> {
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
