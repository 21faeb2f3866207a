/** The collectors of metrics and traces, from OpenTelemetry's environment variables. */
import { basicAuthorization } from "@tiphys/base/basic_authorization";

/** The supported protocols of OTLP. */
export type Protocol = "grpc" | "http/protobuf" | "http/json";

/** The address and options of the export of one signal. */
export interface Target {
  readonly protocol: Protocol;
  /** The full URL, including for gRPC the path of the method. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  /** The timeout of a request, in milliseconds. */
  readonly timeoutMillis: number;
  /** The file with the trusted certificate authorities, instead of those of the system. */
  readonly certificateFile?: string;
}

/** The targets of metrics and traces. A signal without a target is not exported. */
export interface TelemetryTargets {
  readonly metrics?: Target;
  readonly traces?: Target;
  /** Attributes of the controller in all exported data. */
  readonly resource: Readonly<Record<string, string>>;
  /** The interval between exports of metrics, in milliseconds. */
  readonly intervalMillis: number;
}

type Environment = (name: string) => string | undefined;
type Signal = "metrics" | "traces";

/**
 * Reads OpenTelemetry's environment variables.
 * @throws {Error} that names the invalid variable; it never contains a header.
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

/** The target of a signal. Its specific variables override those for all signals. */
function targetOf(env: Environment, signal: Signal): Target | undefined {
  const names = (
    subject: string,
  ) => [`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${subject}`, `OTEL_EXPORTER_OTLP_${subject}`];
  const named = (subject: string) => {
    const name = names(subject).find((candidate) => env(candidate));
    return name === undefined ? undefined : { name, text: env(name) ?? "" };
  };
  const endpoint = named("ENDPOINT");
  if (!endpoint) return undefined;
  const isOwn = endpoint.name === names("ENDPOINT")[0];
  const setting = named("PROTOCOL");
  const isSafe = named("INSECURE")?.text.toLowerCase() !== "true";
  const url = addressOf(endpoint, setting?.text, isSafe);
  const protocol = protocolOf(setting, url);
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

/**
 * Parses an address. For gRPC the scheme is optional; it defaults to TLS unless the connection is configured as
 * insecure.
 */
function addressOf({ name, text }: { name: string; text: string }, protocol: string | undefined, isSafe: boolean): URL {
  const isBare = !text.includes("://") && (protocol ?? "grpc") === "grpc";
  const url = URL.parse(isBare ? `${isSafe ? "https" : "http"}://${text}` : text);
  if ((url?.protocol === "http:" || url?.protocol === "https:") && url.hostname) return url;
  throw new Error(`${name}: expected an address such as http://collector:4317`);
}

/** The default protocol: HTTP for port 4318, otherwise gRPC, as in Argo. */
function protocolOf(setting: { name: string; text: string } | undefined, { port }: URL): Protocol {
  if (!setting) return port === HTTP_PORT ? "http/protobuf" : "grpc";
  const found = PROTOCOLS.find((protocol) => protocol === setting.text);
  if (found) return found;
  throw new Error(`${setting.name}: expected ${PROTOCOLS.join(", ")}, got ${JSON.stringify(setting.text)}`);
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

/** Moves a user and password from the address to a header, because addresses are logged. */
function loginOf({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  return { authorization: basicAuthorization(decodeText(username), decodeText(password)) };
}

function millisOf(env: Environment, name: string, defaultValue: number): number {
  const text = env(name) || String(defaultValue);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`${name}: expected milliseconds, got ${JSON.stringify(text)}`);
}

/** Parses a comma-separated list of `NAME=VALUE`; values are percent-encoded. */
function pairsOf(text: string): Record<string, string> {
  const pairs = text.split(",").map((pair) => pair.trim()).filter((pair) => pair.includes("="));
  return Object.fromEntries(pairs.map((pair) => {
    const index = pair.indexOf("=");
    return [pair.slice(0, index).trim(), decodeText(pair.slice(index + 1).trim())];
  }));
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
