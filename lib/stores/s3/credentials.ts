/** All kinds of S3 credentials, renewed before they expire. */
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { HttpRequest, Net } from "@tiphys/base/net";
import { type DriverEnvironment, secretOf, StoreError } from "@tiphys/model/artifact";
import { assertMayUseIdentity } from "../identity.ts";
import { kindOfStatus, retryAfter, send, statusText } from "@tiphys/artifacts/store_request";
import { kindOfCode, readError } from "./errors.ts";
import type { S3Fields } from "./settings.ts";
import { type AwsKeys, sha256, signHeaders } from "./signature.ts";
import { textOf } from "./xml.ts";

/** A source of current keys. */
export interface CredentialSource {
  /**
   * Returns the keys; undefined for anonymous requests to public objects.
   * @throws {StoreError} when credentials are required and not found.
   */
  get(stop: AbortSignal): Promise<AwsKeys | undefined>;
  /** Called when the store reports expired keys. Returns false when they cannot be renewed. */
  renew(): Promise<boolean>;
}

/** A source that always returns keys or throws. */
export interface FoundCredentials extends CredentialSource {
  get(stop: AbortSignal): Promise<AwsKeys>;
}

/** Temporary keys. */
interface TemporaryKeys {
  readonly keys: AwsKeys;
  /** Expiration time in milliseconds since the epoch. */
  readonly until?: number | undefined;
}

/** Looks for credentials in one place; undefined when it finds nothing. */
type Find = (stop: AbortSignal) => Promise<TemporaryKeys | undefined>;

/** Credentials are renewed this many milliseconds before they expire. */
const RENEW_BEFORE_MILLIS = 5 * 60_000;

/** The addresses at which machines and containers of AWS get temporary credentials. */
const METADATA_ADDRESS = "http://169.254.169.254";
const CONTAINER_ADDRESS = "http://169.254.170.2";

/** Maximum number of bytes of a response that are read. */
const MAX_RESPONSE_BYTES = 65_536;

/** Texts in error messages about credentials. */
export interface CredentialTexts {
  /** The prefix of messages. */
  readonly prefix: string;
  /** The message when no credentials are found. */
  readonly notFound: string;
}

const OF_S3: CredentialTexts = {
  prefix: "s3",
  notFound:
    "There are no credentials for s3: neither accessKeySecret and secretKeySecret, nor any of this pod or machine",
};

/**
 * Returns the credentials of a location, in order of precedence: its own keys, an assumed role, those of the
 * environment.
 */
export async function credentialsOf(
  fields: S3Fields,
  environment: DriverEnvironment,
  words = OF_S3,
): Promise<FoundCredentials> {
  const accessKey = (await secretOf(environment, fields.accessKeySecret))?.trim();
  const secretKey = (await secretOf(environment, fields.secretKeySecret))?.trim();
  if (accessKey && secretKey) {
    const sessionToken = (await secretOf(environment, fields.sessionTokenSecret))?.trim();
    const keys = { accessKey, secretKey, sessionToken: sessionToken || undefined };
    return { get: () => Promise.resolve(keys), renew: () => Promise.resolve(false) };
  }
  const around = new EnvironmentCredentials(environment, fields, words.prefix);
  const permitted = (find: Find): Find => async (stop) => {
    assertMayUseIdentity(environment, words.prefix);
    return await find(stop);
  };
  const found = permitted(around.findInChain(fields.useSDKCreds === true || fields.roleARN !== undefined));
  return cacheCredentials(
    fields.roleARN ? around.assumeRole(fields.roleARN, found) : found,
    environment.now,
    words.notFound,
  );
}

/** Caches temporary keys until shortly before they expire. Concurrent callers share one request. */
function cacheCredentials(find: Find, now: () => number, none: string): FoundCredentials {
  let lent: TemporaryKeys | undefined;
  let asking: Promise<TemporaryKeys | undefined> | undefined;
  return {
    async get(stop) {
      if (lent && (lent.until === undefined || now() < lent.until - RENEW_BEFORE_MILLIS)) return lent.keys;
      asking ??= find(stop).finally(() => asking = undefined);
      try {
        lent = await asking;
      } catch (error) {
        // Keys that are still valid remain in use.
        if (!lent || (lent.until !== undefined && now() >= lent.until)) throw error;
      }
      if (!lent) throw new StoreError(none, "forbidden");
      return lent.keys;
    },
    renew() {
      if (lent && lent.until === undefined && lent.keys.sessionToken === undefined) return Promise.resolve(false);
      lent = undefined;
      return Promise.resolve(true);
    },
  };
}

