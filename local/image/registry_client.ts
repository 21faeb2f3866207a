/** The registry protocol (OCI distribution, v2), as far as pulling needs it. */
import { ImageError } from "../kubelet/runtime/runtime.ts";
import { digestOf } from "./blob_store.ts";
import type { Credentials } from "./credentials.ts";
import { MANIFEST_TYPES } from "./manifest.ts";
import type { Endpoint } from "./registries.ts";

/** No registry could be reached at all: there may be no network. */
export class RegistryUnreachable extends ImageError {
  constructor(message: string, options?: ErrorOptions) {
    super("ErrImagePull", message, options);
  }
}

/** Until a server that does not answer counts as unreachable; the content of layers may take as long as it takes. */
const ANSWER_WITHIN_MS = 10_000;

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

  /** The content of a blob; its digest is not looked at here. */
  async blob(digest: string): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#get(`blobs/${digest}`, {});
    return body ?? new Blob([]).stream();
  }

  [Symbol.dispose](): void {
    this.#http?.close();
  }

  async #get(path: string, headers: Record<string, string>): Promise<Response> {
    const url = `${this.#endpoint.url}/v2/${this.#repository}/${path}`;
    let response = await this.#fetch(url, headers);
    if (response.status === 401) {
      await response.body?.cancel();
      this.#authorization = await this.#answer(response.headers.get("www-authenticate") ?? "");
      response = await this.#fetch(url, headers);
    }
    if (response.ok) return response;
    await response.body?.cancel();
    throw new ImageError("ErrImagePull", `${url}: ${response.status} ${response.statusText}${hint(response.status)}`);
  }

  async #fetch(url: string, headers: Record<string, string>): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error("no answer in time")), ANSWER_WITHIN_MS);
    try {
      const client = await this.#httpClient();
      return await fetch(url, {
        headers: { ...headers, ...(this.#authorization && { authorization: this.#authorization }) },
        signal: late.signal,
        ...(client && { client }),
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new RegistryUnreachable(`${this.#endpoint.url} cannot be reached: ${why}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async #httpClient(): Promise<Deno.HttpClient | undefined> {
    if (this.#endpoint.caFile === undefined) return undefined;
    return this.#http ??= Deno.createHttpClient({ caCerts: [await Deno.readTextFile(this.#endpoint.caFile)] });
  }

  /** Answers a challenge with what goes into the header `Authorization`. */
  async #answer(challenge: string): Promise<string> {
    const [scheme, ...rest] = challenge.split(" ");
    if (scheme!.toLowerCase() === "basic" && this.#credentials?.kind === "password") return basic(this.#credentials);
    const fields = new Map(
      [...rest.join(" ").matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!.toLowerCase(), value!]),
    );
    const realm = fields.get("realm");
    if (scheme!.toLowerCase() !== "bearer" || realm === undefined) {
      throw new ImageError("ErrImagePull", `${this.#endpoint.url}: authentication required`);
    }
    return `Bearer ${await this.#token(realm, fields)}`;
  }

  async #token(realm: string, fields: ReadonlyMap<string, string>): Promise<string> {
    const asked = { service: fields.get("service") ?? "", scope: fields.get("scope") ?? "" };
    const identity = this.#credentials?.kind === "identityToken" ? this.#credentials.token : undefined;
    const client = await this.#httpClient();
    const response = identity === undefined
      ? await fetch(`${realm}?${new URLSearchParams(asked)}`, {
        headers: this.#credentials?.kind === "password" ? { authorization: basic(this.#credentials) } : {},
        ...(client && { client }),
      })
      : await fetch(realm, {
        method: "POST",
        body: new URLSearchParams({
          ...asked,
          grant_type: "refresh_token",
          refresh_token: identity,
          client_id: "tiphys",
        }),
        ...(client && { client }),
      });
    if (!response.ok) {
      await response.body?.cancel();
      throw new ImageError("ErrImagePull", `${new URL(realm).origin}: no token: ${response.status}`);
    }
    const { token, access_token } = await response.json() as { token?: string; access_token?: string };
    const given = token ?? access_token;
    if (!given) throw new ImageError("ErrImagePull", `${new URL(realm).origin}: the answer holds no token`);
    return given;
  }
}

function basic({ username, password }: Extract<Credentials, { kind: "password" }>): string {
  return `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`;
}

function hint(status: number): string {
  if (status === 401 || status === 403) return ": access denied; log in with docker login, or name an imagePullSecret";
  return status === 404 ? ": there is no such image" : "";
}
