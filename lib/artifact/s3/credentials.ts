/** The credentials of S3, of every kind, renewed before they expire. */
import { parseJson } from "../../bounded_json.ts";
import { fieldsOf } from "../../fields_of.ts";
import type { HttpRequest, Net } from "../../net/mod.ts";
import { StoreError, type Surroundings } from "../driver.ts";
import { assertMayUseIdentity } from "../identity.ts";
import { secretOf } from "../secret_fields.ts";
import { kindOfStatus, retryAfter, send, statusText } from "../store_request.ts";
import { kindOfCode, readError } from "./errors.ts";
import type { S3Fields } from "./settings.ts";
import { type AwsKeys, sha256, signed } from "./signature.ts";
import { textOf } from "./xml.ts";

/** Keys that are current. */
export interface CredentialSource {
  /** Undefined asks as nobody: for what everybody may read. @throws {StoreError} when there should be some and are none. */
  get(stop: AbortSignal): Promise<AwsKeys | undefined>;
  /** The store found them expired: false when there will never be others. */
  renew(): Promise<boolean>;
}

/** A source that nobody asks without getting keys. */
export interface FoundCredentials extends CredentialSource {
  get(stop: AbortSignal): Promise<AwsKeys>;
}

/** Keys that end some time. */
interface Lent {
  readonly keys: AwsKeys;
  /** Milliseconds since 1970. */
  readonly until?: number | undefined;
}

/** Looks for credentials in one place; undefined when there are none of its kind. */
type Find = (stop: AbortSignal) => Promise<Lent | undefined>;

/** The time before their end at which credentials are renewed, milliseconds. */
const RENEW_BEFORE_MILLIS = 5 * 60_000;

/** The addresses at which machines and containers of AWS ask for the credentials that they are lent. */
const METADATA_ADDRESS = "http://169.254.169.254";
const CONTAINER_ADDRESS = "http://169.254.170.2";

/** The most bytes of an answer that are read. */
const ANSWER_BYTES = 65_536;

/** The words of errors about credentials, for whoever asks for them. */
export interface CredentialWords {
  /** Who asks, in front of what went wrong. */
  readonly asker: string;
  /** Said where there are none. */
  readonly none: string;
}

const OF_S3: CredentialWords = {
  asker: "s3",
  none: "There are no credentials for s3: neither accessKeySecret and secretKeySecret, nor any of this pod or machine",
};

/**
 * The credentials that a location asks for: its own keys, before a role that is assumed, before those that the process
 * finds around it.
 */
export async function credentialsOf(
  fields: S3Fields,
  surroundings: Surroundings,
  words = OF_S3,
): Promise<FoundCredentials> {
  const accessKey = (await secretOf(surroundings, fields.accessKeySecret))?.trim();
  const secretKey = (await secretOf(surroundings, fields.secretKeySecret))?.trim();
  if (accessKey && secretKey) {
    const sessionToken = (await secretOf(surroundings, fields.sessionTokenSecret))?.trim();
    const keys = { accessKey, secretKey, sessionToken: sessionToken || undefined };
    return { get: () => Promise.resolve(keys), renew: () => Promise.resolve(false) };
  }
  const around = new Around(surroundings, fields, words.asker);
  const permitted = (find: Find): Find => async (stop) => {
    assertMayUseIdentity(surroundings, words.asker);
    return await find(stop);
  };
  const found = permitted(around.chain(fields.useSDKCreds === true || fields.roleARN !== undefined));
  return renewed(fields.roleARN ? around.assumed(fields.roleARN, found) : found, surroundings.now, words.none);
}