/** The credentials in the environment of a process. */
class EnvironmentCredentials {
  readonly #env: DriverEnvironment["env"];
  readonly #net: Net;
  readonly #now: () => number;
  readonly #region: string;
  readonly #asker: string;

  constructor({ env, net, now }: DriverEnvironment, fields: S3Fields, requester: string) {
    this.#asker = requester;
    this.#env = env;
    this.#net = net;
    this.#now = now;
    this.#region = fields.region || env("AWS_REGION") || env("AWS_DEFAULT_REGION") || "us-east-1";
  }

  /** Looks into one place after the other; with `all`, also into environment variables and files. */
  findInChain(all: boolean): Find {
    const places: Find[] = [
      ...(all ? [() => Promise.resolve(this.#variables()), () => this.#files()] : []),
      (stop) => this.#webIdentity(stop),
      (stop) => this.#container(stop),
      (stop) => this.#machine(stop),
    ];
    return async (stop) => {
      for (const find of places) {
        const lent = await find(stop);
        if (lent) return lent;
      }
      return undefined;
    };
  }

  /** Returns a role that is assumed with other credentials. */
  assumeRole(role: string, find: Find): Find {
    return async (stop) => {
      const own = await find(stop);
      if (!own) throw new StoreError(`There are no credentials to assume ${role} with`, "forbidden");
      return await this.#sts({ Action: "AssumeRole", RoleArn: role }, stop, own.keys);
    };
  }

  #variables(): TemporaryKeys | undefined {
    const [accessKey, secretKey] = [this.#env("AWS_ACCESS_KEY_ID"), this.#env("AWS_SECRET_ACCESS_KEY")];
    if (!accessKey || !secretKey) return undefined;
    return { keys: { accessKey, secretKey, sessionToken: this.#env("AWS_SESSION_TOKEN") || undefined } };
  }

  async #files(): Promise<TemporaryKeys | undefined> {
    const home = this.#env("HOME");
    const path = this.#env("AWS_SHARED_CREDENTIALS_FILE") ?? (home && `${home}/.aws/credentials`);
    if (!path) return undefined;
    const text = await Deno.readTextFile(path).catch(() => undefined);
    const profile = text === undefined ? undefined : profileOf(text, this.#env("AWS_PROFILE") ?? "default");
    const { aws_access_key_id: accessKey, aws_secret_access_key: secretKey, aws_session_token: token } = profile ?? {};
    return accessKey && secretKey ? { keys: { accessKey, secretKey, sessionToken: token } } : undefined;
  }

  /** Uses the token of a service account, which Kubernetes renews in its file. */
  async #webIdentity(stop: AbortSignal): Promise<TemporaryKeys | undefined> {
    const [file, role] = [this.#env("AWS_WEB_IDENTITY_TOKEN_FILE"), this.#env("AWS_ROLE_ARN")];
    if (!file || !role) return undefined;
    const token = await readToken(file, "AWS_WEB_IDENTITY_TOKEN_FILE");
    return await this.#sts({ Action: "AssumeRoleWithWebIdentity", RoleArn: role, WebIdentityToken: token }, stop);
  }

  async #sts(action: Readonly<Record<string, string>>, stop: AbortSignal, keys?: AwsKeys): Promise<TemporaryKeys> {
    const china = this.#region.startsWith("cn-") ? ".cn" : "";
    const url = new URL(this.#env("AWS_ENDPOINT_URL_STS") ?? `https://sts.${this.#region}.amazonaws.com${china}/`);
    const session = this.#env("AWS_ROLE_SESSION_NAME") ?? `tiphys-${this.#now()}`;
    const form = new URLSearchParams({ Version: "2011-06-15", RoleSessionName: session, ...action });
    const body = new TextEncoder().encode(form.toString());
    let headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded" };
    if (keys) {
      headers = signHeaders(
        { method: "POST", path: url.pathname, query: [], host: url.host, headers, payload: sha256(body) },
        keys,
        { service: "sts", region: this.#region, at: this.#now() },
      );
    }
    const text = await this.#text(
      { method: "POST", url, headers, body, stop },
      `${action.Action} of ${action.RoleArn}`,
    );
    const keysOf = (name: string) => textOf(text, name) ?? "";
    return this.#temporaryKeys(
      keysOf("AccessKeyId"),
      keysOf("SecretAccessKey"),
      keysOf("SessionToken"),
      keysOf("Expiration"),
    );
  }

  /** Returns the credentials that ECS and EKS pod identities provide to a container. */
  async #container(stop: AbortSignal): Promise<TemporaryKeys | undefined> {
    const relative = this.#env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const full = this.#env("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    if (!relative && !full) return undefined;
    const url = new URL(relative ? CONTAINER_ADDRESS + relative : full!);
    const file = this.#env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    const token = file
      ? await readToken(file, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
      : this.#env("AWS_CONTAINER_AUTHORIZATION_TOKEN");
    const headers: Record<string, string> = token ? { authorization: token } : {};
    return this.#parseTemporaryKeys(
      await this.#text({ method: "GET", url, headers, stop }, "The credentials of this container"),
    );
  }

  /** Returns the credentials that an EC2 machine provides to its processes. */
  async #machine(stop: AbortSignal): Promise<TemporaryKeys | undefined> {
    if (/^true$/i.test(this.#env("AWS_EC2_METADATA_DISABLED") ?? "")) return undefined;
    const base = this.#env("AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? METADATA_ADDRESS;
    const at = (path: string) => new URL(`/latest/${path}`, base);
    const lifetime = { "x-aws-ec2-metadata-token-ttl-seconds": "21600" };
    let token: string;
    try {
      const request = { method: "PUT", url: at("api/token"), headers: lifetime, stop };
      token = await this.#text(request, "The token of this machine's metadata");
    } catch (error) {
      stop.throwIfAborted();
      if (error instanceof StoreError) return undefined; // It is not an EC2 machine.
      throw error;
    }
    const headers = { "x-aws-ec2-metadata-token": token };
    const roles = "meta-data/iam/security-credentials/";
    const role = (await this.#text({ method: "GET", url: at(roles), headers, stop }, "The role of this machine"))
      .trim();
    const url = at(roles + role.split("\n")[0]);
    return this.#parseTemporaryKeys(
      await this.#text({ method: "GET", url, headers, stop }, "The credentials of this machine"),
    );
  }

  async #text(request: HttpRequest, operation: string): Promise<string> {
    const response = await send(this.#net, request, `${this.#asker}: ${operation}`);
    const text = await response.text(MAX_RESPONSE_BYTES);
    if (response.status < 300) return text;
    const { code, message } = readError(text);
    const words = [statusText(response.status), code, message].filter(Boolean).join(": ");
    const kind = kindOfCode(response.status, code) ?? kindOfStatus(response.status);
    throw new StoreError(
      `${this.#asker}: ${operation} failed: ${words}`,
      kind === "missing" ? "forbidden" : kind,
      retryAfter(response, this.#now),
    );
  }

  #temporaryKeys(accessKey: string, secretKey: string, sessionToken: string, expiration: string): TemporaryKeys {
    if (!accessKey || !secretKey) {
      throw new StoreError(`${this.#asker}: the response contains no credentials`, "transient");
    }
    const until = Date.parse(expiration);
    return {
      keys: { accessKey, secretKey, sessionToken: sessionToken || undefined },
      until: Number.isNaN(until) ? undefined : until,
    };
  }

  #parseTemporaryKeys(text: string): TemporaryKeys {
    let said: unknown;
    try {
      said = parseJson(text);
    } catch (error) {
      const message = `${this.#asker}: the response with credentials is not JSON`;
      throw new StoreError(message, "transient", undefined, { cause: error });
    }
    const fields = fieldsOf(said);
    const word = (name: string) => typeof fields[name] === "string" ? fields[name] : "";
    return this.#temporaryKeys(word("AccessKeyId"), word("SecretAccessKey"), word("Token"), word("Expiration"));
  }
}

async function readToken(path: string, variable: string): Promise<string> {
  try {
    return (await Deno.readTextFile(path)).trim();
  } catch (error) {
    throw new StoreError(`The file of ${variable} cannot be read`, "final", undefined, { cause: error });
  }
}

/** Returns the settings of a profile in a file of `[name]` and `key = value`. */
function profileOf(text: string, name: string): Readonly<Record<string, string>> {
  const profile: Record<string, string> = {};
  let inside = false;
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed.startsWith("[")) inside = trimmed === `[${name}]` || trimmed === `[profile ${name}]`;
    const equals = trimmed.indexOf("=");
    if (inside && equals > 0) profile[trimmed.slice(0, equals).trim()] = trimmed.slice(equals + 1).trim();
  }
  return profile;
}
