/** A fake network for tests of S3: a function responds to each request, and requests are recorded. */
import type { Bytes, HttpRequest, HttpResponse, Net } from "@tiphys/base/net";
import { type Driver, type DriverEnvironment, StoreError } from "@tiphys/model/artifact";
import { makeDriver } from "../mod.ts";

/** A scripted response. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it was sent. */
export interface SentRequest {
  readonly line: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A network with its recorded requests. */
export interface ScriptedNet extends Net {
  readonly sent: SentRequest[];
}

/** Responds to each request with a function. Undefined is 200 without a body. */
export function scriptedNet(answer: (sent: SentRequest, number: number) => Answer | Error | undefined): ScriptedNet {
  const sent: SentRequest[] = [];
  return {
    sent,
    async send(request) {
      const recorded = { ...await recordRequest(request) };
      sent.push(recorded);
      const said = answer(recorded, sent.length) ?? {};
      if (said instanceof Error) throw said;
      return responseOf(said);
    },
  };
}

async function recordRequest({ method, url, target, headers = {}, body }: HttpRequest): Promise<SentRequest> {
  const bytes = body === undefined ? "" : body instanceof Uint8Array ? body : body.open(0, body.size);
  const text = await new Response(bytes).text();
  return { line: `${method} ${target ?? url.pathname + url.search}`, host: url.host, headers, body: text };
}

function responseOf({ status = 200, headers = {}, body = "" }: Answer): HttpResponse {
  return {
    status,
    headers: new Headers(headers),
    body: new Blob([body]).stream() as ReadableStream<Bytes>,
    text: () => Promise.resolve(body),
    discard: () => Promise.resolve(),
  };
}

/** An error in S3's format. */
export function errorXml(code: string, more = ""): string {
  return `<Error><Code>${code}</Code><Message>words</Message>${more}</Error>`;
}

/** The environment of a driver on a network, with static keys `access` and `secret`. */
export function surroundingsOn(net: Net, change: Partial<DriverEnvironment> = {}): DriverEnvironment {
  return {
    secret: (_, key) =>
      key === "none"
        ? Promise.reject(new StoreError("the secret s has no key none", "final"))
        : Promise.resolve(`${key}-value`),
    secretBytes: () => Promise.reject(new StoreError("no bytes", "final")),
    configMap: () => Promise.reject(new StoreError("no ConfigMap", "final")),
    mayUseIdentity: true,
    env: () => undefined,
    net,
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
    limits: { parts: 2, partBytes: 4, objects: 2 },
    ...change,
  };
}

export const STATIC = { accessKeySecret: { name: "s", key: "access" }, secretKeySecret: { name: "s", key: "secret" } };

/** A driver of the bucket `b` at `store.example`. */
export async function driverOn(
  net: Net,
  settings: Readonly<Record<string, unknown>> = STATIC,
  change: Partial<DriverEnvironment> = {},
): Promise<Driver> {
  const place = { store: "s3", key: "", settings: { endpoint: "store.example", bucket: "b", ...settings } };
  return await makeDriver(place, surroundingsOn(net, change)) as Driver;
}
