/** A client of the registry protocol (OCI distribution, v2) for pulling images. */
import { basicAuthorization } from "@tiphys/base/basic_authorization";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { type AddressPolicy, NetError, type OpenNet, openNet, type TlsOptions } from "@tiphys/base/net";
import { pause, systemClock } from "@tiphys/base/clock";
import { ImageError } from "./image_error.ts";
import { digestOf } from "./digest.ts";
import { parseChallenges } from "./challenge.ts";
import type { Credentials } from "./credentials.ts";
import { MANIFEST_TYPES } from "./manifest.ts";
import { DOCUMENT_TIMEOUT_MS, MAX_MANIFEST_BYTES, MAX_REDIRECTS, MAX_TOKEN_BYTES } from "./limits.ts";
import { type Endpoint, isLoopback } from "./registries.ts";
import { type DownloadTimeouts, type OpenAt, resumed } from "./resumed.ts";

/** The error of a registry that is not reachable, for example without a network. */
export class RegistryUnreachableError extends ImageError {
  override readonly isUnreachable = true;

  constructor(message: string, options?: ErrorOptions) {
    super("ErrImagePull", message, options);
  }
}

/** Milliseconds without a response after which a server counts as unreachable; layers may take longer. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Maximum delay that a server may request, default delay, and maximum number of attempts. */
const MAX_WAIT_MS = 30_000;
const DEFAULT_RETRY_DELAY_MS = 2_000;
const MAX_TRIES = 4;

const PARTIAL_CONTENT = 206;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/** Statuses of responses without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
const REDIRECTS = [301, 302, 303, 307, 308];

/** The characters of a token that are valid in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

const LOG_IN = "; log in with docker login, or set an imagePullSecret";

/** A manifest with its digest. */
export interface FetchedManifest {
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** A repository on a server. */
export class RegistryClient {
  readonly #endpoint: Endpoint;
  readonly #repository: string;
  readonly #credentials: Credentials | undefined;
  #authorization: string | undefined;
  readonly #net: OpenNet;
  readonly #documentWithinMs: number;
  #tls: TlsOptions | undefined;
  /** Whether the server has responded: later errors are not counted as unreachable. */
  #hasAnswered = false;

  /** `credentials` are used unless the endpoint has its own; `reach` decides which addresses may be connected to. */
  constructor(
    endpoint: Endpoint,
    repository: string,
    credentials: Credentials | undefined,
    reach: AddressPolicy,
    documentWithinMs = DOCUMENT_TIMEOUT_MS,
  ) {
    this.#endpoint = endpoint;
    this.#net = openNet({ env: (name) => Deno.env.get(name), reach });
    this.#repository = repository;
    this.#documentWithinMs = documentWithinMs;
    this.#credentials = endpoint.credentials ?? credentials;
  }

  /**
   * Returns the manifest of a tag or digest.
   * @throws ImageError; RegistryUnreachableError when no server responds.
   */
  async manifest(tagOrDigest: string): Promise<FetchedManifest> {
    const path = `manifests/${tagOrDigest}`;
    const response = await this.#get(path, { accept: MANIFEST_TYPES.join(", ") });
    const bytes = await this.#documentOf(response, MAX_MANIFEST_BYTES, `the manifest ${tagOrDigest}`);
    const digest = await digestOf(bytes);
    if (tagOrDigest.startsWith("sha256:") && tagOrDigest !== digest) {
      throw new ImageError("ErrImagePull", `the manifest ${tagOrDigest} does not match its digest: it is ${digest}`);
    }
    return { digest, bytes };
  }

  /** Returns the content of a layer of `size` bytes; does not verify its digest. */
  layer(digest: string, size: number): ReadableStream<Uint8Array> {
    return this.#blob(digest, size);
  }

  /** Returns the configuration of an image, which has the timeout of a document; does not verify its digest. */
  config(digest: string, size: number): ReadableStream<Uint8Array> {
    return this.#blob(digest, size, { slowForMs: this.#documentWithinMs });
  }

  #blob(digest: string, size: number, patience?: DownloadTimeouts): ReadableStream<Uint8Array> {
    const openAt: OpenAt = async (from) => {
      const { body, status } = await this.#get(`blobs/${digest}`, from === 0 ? {} : { range: `bytes=${from}-` });
      const content = body ?? new Blob([]).stream();
      // A registry without range requests sends everything again: received bytes are skipped.
      return status === PARTIAL_CONTENT || from === 0 ? content : content.pipeThrough(dropBytes(from));
    };
    return resumed(openAt, size, patience);
  }

  [Symbol.dispose](): void {
    this.#net.close();
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
    throw new ImageError("ErrImagePull", `${hideCredentials(url)}: ${response.status}${hint(response)}`);
  }

