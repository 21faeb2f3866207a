/**
 * The flags of the server, with the names and defaults of Argo's. Each can also be set by an environment variable:
 * `ARGO_` and its name in upper case.
 */
import { Command, InvalidArgumentError, Option } from "commander";
import { AUTH_MODES } from "./gate/modes.ts";

/** The command line settings of `tiphys server`. */
export interface ServerFlags {
  readonly port: number;
  readonly address: string;
  readonly secure: boolean;
  readonly tlsCertificateSecretName?: string;
  readonly hsts: boolean;
  readonly baseHref: string;
  readonly authMode: readonly string[];
  readonly allowAnonymous: boolean;
  readonly configmap: string;
  readonly namespace?: string;
  readonly namespaced: boolean;
  readonly managedNamespace?: string;
  readonly ssoNamespace?: string;
  readonly instanceid?: string;
  readonly apiRateLimit: number;
  readonly eventAsyncDispatch: boolean;
  readonly eventOperationQueueSize: number;
  readonly eventWorkerCount: number;
  readonly accessControlAllowOrigin?: string;
  readonly xFrameOptions: string;
  readonly grpcReflection: boolean;
  readonly widgetAncestor: readonly string[];
  /** The price of a resource per hour, by resource name. */
  readonly price: Readonly<Record<string, number>>;
  readonly currency: string;
  readonly allowedLinkProtocol: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly asUid?: string;
  readonly kubeApiQps?: number;
  readonly kubeApiBurst: number;
  readonly browser: boolean;
  readonly gloglevel?: string;
  readonly verbose: boolean;
  readonly loglevel: "debug" | "info" | "warn" | "error";
  readonly logFormat: "text" | "json";
}

const PORT = 2746;
/** The default burst of requests to Kubernetes. */
export const BURST = 30;
/** The default limits of the event queue. */
export const QUEUE_SIZE = 16;
export const WORKERS = 4;
/** The default currency of prices. */
export const CURRENCY = "USD";

/** Parses the text of a flag; `before` is its value from earlier occurrences. */
type Parse = (text: string, before: readonly string[] | undefined) => unknown;

/** Returns the command with its flags, without its action. */
export function serverCommand(): Command {
  const command = new Command("server").description(
    "Serves Argo's API: workflows, templates, cron workflows, over HTTP",
  );
  const add = (flags: string, text: string, fallback?: unknown, parse?: Parse) => {
    const option = new Option(flags, text);
    if (fallback !== undefined) option.default(fallback);
    if (parse) option.argParser<unknown>((text, before) => parse(text, before as readonly string[] | undefined));
    option.env(`ARGO_${option.name().replaceAll("-", "_").toUpperCase()}`);
    return command.addOption(option);
  };
  add("-p, --port <port>", "port to listen on", PORT, portOf);
  add("--address <address>", "address to listen on", "0.0.0.0");
  add("-e, --secure [bool]", "serve over TLS", true, boolOf);
  add("--tls-certificate-secret-name <name>", "Secret with tls.crt and tls.key (default: a self-signed certificate)");
  add("--hsts [bool]", "send Strict-Transport-Security, so that browsers use TLS only", true, boolOf);
  add("--base-href <path>", "base path of the page and the API behind a reverse proxy", "/", hrefOf);
  add("--auth-mode <mode>", `authentication mode: ${AUTH_MODES.join(", ")}; may be repeated`, undefined, listOf);
  add("--allow-anonymous [bool]", "allow the mode server on addresses other than loopback", false, boolOf);
  add("--configmap <name>", "ConfigMap with the settings", "workflow-controller-configmap");
  add("-n, --namespace <name>", "namespace of the server and its ConfigMap");
  add("--namespaced [bool]", "serve one namespace only", false, boolOf);
  add("--managed-namespace <name>", "with --namespaced: the namespace to serve");
  add("--sso-namespace <name>", "with --namespaced: the namespace of the service accounts of SSO users");
  add("--instanceid <id>", "serve only the workflows of this controller instance");
  add("--api-rate-limit <number>", "maximum requests per second of one address; 0 disables the limit", 1000, numberOf);
  add("--event-async-dispatch [bool]", "respond to events before they are processed", false, boolOf);
  add(
    "--event-operation-queue-size <number>",
    "with --event-async-dispatch: maximum number of waiting events",
    QUEUE_SIZE,
    numberOf,
  );
  add(
    "--event-worker-count <number>",
    "with --event-async-dispatch: number of events processed in parallel",
    WORKERS,
    countOf,
  );
  add("--access-control-allow-origin <origin>", "origin whose pages may call the API");
  add("--x-frame-options <value>", "value of the X-Frame-Options header; empty to allow framing", "DENY");
  add("--grpc-reflection [bool]", "enable gRPC server reflection", false, boolOf);
  add("--widget-ancestor <origin>", "origin whose pages may embed widgets; may be repeated", undefined, originsOf);
  add(
    "--price <resource=number>",
    "price of a resource per hour: of one cpu, one GiB of memory, or one unit of another resource; may be repeated",
    undefined,
    pricesOf,
  );
  add("--currency <code>", "currency of the prices", CURRENCY, currencyOf);
  add("--allowed-link-protocol <protocol>", "allowed protocol of links; may be repeated", undefined, listOf);
  add("--kubeconfig <file>", "kubeconfig, outside of a cluster");
  add("--context <name>", "context of the kubeconfig");
  add("--as <user>", "user that the server impersonates");
  add("--as-group <group>", "group that the server impersonates; may be repeated", undefined, listOf);
  add("--as-uid <uid>", "UID that the server impersonates");
  add(
    "--kube-api-qps <number>",
    "maximum requests per second to Kubernetes with the server's own account (default: unlimited)",
    undefined,
    countOf,
  );
  add("--kube-api-burst <number>", "with --kube-api-qps: maximum burst of requests", BURST, countOf);
  add("-b, --browser [bool]", "no effect: no browser is opened", false, boolOf);
  add("--gloglevel <level>", "no effect");
  add("-v, --verbose [bool]", "same as --loglevel debug", false, boolOf);
  command.addOption(
    new Option("--loglevel <level>", "log level").choices(["debug", "info", "warn", "error"]).default("info")
      .env("ARGO_LOGLEVEL"),
  );
  command.addOption(
    new Option("--log-format <format>", "log format").choices(["text", "json"]).default("text").env(
      "ARGO_LOG_FORMAT",
    ),
  );
  return command;
}

