/**
 * Requests to the provider: with the configured certificates, without redirects, and with a size limit for responses.
 */
import { rootCertificates } from "node:tls";
import { type Net, openNet, type TlsOptions } from "@tiphys/base/net";
import type { SsoSettings } from "./settings.ts";

/** The timeout of a request. */
const ANSWER_MILLIS = 15_000;
const MAX_RESPONSE_BYTES = 1 << 20;

/** Sends a request and reads its complete response. */
export type ProviderFetch = (url: string, init?: ProviderRequest) => Promise<Response>;

/** The parts of a request. */
export interface ProviderRequest {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Returns a function that sends requests. `rootCA` is trusted in addition to the default certificates. */
export function providerFetch(
  { rootCA, insecureSkipVerify }: Pick<SsoSettings, "rootCA" | "insecureSkipVerify">,
  env: (name: string) => string | undefined,
): ProviderFetch {
  const net = openNet({ env, stallMillis: ANSWER_MILLIS });
  const tls: TlsOptions = {
    ...(rootCA ? { caCerts: [...rootCertificates, rootCA] } : {}),
    ...(insecureSkipVerify ? { insecureSkipVerify } : {}),
  };
  return (url, init = {}) => send(net, tls, url, init);
}

async function send(
  net: Net,
  tls: TlsOptions,
  url: string,
  { method = "GET", headers, body, signal }: ProviderRequest,
) {
  const late = AbortSignal.timeout(ANSWER_MILLIS);
  const response = await net.send({
    method,
    url: new URL(url),
    headers: Object.fromEntries(new Headers(headers)),
    ...(body === undefined || body === null ? {} : { body: new TextEncoder().encode(String(body)) }),
    tls,
    stop: signal ? AbortSignal.any([signal, late]) : late,
  });
  const text = await response.text(MAX_RESPONSE_BYTES);
  const isEmpty = response.status === 204 || response.status === 304;
  return new Response(isEmpty ? null : text, { status: response.status, headers: response.headers });
}