  #withAuthorization(headers: Record<string, string>): Record<string, string> {
    return this.#authorization === undefined ? headers : { ...headers, authorization: this.#authorization };
  }

  /**
   * Sends a request and follows redirects. Credentials are not sent to another server, and a redirect from TLS to plain
   * HTTP is rejected.
   */
  async #fetch(url: string, init: RequestInit): Promise<Response> {
    let currentUrl = url;
    let asking = init;
    for (let sent = 0; sent <= MAX_REDIRECTS; sent++) {
      const response = await this.#fetchPatiently(currentUrl, asking);
      const location = response.headers.get("location");
      if (!REDIRECTS.includes(response.status) || location === null) return response;
      await response.body?.cancel();
      const next = URL.parse(location, currentUrl);
      const isSafe = next !== null && (next.protocol === "https:" || next.protocol === new URL(currentUrl).protocol);
      if (!isSafe || asking.body !== undefined) {
        throw new ImageError(
          "ErrImagePull",
          `${hideCredentials(currentUrl)}: it redirects to an unsafe address: ${hideCredentials(location)}`,
        );
      }
      if (next.origin !== new URL(currentUrl).origin) {
        asking = { ...asking, headers: withoutCredentials(asking.headers) };
      }
      currentUrl = next.href;
    }
    throw new ImageError("ErrImagePull", `${hideCredentials(url)}: more than ${MAX_REDIRECTS} redirects`);
  }

  /** Sends a request, and retries after a short delay that the server requests. */
  async #fetchPatiently(url: string, init: RequestInit): Promise<Response> {
    for (let tries = 1;; tries++) {
      const response = await this.#fetchOnce(url, init);
      const wait = retryDelayMillis(response);
      if (wait === undefined || wait > MAX_WAIT_MS || tries === MAX_TRIES) return response;
      await response.body?.cancel();
      await pause(systemClock, wait);
    }
  }

  async #fetchOnce(url: string, init: RequestInit): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new NetError("no response in time", true)), RESPONSE_TIMEOUT_MS);
    try {
      const { method = "GET", headers, body } = init;
      const { status, headers: answered, body: content } = await this.#net.send({
        method,
        url: new URL(url),
        headers: Object.fromEntries(new Headers(headers)),
        ...(body !== undefined && { body: new TextEncoder().encode(String(body)) }),
        tls: await this.#tlsOptions(),
        stop: late.signal,
      });
      this.#hasAnswered = true;
      return new Response(BODILESS.has(status) ? null : content, { status, headers: answered });
    } catch (error) {
      const why = reasonOf(error);
      const where = hideCredentials(new URL(url).origin);
      // An untrusted certificate and a refused address count as refusals, not as an unreachable registry.
      if (this.#hasAnswered || !(error instanceof NetError && error.passes)) {
        throw new ImageError("ErrImagePull", `${where} could not be reached: ${why}`, { cause: error });
      }
      throw new RegistryUnreachableError(`${where} cannot be reached: ${why}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** The certificate of the endpoint is trusted in addition to the system's, since layers may be on another server. */
  async #tlsOptions(): Promise<TlsOptions> {
    const { caFile } = this.#endpoint;
    if (caFile === undefined) return {};
    // Loaded on demand: reading them requires a Deno permission that the controller does not have.
    const { rootCertificates } = await import("node:tls");
    return this.#tls ??= { caCerts: [...rootCertificates, await Deno.readTextFile(caFile)] };
  }

  /** Returns the value of `Authorization` for one of the challenges. */
  async #answer(header: string): Promise<string> {
    const challenges = parseChallenges(header);
    for (const { scheme, fields } of challenges) {
      const realm = fields.get("realm");
      if (scheme === "bearer" && realm !== undefined) return `Bearer ${await this.#token(realm, fields)}`;
    }
    const takesPassword = challenges.some(({ scheme }) => scheme === "basic");
    if (takesPassword && this.#credentials?.kind === "password") return basic(this.#credentials);
    throw new ImageError("ErrImagePull", `${hideCredentials(this.#endpoint.url)}: authentication required${LOG_IN}`);
  }

  /**
   * Whether a token server may receive the credentials: over TLS, or, if the registry uses plain HTTP, only on the
   * registry's host.
   */
  #mayShow(realm: URL): boolean {
    if (realm.protocol === "https:") return true;
    const own = new URL(this.#endpoint.url);
    return own.protocol === "http:" && realm.protocol === "http:" &&
      (realm.hostname === own.hostname || isLoopback(realm.hostname) && isLoopback(own.hostname));
  }

  async #token(realm: string, fields: ReadonlyMap<string, string>): Promise<string> {
    const asked = Object.fromEntries(
      ["service", "scope"].flatMap((name) => fields.has(name) ? [[name, fields.get(name)!]] : []),
    );
    const url = URL.parse(realm);
    if (!url) {
      const what = `${hideCredentials(this.#endpoint.url)} wants a token from ${
        JSON.stringify(realm)
      }, which is not a valid URL`;
      throw new ImageError("ErrImagePull", what);
    }
    const credentials = this.#mayShow(url) ? this.#credentials : undefined;
    const response = await this.#fetch(...tokenRequest(url, asked, credentials));
    if (!response.ok) {
      await response.body?.cancel();
      const hidden = this.#credentials && !credentials ? "; the password is not sent, because it uses plain HTTP" : "";
      throw new ImageError("ErrImagePull", `${url.origin}: no token: ${response.status}${hint(response)}${hidden}`);
    }
    const { token, access_token } = fieldsOfJson(
      new TextDecoder().decode(await this.#documentOf(response, MAX_TOKEN_BYTES, `${url.origin}: the token`)),
    );
    const given = token || access_token;
    if (typeof given !== "string" || !TOKEN.test(given)) {
      throw new ImageError("ErrImagePull", `${url.origin}: the response has no token`);
    }
    return given;
  }

  /**
   * Returns the bytes of a small response.
   * @throws {ImageError} when it exceeds the limit or the timeout.
   */
  async #documentOf(response: Response, limit: number, subject: string): Promise<Uint8Array<ArrayBuffer>> {
    const reader = (response.body ?? new Blob([]).stream()).getReader();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const { promise: late, reject } = Promise.withResolvers<never>();
    const withinMs = this.#documentWithinMs;
    const timer = setTimeout(() => reject(new Error(`incomplete after ${withinMs / 1000} seconds`)), withinMs);
    try {
      let length = 0;
      for (;;) {
        // Every read is raced, also the first: a rejection that nothing awaits ends the process.
        const { value, done } = await Promise.race([reader.read(), late]);
        if (done) break;
        length += value.length;
        if (length > limit) throw new Error(`larger than the limit of ${limit} bytes`);
        chunks.push(value);
      }
      return await new Blob(chunks).bytes();
    } catch (error) {
      await reader.cancel().catch(() => {});
      throw new ImageError("ErrImagePull", `${subject} is ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

function withoutCredentials(headers: HeadersInit | undefined): Headers {
  const rest = new Headers(headers);
  rest.delete("authorization");
  return rest;
}

function tokenRequest(
  realm: URL,
  requestHeaders: Readonly<Record<string, string>>,
  credentials: Credentials | undefined,
): [string, RequestInit] {
  if (credentials?.kind === "identityToken") {
    const grant = { grant_type: "refresh_token", refresh_token: credentials.token, client_id: "tiphys" };
    return [realm.href, { method: "POST", body: new URLSearchParams({ ...requestHeaders, ...grant }) }];
  }
  for (const [name, value] of Object.entries(requestHeaders)) realm.searchParams.append(name, value);
  return [realm.href, { headers: credentials ? { authorization: basic(credentials) } : {} }];
}

function basic({ username, password }: Extract<Credentials, { kind: "password" }>): string {
  return basicAuthorization(username, password);
}

/** Returns the reason of a failed request without the address, which is already in the message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^https?:\/\/[^ ]*: /, "");
}

/** Returns the delay in milliseconds that an overloaded server requests; undefined for other responses. */
function retryDelayMillis({ status, headers }: Response): number | undefined {
  const after = headers.get("retry-after");
  if (status !== TOO_MANY_REQUESTS && !(status === UNAVAILABLE && after !== null)) return undefined;
  const wait = /^\d+$/.test(after ?? "") ? Number(after) * 1000 : Date.parse(after ?? "") - Date.now();
  return Number.isNaN(wait) ? DEFAULT_RETRY_DELAY_MS : Math.max(0, wait);
}

function hint(response: Response): string {
  const { status } = response;
  if (status === 401 || status === 403) return `: access denied${LOG_IN}`;
  const wait = retryDelayMillis(response);
  if (wait !== undefined) {
    const when = `${Math.ceil(wait / 1000)} seconds`;
    return `: too many requests; retry after ${when}, log in, or use a mirror (registries.yaml)`;
  }
  return status === 404 ? ": there is no such image" : "";
}

/** Returns a URL without its user and password, and without its query and fragment, which may hold a signature. */
function hideCredentials(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, "$1//");
}

/** Drops the first bytes of a stream. */
function dropBytes(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      const rest = chunk.subarray(left);
      left = Math.max(0, left - chunk.length);
      if (rest.length > 0) controller.enqueue(rest);
    },
  });
}
