/** OAuth 2 tokens for programs (RFC 6749, client credentials), cached until they expire. */
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import type { HttpResponse } from "@tiphys/base/net";
import { type DriverEnvironment, StoreError } from "@tiphys/model/artifact";
import { getOrFetchToken, type IssuedToken } from "../cached_tokens.ts";
import { type ErrorBody, responseFailure, send } from "@tiphys/artifacts/store_request";

/** The client that requests a token, and the scopes. */
export interface Client {
  readonly tokenUrl: string;
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly params: readonly { readonly key: string; readonly value?: string }[];
}

/** A token of a client. */
export interface Token {
  /** The `authorization` header. */
  readonly authorization: string;
  /** Drops the token, so that the next request fetches another. */
  readonly forget: () => void;
}

/**
 * Returns the token of a client.
 * @throws {StoreError} when its server does not issue one.
 */
export async function clientToken(environment: DriverEnvironment, client: Client, stop: AbortSignal): Promise<Token> {
  const { value, forget } = await getOrFetchToken(
    environment,
    `oauth2 ${JSON.stringify(client)}`,
    () => fetchToken(environment, client, stop),
  );
  return { authorization: value, forget };
}

async function fetchToken(environment: DriverEnvironment, client: Client, stop: AbortSignal): Promise<IssuedToken> {
  const what = "fetching a token of OAuth 2";
  // Servers require the client's name and secret either in a header or in the body, which cannot be discovered.
  let answer = await requestToken(environment, client, "header", stop, what);
  if (answer.status === 400 || answer.status === 401) {
    await answer.discard();
    answer = await requestToken(environment, client, "body", stop, what);
  }
  if (answer.status !== 200) {
    throw await responseFailure(answer, what, {
      now: environment.now,
      read: oauthError,
      kindOf: (status) => status === 404 ? "final" : undefined,
    });
  }
  const text = await answer.text();
  const { access_token: value, token_type: type, expires_in: seconds } = parseResponseFields(text);
  if (typeof value !== "string" || value === "") {
    throw new StoreError(`${what} failed: the answer has no access_token`, "final");
  }
  const lasts = Number(seconds) > 0 ? Number(seconds) * 1000 : Infinity;
  const named = typeof type === "string" && type !== "" && type.toLowerCase() !== "bearer" ? type : "Bearer";
  return { value: `${named} ${value}`, expiresAt: environment.now() + lasts };
}

function requestToken(
  { net }: DriverEnvironment,
  { tokenUrl, id, secret, scopes, params }: Client,
  where: "header" | "body",
  stop: AbortSignal,
  operation: string,
): Promise<HttpResponse> {
  if (!URL.canParse(tokenUrl)) {
    throw new StoreError(`${operation} failed: the token's address is not a valid URL`, "final");
  }
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scopes.length > 0) form.set("scope", scopes.join(" "));
  for (const { key, value } of params) form.append(key, value ?? "");
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  if (where === "header") headers.authorization = `Basic ${btoa(`${formEncoded(id)}:${formEncoded(secret)}`)}`;
  else {
    form.set("client_id", id);
    form.set("client_secret", secret);
  }
  const body = new TextEncoder().encode(form.toString());
  return send(net, { method: "POST", url: new URL(tokenUrl), headers, body, stop }, operation);
}

function formEncoded(text: string): string {
  return new URLSearchParams({ a: text }).toString().slice(2);
}

/** Parses the fields of a response: JSON or, from older servers, a form. */
function parseResponseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(parseJson(text));
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

function oauthError(text: string): ErrorBody {
  const fields = parseResponseFields(text);
  return { code: textIn(fields, "error"), message: textIn(fields, "error_description") };
}
