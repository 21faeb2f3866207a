/** Credentials of an Azure account: its key, a shared access signature, or the identity of the environment. */
import { createHmac } from "node:crypto";
import { Buffer } from "node:buffer";
import { type DriverEnvironment, type SecretField, secretOf, StoreError } from "@tiphys/model/artifact";
import { assertMayUseIdentity } from "../identity.ts";
import { identityToken } from "./identity.ts";

/** A request before it is signed. */
export interface Unsigned {
  readonly method: string;
  /** The path as it is sent. */
  readonly path: string;
  /** The query; its values are not encoded yet. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
}

/** Proof of the sender's identity: headers, or a signed query. */
export interface SignatureParts {
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended to the query unchanged. */
  readonly query?: string;
  /** Called when the token was rejected, so that the next request fetches another. */
  readonly forget?: () => void;
}

/** Signs a request. */
export type Authorize = (request: Unsigned, stop: AbortSignal) => Promise<SignatureParts>;

interface Credentials {
  readonly account: string;
  readonly accountKeySecret: SecretField | undefined;
  readonly useSDKCreds: boolean | undefined;
}

/** Returns the signer for the credentials in the fields of an artifact. */
export function azureCredentials(environment: DriverEnvironment, credentials: Credentials): Authorize {
  const { account, accountKeySecret, useSDKCreds } = credentials;
  if (useSDKCreds) {
    assertMayUseIdentity(environment, "azure");
    return async (_request, stop) => {
      const { value, forget } = await identityToken(environment, stop);
      return { headers: { authorization: `Bearer ${value}` }, forget };
    };
  }
  const noKey = () =>
    new StoreError("accountKey secret is required for Azure Blob Storage if useSDKCreds is false", "final");
  if (!accountKeySecret) throw noKey();
  let key: Promise<string | undefined> | undefined;
  return async (request) => {
    key ??= secretOf(environment, accountKeySecret);
    const value = (await key)?.trim();
    if (!value) throw noKey();
    if (isSas(value)) return { query: value.replace(/^[?&]/, "") };
    return { headers: { authorization: sharedKey(account, value, request) } };
  };
}

/**
 * Whether the value is a shared access signature, which contains `name=value`. A key is base64, with `=` only at its
 * end.
 */
function isSas(value: string): boolean {
  return /[?&]/.test(value) || /^[A-Za-z]+=[^=]/.test(value);
}

/** Returns the `Authorization` header for an account key. */
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
