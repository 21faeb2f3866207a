/**
 * Credentials of OSS: keys in secrets, else those of the environment: keys, a role by OIDC, the role of the machine.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import type { LifecycleRule } from "./lifecycle.ts";
import { type DriverEnvironment, type SecretField, secretOf, StoreError } from "@tiphys/model/artifact";
import { assertMayUseIdentity } from "../identity.ts";
import { getOrFetchToken, type IssuedToken } from "../cached_tokens.ts";
import { parseErrorBody, parseJsonResponse, responseFailure, send } from "@tiphys/artifacts/store_request";

/** The fields of an `oss` artifact. */
export interface OssSettings {
  readonly endpoint?: string;
  readonly bucket?: string;
  readonly accessKeySecret?: SecretField;
  readonly secretKeySecret?: SecretField;
  readonly securityToken?: string;
  readonly createBucketIfNotPresent?: boolean;
  readonly lifecycleRule?: LifecycleRule;
  readonly useSDKCreds?: boolean;
}

/** An access key and its secret. With a token, they are temporary. */
export interface OssKeys {
  readonly id: string;
  readonly secret: string;
  readonly token?: string;
}

const STS = "https://sts.aliyuncs.com";
const METADATA = "http://100.100.100.200/latest/meta-data/ram/security-credentials/";

/** Returns the source of keys, which is called for each request. */
export function ossCredentials(
  settings: OssSettings,
  environment: DriverEnvironment,
): (stop: AbortSignal) => Promise<OssKeys> {
  const { accessKeySecret, secretKeySecret, securityToken, useSDKCreds } = settings;
  if (!accessKeySecret !== !secretKeySecret) {
    throw new StoreError("oss: accessKeySecret and secretKeySecret are needed together", "final");
  }
  if (useSDKCreds) {
    assertMayUseIdentity(environment, "oss");
    return (stop) => environmentKeys(environment, stop);
  }
  if (!accessKeySecret) {
    throw new StoreError("oss: accessKeySecret and secretKeySecret are needed where useSDKCreds is false", "final");
  }
  return async () => {
    const id = (await secretOf(environment, accessKeySecret))?.trim();
    const secret = (await secretOf(environment, secretKeySecret))?.trim();
    if (!id || !secret) {
      throw new StoreError("oss: the secrets of accessKeySecret and secretKeySecret are empty", "final");
    }
    return { id, secret, ...securityToken ? { token: securityToken } : {} };
  };
}

async function environmentKeys(environment: DriverEnvironment, stop: AbortSignal): Promise<OssKeys> {
  const { env } = environment;
  const id = env("ALIBABA_CLOUD_ACCESS_KEY_ID");
  const secret = env("ALIBABA_CLOUD_ACCESS_KEY_SECRET");
  const token = env("ALIBABA_CLOUD_SECURITY_TOKEN");
  if (id && secret) return { id, secret, ...token ? { token } : {} };
  const role = env("ALIBABA_CLOUD_ROLE_ARN");
  const provider = env("ALIBABA_CLOUD_OIDC_PROVIDER_ARN");
  const file = env("ALIBABA_CLOUD_OIDC_TOKEN_FILE");
  const machine = env("ALIBABA_CLOUD_ECS_METADATA");
  const fetch = role && provider && file
    ? () => fetchOidcKeys(environment, { role, provider, file }, stop)
    : () => fetchMachineKeys(environment, machine, stop);
  const { value } = await getOrFetchToken(
    environment,
    `oss ${JSON.stringify([role, provider, file, machine])}`,
    fetch,
  );
  return parseCachedKeys(value);
}

/** Parses keys of a cached token, as written by {@link keysOf}. */
function parseCachedKeys(text: string): OssKeys {
  const { id, secret, token } = fieldsOf(JSON.parse(text));
  return { id: String(id), secret: String(secret), ...typeof token === "string" ? { token } : {} };
}

interface Role {
  readonly role: string;
  readonly provider: string;
  readonly file: string;
}

async function fetchOidcKeys(
  environment: DriverEnvironment,
  { role, provider, file }: Role,
  stop: AbortSignal,
): Promise<IssuedToken> {
  const token = await Deno.readTextFile(file).catch((cause) => {
    const message = `oss: ALIBABA_CLOUD_OIDC_TOKEN_FILE names ${file}, which cannot be read`;
    throw new StoreError(message, "final", undefined, { cause });
  });
  const written = environment.env("ALIBABA_CLOUD_STS_ENDPOINT") ?? STS;
  const url = URL.parse(written.includes("://") ? written : `https://${written}`);
  if (!url) throw new StoreError("oss: ALIBABA_CLOUD_STS_ENDPOINT is not a valid URL", "final");
  const form = new URLSearchParams({
    Action: "AssumeRoleWithOIDC",
    Format: "JSON",
    Version: "2015-04-01",
    Timestamp: new Date(environment.now()).toISOString().replace(/\.\d+Z$/, "Z"),
    SignatureNonce: crypto.randomUUID(),
    RoleArn: role,
    OIDCProviderArn: provider,
    OIDCToken: token.trim(),
    RoleSessionName: environment.env("ALIBABA_CLOUD_ROLE_SESSION_NAME") ?? "tiphys",
  });
  const what = "oss: assuming the role ALIBABA_CLOUD_ROLE_ARN";
  const answer = await send(environment.net, {
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new TextEncoder().encode(form.toString()),
    stop,
  }, what);
  return await keysOf(environment, answer, what);
}

async function fetchMachineKeys(
  environment: DriverEnvironment,
  role: string | undefined,
  stop: AbortSignal,
): Promise<IssuedToken> {
  const what = "oss: reading the role's keys from the metadata service";
  const base = environment.env("ALIBABA_CLOUD_ECS_METADATA_ENDPOINT") ?? METADATA;
  const ask = (name: string) => send(environment.net, { method: "GET", url: new URL(name, base), stop }, what);
  let name = role;
  if (!name) {
    const answer = await ask("");
    if (answer.status !== 200) throw await rejectionError(environment, answer, what);
    name = (await answer.text()).trim();
  }
  return await keysOf(environment, await ask(encodeURIComponent(name)), what);
}

type Answer = Parameters<typeof responseFailure>[0];

function rejectionError(environment: DriverEnvironment, answer: Answer, operation: string): Promise<StoreError> {
  const kindOf = (status: number) => status === 404 || status === 400 ? "forbidden" as const : undefined;
  return responseFailure(answer, operation, {
    now: environment.now,
    read: (text) => parseErrorBody(text, "Code", "Message"),
    kindOf,
  });
}

async function keysOf(environment: DriverEnvironment, answer: Answer, operation: string): Promise<IssuedToken> {
  if (answer.status !== 200) throw await rejectionError(environment, answer, operation);
  const body = fieldsOf(parseJsonResponse(await answer.text(), operation));
  const { AccessKeyId: id, AccessKeySecret: secret, SecurityToken: token, Expiration: until } = fieldsOf(
    body.Credentials ?? body,
  );
  if (typeof id !== "string" || typeof secret !== "string") {
    throw new StoreError(`${operation} failed: the response contains no keys`, "final");
  }
  return { value: JSON.stringify({ id, secret, token }), expiresAt: Date.parse(String(until)) || environment.now() };
}
