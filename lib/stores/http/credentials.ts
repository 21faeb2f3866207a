/** The credentials of requests to web servers: headers, name and password, a certificate, or an OAuth 2 token. */
import { basicAuthorization } from "@tiphys/base/basic_authorization";
import type { TlsOptions } from "@tiphys/base/net";
import { type DriverEnvironment, type SecretField, secretOf, StoreError } from "@tiphys/model/artifact";
import { clientToken } from "./oauth2.ts";

/** The fields of an `http` artifact. */
export interface HttpSettings {
  readonly url?: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly auth?: {
    readonly basicAuth?: { readonly usernameSecret?: SecretField; readonly passwordSecret?: SecretField };
    readonly clientCert?: { readonly clientCertSecret?: SecretField; readonly clientKeySecret?: SecretField };
    readonly oauth2?: {
      readonly clientIDSecret?: SecretField;
      readonly clientSecretSecret?: SecretField;
      readonly tokenURLSecret?: SecretField;
      readonly scopes?: readonly string[];
      readonly endpointParams?: readonly { readonly key: string; readonly value?: string }[];
    };
  };
}

/** The credentials for one server. */
export interface Credentials {
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsOptions;
  /** Drops a token that the server rejected, so that the next request fetches another. */
  readonly refused?: () => void;
}

/** Returns the source of credentials of an `http` artifact, which is called for each request. */
export function credentialsOf(
  { headers = [], auth = {} }: HttpSettings,
  environment: DriverEnvironment,
): (stop: AbortSignal) => Promise<Credentials> {
  const { basicAuth, clientCert, oauth2 } = auth;
  const hasCertificate = clientCert?.clientCertSecret !== undefined || clientCert?.clientKeySecret !== undefined;
  const hasToken = oauth2?.clientIDSecret !== undefined || oauth2?.tokenURLSecret !== undefined;
  if (hasCertificate && hasToken) {
    throw new StoreError("http: auth.clientCert and auth.oauth2 cannot be used together", "final");
  }
  return async (stop) => {
    const all: Record<string, string> = {};
    for (const { name, value } of headers) all[name.toLowerCase()] = headerValue(name, value);
    const authorization = basic(
      await secretOf(environment, basicAuth?.usernameSecret),
      await secretOf(environment, basicAuth?.passwordSecret),
    );
    if (authorization) all.authorization = authorization;
    if (hasCertificate) {
      const cert = await secretOf(environment, clientCert!.clientCertSecret);
      const key = await secretOf(environment, clientCert!.clientKeySecret);
      if (!cert || !key) {
        throw new StoreError("http: clientCert needs both, clientCertSecret and clientKeySecret", "final");
      }
      return { headers: all, tls: { cert, key } };
    }
    if (!hasToken) return { headers: all };
    const token = await clientToken(environment, {
      tokenUrl: await requireSecret(environment, oauth2!.tokenURLSecret, "tokenURLSecret"),
      id: await requireSecret(environment, oauth2!.clientIDSecret, "clientIDSecret"),
      secret: await requireSecret(environment, oauth2!.clientSecretSecret, "clientSecretSecret"),
      scopes: oauth2!.scopes ?? [],
      params: oauth2!.endpointParams ?? [],
    }, stop);
    return { headers: { ...all, authorization: token.authorization }, refused: token.forget };
  };
}

async function requireSecret(
  environment: DriverEnvironment,
  field: SecretField | undefined,
  name: string,
): Promise<string> {
  const value = (await secretOf(environment, field))?.trim();
  if (value) return value;
  throw new StoreError(`http: auth.oauth2.${name} is missing, or its secret is empty`, "final");
}

/** Encodes a header value as UTF-8, with one character per byte. */
function headerValue(name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new StoreError(`http: the header ${name} has a line break in its value`, "final");
  return toBinaryString(value);
}

/** Returns the `Authorization` header of a name and password in UTF-8; undefined unless both are set. */
export function basic(username: string | undefined, password: string | undefined): string | undefined {
  if (!username || !password) return undefined;
  return basicAuthorization(username, password);
}

function toBinaryString(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
