/** The registry protocol (OCI distribution, v2), as far as pulling needs it. */
import { ImageError } from "../kubelet/runtime/runtime.ts";
import { pause } from "../../lib/kube/mod.ts";
import { digestOf } from "./blob_store.ts";
import { parseChallenges } from "./challenge.ts";
import type { Credentials } from "./credentials.ts";
import { MANIFEST_TYPES } from "./manifest.ts";
import type { Endpoint } from "./registries.ts";
import { resumed } from "./resumed.ts";

/** No registry could be reached at all: there may be no network. */
export class RegistryUnreachable extends ImageError {
  constructor(message: string, options?: ErrorOptions) {
    super("ErrImagePull", message, options);
  }
}

/** Until a server that does not answer counts as unreachable; the content of layers may take as long as it takes. */
const ANSWER_WITHIN_MS = 10_000;

/** How long a server may have us wait, how long when it does not say, and how often. */
const LONGEST_WAIT_MS = 30_000;
const UNTOLD_WAIT_MS = 2_000;
const MOST_TRIES = 4;

const PARTIAL_CONTENT = 206;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

const LOG_IN = "; log in with docker login, or name an imagePullSecret";

/** A manifest as it came, and its digest. */
export interface FetchedManifest {
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** One repository at one server. */
export class RegistryClient {
  readonly #endpoint: Endpoint;
  readonly #repository: string;
  readonly #credentials: Credentials | undefined;
  #authorization: string | undefined;
  #http: Deno.HttpClient | undefined;

  /** `credentials` where the endpoint has none of its own. */
  constructor(endpoint: Endpoint, repository: string, credentials: Credentials | undefined) {
    this.#endpoint = endpoint;
    this.#repository = repository;
    this.#credentials = endpoint.credentials ?? credentials;
  }

  /** The manifest of a tag or digest. Throws ImageError; RegistryUnreachable when nobody answers. */
  async manifest(tagOrDigest: string): Promise<FetchedManifest> {
    const path = `manifests/${tagOrDigest}`;
    const response = await this.#get(path, { accept: MANIFEST_TYPES.join(", ") });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const digest = await digestOf(bytes);
    if (tagOrDigest.startsWith("sha256:") && tagOrDigest !== digest) {
      throw new ImageError("ErrImagePull", `the manifest ${tagOrDigest} does not match its digest: it is ${digest}`);
    }
    return { digest, bytes };
  }

  /** The content of a blob of so many bytes; its digest is not looked at here. */
  blob(digest: string, size: number): ReadableStream<Uint8Array> {
    return resumed(async (from) => {
      const { body, status } = await this.#get(`blobs/${digest}`, from === 0 ? {} : { range: `bytes=${from}-` });
      const content = body ?? new Blob([]).stream();
      // Who knows no ranges begins anew.
      return status === PARTIAL_CONTENT || from === 0 ? content : content.pipeThrough(without(from));
    }, size);
  }

  [Symbol.dispose](): void {
    this.#http?.close();
  }

  async #get(path: string, headers: Record<string, string>): Promise<Response> {
    const url = `${this.#endpoint.url}/v2/${this.#repository}/${path}`;
    let response = await this.#fetch(url, { headers: this.#withAuthorization(headers) });
    if (response.status === 401) {
      await response.body?.cancel();
      this.#authorization = await this.#answer(response.headers.get("www-authenticate") ?? "");
      response = await this.#fetch(url, { headers: this.#withAuthorization(headers) });
    }
    if (response.ok) return response;
    await response.body?.cancel();
    throw new ImageError("ErrImagePull", `${shown(url)}: ${response.status} ${response.statusText}${hint(response)}`);
  }

