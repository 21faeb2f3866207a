/** Google credentials: the service account key in a secret, else Application Default Credentials. */
import { parseJson } from "@tiphys/base/bounded_json";
import { isObject, textIn } from "@tiphys/base/fields_of";
import { type DriverEnvironment, type SecretField, secretOf, StoreError } from "@tiphys/model/artifact";
import { assertMayUseIdentity } from "../identity.ts";
import { signJwt } from "../jwt.ts";
import { type CachedToken, getOrFetchToken, type IssuedToken } from "../cached_tokens.ts";
import { send } from "@tiphys/artifacts/store_request";
import { parseTokenResponse } from "../token_answer.ts";

const SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const METADATA_HOST = "metadata.google.internal";
const HOUR_SECONDS = 3600;
const FETCHING = "gcs: fetching a token";

const KEY_FIELDS = [
  "type",
  "client_email",
  "private_key",
  "private_key_id",
  "token_uri",
  "client_id",
  "client_secret",
  "refresh_token",
] as const;

type KeyFile = Readonly<Partial<Record<typeof KEY_FIELDS[number], string | undefined>>>;

/** Returns the source of tokens, which is called for each request. */
export function googleCredentials(
  environment: DriverEnvironment,
  secret: SecretField | undefined,
): (stop: AbortSignal) => Promise<CachedToken> {
  let keyFile: Promise<KeyFile | undefined> | undefined;
  return async (stop) => {
    keyFile ??= secret ? readKeySecret(environment, secret) : fromEnvironment(environment);
    const key = await keyFile;
    return await getOrFetchToken(
      environment,
      `google ${key ? JSON.stringify(key) : "metadata"}`,
      () => key ? fromKeyFile(environment, key, stop) : fromMetadata(environment, stop),
    );
  };
}

async function readKeySecret(environment: DriverEnvironment, secret: SecretField): Promise<KeyFile | undefined> {
  const text = await secretOf(environment, secret);
  if (text === undefined) return fromEnvironment(environment);
  const key = parseKeyFile(text, "the secret of serviceAccountKeySecret");
  if (key.type === "service_account") return key;
  throw new StoreError(
    `gcs: serviceAccountKeySecret must hold the key of a service account (type "service_account"), and its type is ${
      JSON.stringify(key.type ?? null)
    }`,
    "final",
  );
}

/**
 * Returns the file named by the environment, else that of `gcloud auth application-default login`; undefined if it does
 * not exist.
 */
async function fromEnvironment(environment: DriverEnvironment): Promise<KeyFile | undefined> {
  assertMayUseIdentity(environment, "gcs");
  const { env } = environment;
  const named = env("GOOGLE_APPLICATION_CREDENTIALS");
  const folder = env("CLOUDSDK_CONFIG") ?? (env("HOME") ? `${env("HOME")}/.config/gcloud` : undefined);
  const path = named ?? (folder && `${folder}/application_default_credentials.json`);
  if (!path) return undefined;
  try {
    return parseKeyFile(await Deno.readTextFile(path), path);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (!named) return undefined;
    throw new StoreError(
      `gcs: GOOGLE_APPLICATION_CREDENTIALS names ${path}, which cannot be read`,
      "final",
      undefined,
      {
        cause: error,
      },
    );
  }
}

function parseKeyFile(text: string, where: string): KeyFile {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // The error is thrown below, without the text, which may contain credentials.
  }
  if (!isObject(value)) throw new StoreError(`gcs: ${where} does not contain credentials in JSON`, "final");
  const key: Partial<Record<typeof KEY_FIELDS[number], string | undefined>> = {};
  for (const name of KEY_FIELDS) key[name] = textIn(value, name);
  return key;
}

async function fromKeyFile(environment: DriverEnvironment, key: KeyFile, stop: AbortSignal): Promise<IssuedToken> {
  if (key.type === "service_account") {
    const { client_email: email, private_key: pem, private_key_id: id, token_uri: uri = TOKEN_URL } = key;
    if (!email || !pem) {
      throw new StoreError("gcs: the key of the service account lacks client_email or private_key", "final");
    }
    const now = Math.floor(environment.now() / 1000);
    const assertion = await signJwt(pem, id ? { kid: id } : {}, {
      iss: email,
      scope: SCOPE,
      aud: uri,
      iat: now,
      exp: now + HOUR_SECONDS,
    }).catch((error) => {
      throw new StoreError("gcs: the private_key of the service account is not an RSA key in PEM", "final", undefined, {
        cause: error,
      });
    });
    return await exchangeToken(environment, uri, {
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion,
    }, stop);
  }
  if (key.type === "authorized_user") {
    return await exchangeToken(environment, key.token_uri ?? TOKEN_URL, {
      grant_type: "refresh_token",
      client_id: key.client_id ?? "",
      client_secret: key.client_secret ?? "",
      refresh_token: key.refresh_token ?? "",
    }, stop);
  }
  throw new StoreError(
    `gcs: credentials of the type ${JSON.stringify(key.type ?? null)} are not supported: ` +
      "expected service_account, authorized_user, or the metadata server",
    "final",
  );
}

async function exchangeToken(
  environment: DriverEnvironment,
  uri: string,
  form: Readonly<Record<string, string>>,
  stop: AbortSignal,
): Promise<IssuedToken> {
  if (!URL.canParse(uri)) throw new StoreError("gcs: the token_uri of the credentials is not a valid URL", "final");
  const answer = await send(environment.net, {
    method: "POST",
    url: new URL(uri),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new TextEncoder().encode(new URLSearchParams(form).toString()),
    stop,
  }, FETCHING);
  return await parseTokenResponse(answer, FETCHING, environment.now);
}

async function fromMetadata(environment: DriverEnvironment, stop: AbortSignal): Promise<IssuedToken> {
  const host = environment.env("GCE_METADATA_HOST") ?? METADATA_HOST;
  const url = new URL(`http://${host}/computeMetadata/v1/instance/service-accounts/default/token`);
  const what = "gcs: there is no service account key; requesting a token from the metadata server";
  const request = { method: "GET", url, headers: { "metadata-flavor": "Google" }, stop };
  return await parseTokenResponse(await send(environment.net, request, what), FETCHING, environment.now);
}