/** Returns the parsed flags. */
export function readFlags(command: Command): ServerFlags {
  // Flags that a parent command also has are parsed by the parent.
  const above = Object.entries(command.parent?.opts() ?? {}).filter(([, value]) => value !== undefined);
  const given = { ...command.opts(), ...Object.fromEntries(above) };
  if (typeof given.secure === "string") given.secure = boolOf(given.secure);
  const { authMode = ["client"], allowedLinkProtocol = ["http", "https"], widgetAncestor = [], ...flags } = given;
  const prices = ((given.price ?? []) as readonly string[]).map((text) => text.split("="));
  const price = Object.fromEntries(prices.map(([resource, perHour]) => [resource, Number(perHour)]));
  return { ...flags, authMode, allowedLinkProtocol, widgetAncestor, price } as ServerFlags;
}

function boolOf(text: string): boolean {
  if (["true", "1", "t"].includes(text.toLowerCase())) return true;
  if (["false", "0", "f"].includes(text.toLowerCase())) return false;
  throw new InvalidArgumentError("expected true or false.");
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("expected a whole number.");
  return Number(text);
}

function countOf(text: string): number {
  const count = numberOf(text);
  if (count < 1) throw new InvalidArgumentError("expected 1 or more.");
  return count;
}

function portOf(text: string): number {
  const port = numberOf(text);
  if (port > 65535) throw new InvalidArgumentError("expected a port.");
  return port;
}

/** Normalizes a path so that it begins and ends with a slash. */
function hrefOf(text: string): string {
  const path = `/${text}/`.replace(/\/+/g, "/");
  // Browsers resolve `..` before sending a request, so it could never match.
  if (!/^[\w./~-]+$/.test(path) || /\/\.{1,2}\//.test(path)) throw new InvalidArgumentError("expected a path.");
  return path;
}

/** A flag that may be repeated, and may contain several values separated by commas. */
function listOf(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...before ?? [], ...text.split(",").map((part) => part.trim()).filter(Boolean)];
}

/** Origins for a content security policy. Anything else is rejected, because it could change the policy. */
function originsOf(text: string, before: readonly string[] | undefined): readonly string[] {
  const origins = listOf(text, before);
  const fault = origins.find((origin) => !/^https?:\/\/(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/.test(origin));
  if (fault !== undefined) throw new InvalidArgumentError("expected an origin such as https://portal.example.");
  return origins;
}

/** Prices by resource, in the form `cpu=0.04`. */
function pricesOf(text: string, before: readonly string[] | undefined): readonly string[] {
  const prices = listOf(text, before);
  const fault = prices.find((price) => !/^[\w./-]{1,253}=\d{1,9}(\.\d{1,9})?$/.test(price));
  if (fault !== undefined) throw new InvalidArgumentError("expected a resource and its price, such as cpu=0.04.");
  return prices;
}

function currencyOf(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new InvalidArgumentError("expected the three letters of a currency.");
  return text;
}