/** Keeps what was lent until shortly before its end; those who ask at once share one question. */
function renewed(find: Find, now: () => number, none: string): FoundCredentials {
  let lent: Lent | undefined;
  let asking: Promise<Lent | undefined> | undefined;
  return {
    async get(stop) {
      if (lent && (lent.until === undefined || now() < lent.until - RENEW_BEFORE_MILLIS)) return lent.keys;
      asking ??= find(stop).finally(() => asking = undefined);
      try {
        lent = await asking;
      } catch (error) {
        // Borrowed credentials that are still valid go on being used.
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

/** The credentials that a process finds around it. */
class Around {
  readonly #env: Surroundings["env"];
  readonly #net: Net;
  readonly #now: () => number;
  readonly #region: string;
  readonly #asker: string;

  constructor({ env, net, now }: Surroundings, fields: S3Fields, asker: string) {
    this.#asker = asker;
    this.#env = env;
    this.#net = net;
    this.#now = now;
    this.#region = fields.region || env("AWS_REGION") || env("AWS_DEFAULT_REGION") || "us-east-1";
  }

  /** Looks into one place after the other; with `all` into the environment and files, too. */
  chain(all: boolean): Find {
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

  /** A role, assumed with what else is found. */
  assumed(role: string, find: Find): Find {
    return async (stop) => {
      const own = await find(stop);
      if (!own) throw new StoreError(`There are no credentials to assume ${role} with`, "forbidden");
      return await this.#sts({ Action: "AssumeRole", RoleArn: role }, stop, own.keys);
    };
  }

  #variables(): Lent | undefined {
    const [accessKey, secretKey] = [this.#env("AWS_ACCESS_KEY_ID"), this.#env("AWS_SECRET_ACCESS_KEY")];
    if (!accessKey || !secretKey) return undefined;
    return { keys: { accessKey, secretKey, sessionToken: this.#env("AWS_SESSION_TOKEN") || undefined } };
  }

  async #files(): Promise<Lent | undefined> {
    const home = this.#env("HOME");
    const path = this.#env("AWS_SHARED_CREDENTIALS_FILE") ?? (home && `${home}/.aws/credentials`);
    if (!path) return undefined;
    const text = await Deno.readTextFile(path).catch(() => undefined);
    const profile = text === undefined ? undefined : profileOf(text, this.#env("AWS_PROFILE") ?? "default");
    const { aws_access_key_id: accessKey, aws_secret_access_key: secretKey, aws_session_token: token } = profile ?? {};
    return accessKey && secretKey ? { keys: { accessKey, secretKey, sessionToken: token } } : undefined;
  }

  /** The token of a service account, which Kubernetes renews in its file. */
  async #webIdentity(stop: AbortSignal): Promise<Lent | undefined> {
    const [file, role] = [this.#env("AWS_WEB_IDENTITY_TOKEN_FILE"), this.#env("AWS_ROLE_ARN")];
    if (!file || !role) return undefined;
    const token = await readToken(file, "AWS_WEB_IDENTITY_TOKEN_FILE");
    return await this.#sts({ Action: "AssumeRoleWithWebIdentity", RoleArn: role, WebIdentityToken: token }, stop);
  }

  async #sts(wanted: Readonly<Record<string, string>>, stop: AbortSignal, keys?: AwsKeys): Promise<Lent> {
    const china = this.#region.startsWith("cn-") ? ".cn" : "";
    const url = new URL(this.#env("AWS_ENDPOINT_URL_STS") ?? `https://sts.${this.#region}.amazonaws.com${china}/`);
    const session = this.#env("AWS_ROLE_SESSION_NAME") ?? `tiphys-${this.#now()}`;
    const form = new URLSearchParams({ Version: "2011-06-15", RoleSessionName: session, ...wanted });
    const body = new TextEncoder().encode(form.toString());
    let headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded" };
    if (keys) {
      headers = signed(
        { method: "POST", path: url.pathname, query: [], host: url.host, headers, payload: sha256(body) },
        keys,
        { service: "sts", region: this.#region, at: this.#now() },
      );
    }
    const text = await this.#text(
      { method: "POST", url, headers, body, stop },
      `${wanted.Action} of ${wanted.RoleArn}`,
    );
    const keysOf = (name: string) => textOf(text, name) ?? "";
    return this.#lentOf(keysOf("AccessKeyId"), keysOf("SecretAccessKey"), keysOf("SessionToken"), keysOf("Expiration"));
  }

  /** The credentials that ECS and EKS pod identities lend to a container. */
  async #container(stop: AbortSignal): Promise<Lent | undefined> {
    const relative = this.#env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const full = this.#env("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    if (!relative && !full) return undefined;
    const url = new URL(relative ? CONTAINER_ADDRESS + relative : full!);
    const file = this.#env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    const token = file
      ? await readToken(file, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
      : this.#env("AWS_CONTAINER_AUTHORIZATION_TOKEN");
    const headers: Record<string, string> = token ? { authorization: token } : {};
    return this.#lentOfJson(
      await this.#text({ method: "GET", url, headers, stop }, "The credentials of this container"),
    );
  }

  /** The credentials that a machine of EC2 lends to every process that runs on it. */
  async #machine(stop: AbortSignal): Promise<Lent | undefined> {
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
      if (error instanceof StoreError) return undefined; // This is no machine of EC2.
      throw error;
    }
    const headers = { "x-aws-ec2-metadata-token": token };
    const roles = "meta-data/iam/security-credentials/";
    const role = (await this.#text({ method: "GET", url: at(roles), headers, stop }, "The role of this machine"))
      .trim();
    const url = at(roles + role.split("\n")[0]);
    return this.#lentOfJson(await this.#text({ method: "GET", url, headers, stop }, "The credentials of this machine"));
  }

  async #text(request: HttpRequest, what: string): Promise<string> {
    const response = await send(this.#net, request, `${this.#asker}: ${what}`);
    const text = await response.text(ANSWER_BYTES);
    if (response.status < 300) return text;
    const { code, message } = readError(text);
    const words = [statusText(response.status), code, message].filter(Boolean).join(": ");
    const kind = kindOfCode(response.status, code) ?? kindOfStatus(response.status);
    throw new StoreError(
      `${this.#asker}: ${what} failed: ${words}`,
      kind === "missing" ? "forbidden" : kind,
      retryAfter(response, this.#now),
    );
  }

  #lentOf(accessKey: string, secretKey: string, sessionToken: string, expiration: string): Lent {
    if (!accessKey || !secretKey) {
      throw new StoreError(`${this.#asker}: the answer about credentials has none`, "transient");
    }
    const until = Date.parse(expiration);
    return {
      keys: { accessKey, secretKey, sessionToken: sessionToken || undefined },
      until: Number.isNaN(until) ? undefined : until,
    };
  }

  #lentOfJson(text: string): Lent {
    let said: unknown;
    try {
      said = parseJson(text);
    } catch (error) {
      const message = `${this.#asker}: the answer about credentials is no JSON`;
      throw new StoreError(message, "transient", undefined, { cause: error });
    }
    const fields = fieldsOf(said);
    const word = (name: string) => typeof fields[name] === "string" ? fields[name] : "";
    return this.#lentOf(word("AccessKeyId"), word("SecretAccessKey"), word("Token"), word("Expiration"));
  }
}

async function readToken(path: string, variable: string): Promise<string> {
  try {
    return (await Deno.readTextFile(path)).trim();
  } catch (error) {
    throw new StoreError(`The file of ${variable} cannot be read`, "final", undefined, { cause: error });
  }
}

/** The settings of a profile in a file of `[name]` and `key = value`. */
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
