/** Credentials of an Azure account: its key, a shared access signature, or the identity that the environment gives a program. */
import { createHmac } from "node:crypto";
import { Buffer } from "node:buffer";
import { StoreError, type Surroundings } from "../driver.ts";
import { assertMayUseIdentity } from "../identity.ts";
import { type SecretField, secretOf } from "../secret_fields.ts";
import { identityToken } from "./identity.ts";

/** A request as it is signed. */
export interface Unsigned {
  readonly method: string;
  /** As it is sent. */
  readonly path: string;
  /** Its values are not encoded yet. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
}

/** The parts that prove to the server who sends a request: headers, or a signed query. */
export interface Signed {
  readonly headers?: Readonly<Record<string, string>>;
  /** Put behind the query, as it is. */
  readonly query?: string;
  /** The token was refused: the next request fetches another. */
  readonly forget?: () => void;
}

/** Signs requests. */
export type Authorize = (request: Unsigned, stop: AbortSignal) => Promise<Signed>;

interface Credentials {
  readonly account: string;
  readonly accountKeySecret: SecretField | undefined;
  readonly useSDKCreds: boolean | undefined;
}

/** The signer of requests with the credentials that the fields of an artifact name. */
export function azureCredentials(surroundings: Surroundings, credentials: Credentials): Authorize {
  const { account, accountKeySecret, useSDKCreds } = credentials;
  if (useSDKCreds) {
    assertMayUseIdentity(surroundings, "azure");
    return async (_request, stop) => {
      const { value, forget } = await identityToken(surroundings, stop);
      return { headers: { authorization: `Bearer ${value}` }, forget };
    };
  }
  const noKey = () =>
    new StoreError("accountKey secret is required for Azure Blob Storage if useSDKCreds is false", "final");
  if (!accountKeySecret) throw noKey();
  let key: Promise<string | undefined> | undefined;
  return async (request) => {
    key ??= secretOf(surroundings, accountKeySecret);
    const value = (await key)?.trim();
    if (!value) throw noKey();
    if (isSas(value)) return { query: value.replace(/^[?&]/, "") };
    return { headers: { authorization: sharedKey(account, value, request) } };
  };
}

/** A signature of shared access has `name=value`; a key is base64, whose `=` stand at its end. */
function isSas(value: string): boolean {
  return /[?&]/.test(value) || /^[A-Za-z]+=[^=]/.test(value);
}

/** The `Authorization` of an account's key. */
export function sharedKey(account: string, key: string, { method, path, query, headers, length }: Unsigned): string {
  const of = (name: string) => headers[name] ?? "";
  const own = Object.keys(headers).filter((name) => name.startsWith("x-ms-")).sort();
  const names = Object.keys(query).sort();
  const text = [
    method,
    of("content-encoding"),
    of("content-language"),
    length === 0 ? "" : String(length),
    of("content-md5"),
    of("content-type"),
    "",
    of("if-modified-since"),
    of("if-match"),
    of("if-none-match"),
    of("if-unmodified-since"),
    of("range"),
    ...own.map((name) => `${name}:${of(name)}`),
    `/${account}${path}`,
    ...names.map((name) => `${name.toLowerCase()}:${query[name]}`),
  ].join("\n");
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text, "utf8").digest("base64");
  return `SharedKey ${account}:${signature}`;
}