  #withAuthorization(headers: Record<string, string>): Record<string, string> {
    return this.#authorization === undefined ? headers : { ...headers, authorization: this.#authorization };
  }

  /** Asks, and asks again when the server says to come back soon. */
  async #fetch(url: string, init: RequestInit): Promise<Response> {
    for (let tries = 1;; tries++) {
      const response = await this.#fetchOnce(url, init);
      const wait = comeBackAfter(response);
      if (wait === undefined || wait > LONGEST_WAIT_MS || tries === MOST_TRIES) return response;
      await response.body?.cancel();
      await pause(wait);
    }
  }

  async #fetchOnce(url: string, init: RequestInit): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error("no answer in time")), ANSWER_WITHIN_MS);
    try {
      const client = await this.#httpClient();
      return await fetch(url, { ...init, signal: late.signal, ...(client && { client }) });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new RegistryUnreachable(`${shown(new URL(url).origin)} cannot be reached: ${why}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async #httpClient(): Promise<Deno.HttpClient | undefined> {
    if (this.#endpoint.caFile === undefined) return undefined;
    return this.#http ??= Deno.createHttpClient({ caCerts: [await Deno.readTextFile(this.#endpoint.caFile)] });
  }

  /** Answers one of the challenges with what goes into the header `Authorization`. */
  async #answer(header: string): Promise<string> {
    const challenges = parseChallenges(header);
    for (const { scheme, fields } of challenges) {
      const realm = fields.get("realm");
      if (scheme === "bearer" && realm !== undefined) return `Bearer ${await this.#token(realm, fields)}`;
    }
    const takesPassword = challenges.some(({ scheme }) => scheme === "basic");
    if (takesPassword && this.#credentials?.kind === "password") return basic(this.#credentials);
    throw new ImageError("ErrImagePull", `${shown(this.#endpoint.url)}: authentication required${LOG_IN}`);
  }

  async #token(realm: string, fields: ReadonlyMap<string, string>): Promise<string> {
    const asked = Object.fromEntries(
      ["service", "scope"].flatMap((name) => fields.has(name) ? [[name, fields.get(name)!]] : []),
    );
    const url = URL.parse(realm);
    if (!url) {
      const what = `${shown(this.#endpoint.url)} wants a token from ${JSON.stringify(realm)}, which is no address`;
      throw new ImageError("ErrImagePull", what);
    }
    const response = await this.#fetch(...tokenRequest(url, asked, this.#credentials));
    if (!response.ok) {
      await response.body?.cancel();
      throw new ImageError("ErrImagePull", `${url.origin}: no token: ${response.status}${hint(response)}`);
    }
    const { token, access_token } = await response.json().catch(() => ({})) as Record<string, string | undefined>;
    const given = token || access_token;
    if (!given) throw new ImageError("ErrImagePull", `${url.origin}: the answer holds no token`);
    return given;
  }
}

function tokenRequest(
  realm: URL,
  asked: Readonly<Record<string, string>>,
  credentials: Credentials | undefined,
): [string, RequestInit] {
  if (credentials?.kind === "identityToken") {
    const grant = { grant_type: "refresh_token", refresh_token: credentials.token, client_id: "tiphys" };
    return [realm.href, { method: "POST", body: new URLSearchParams({ ...asked, ...grant }) }];
  }
  for (const [name, value] of Object.entries(asked)) realm.searchParams.append(name, value);
  return [realm.href, { headers: credentials ? { authorization: basic(credentials) } : {} }];
}

function basic({ username, password }: Extract<Credentials, { kind: "password" }>): string {
  return `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`;
}

/** When a server that is asked too much wants to be asked again; undefined for all other answers. */
function comeBackAfter({ status, headers }: Response): number | undefined {
  const after = headers.get("retry-after");
  if (status !== TOO_MANY_REQUESTS && !(status === UNAVAILABLE && after !== null)) return undefined;
  const wait = /^\d+$/.test(after ?? "") ? Number(after) * 1000 : Date.parse(after ?? "") - Date.now();
  return Number.isNaN(wait) ? UNTOLD_WAIT_MS : Math.max(0, wait);
}

function hint(response: Response): string {
  const { status } = response;
  if (status === 401 || status === 403) return `: access denied${LOG_IN}`;
  const wait = comeBackAfter(response);
  if (wait !== undefined) {
    const when = `${Math.ceil(wait / 1000)} seconds`;
    return `: it is asked too often, and wants to be left alone for ${when}; log in, or use a mirror (registries.yaml)`;
  }
  return status === 404 ? ": there is no such image" : "";
}

/** An address without the name and password that may be in it. */
function shown(url: string): string {
  return url.replace(/^(https?:\/\/)[^/@]*@/, "$1");
}

/** Leaves out the first bytes. */
function without(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      const rest = chunk.subarray(left);
      left = Math.max(0, left - chunk.length);
      if (rest.length > 0) controller.enqueue(rest);
    },
  });
}
