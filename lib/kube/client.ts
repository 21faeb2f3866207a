/** Typed requests over a transport. Objects are plain JSON in both directions, so unknown fields are preserved. */

import { pause, systemClock } from "@tiphys/base/clock";
import { fieldsOf, textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { classifyError, isAbort, KubeError, readStatus } from "./errors.ts";
import { execOverWebSocket, type ExecResult } from "./exec.ts";
import type { TransportResponse } from "./http/mod.ts";
import { FlowControl, type RateLimit } from "./flow_control.ts";
import { readListItems } from "./list_items.ts";
import type { HasMetadata, KubeList, KubeObject } from "./object.ts";
import { type Resource, resourcePath } from "./resources.ts";
import type { TextPattern } from "@tiphys/base/transient";
import type { Transport } from "./transport.ts";
import { type WatchEvent, watchEvents } from "./watch.ts";

/** The server's treatment of unknown and duplicate fields of a written object. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The four patch formats. */
export type PatchType = "merge" | "json" | "strategic" | "apply";

const patchMediaType: Record<PatchType, string> = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

export interface ListOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface WriteOptions {
  readonly fieldValidation?: FieldValidation | undefined;
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly subresource?: "status" | "scale" | undefined;
  /**
   * With `metadata`, the response may contain only the metadata, for callers that need only the new resourceVersion.
   */
  readonly answer?: "metadata" | undefined;
}

export interface DeleteOptions {
  /** Deletes only the object with this UID. An object that was created later under the same name causes a conflict. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface WatchOptions {
  readonly resourceVersion?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The server ends the watch after this time. */
  readonly timeoutSeconds?: number | undefined;
  /** The connection counts as dead after this time without data. */
  readonly inactivityMs?: number | undefined;
}

export interface LogOptions {
  readonly container?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly timestamps?: boolean | undefined;
  readonly sinceTime?: string | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly previous?: boolean | undefined;
  readonly limitBytes?: number | undefined;
}

type Query = Record<string, string | number | boolean | undefined>;

/** One request, for operations that have no method here. */
export interface RawRequest {
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface KubeClientOptions {
  readonly userAgent?: string;
  /** A fixed rate limit in addition to flow control. */
  readonly rate?: RateLimit | undefined;
  /** Called with the time, in milliseconds, that each request waited for its turn. */
  readonly onWaited?: ((millis: number) => void) | undefined;
  /** Errors whose message matches this pattern are transient, whatever their code (`TRANSIENT_ERROR_PATTERN`). */
  readonly transientPattern?: TextPattern | undefined;
  /** Called before every write request. If it throws, the request is not sent and that error is thrown. */
  readonly guard?: (() => void) | undefined;
  /** Receives warnings of the server: unknown fields, deprecated kinds. */
  readonly onWarning?: (text: string) => void;
  /** Waits between attempts; replaced in tests. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Maximum number of attempts for a request that a busy server answers with Retry-After. */
const MAX_ATTEMPTS = 10;
/** A server without support for this media type returns the whole object. */
const METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
/**
 * A server sends a bookmark about once a minute. Must be less than the two minutes that the report of an ended pod is
 * waited for: a silent watch of reports is then reopened in time, and no step ends without its outputs.
 */
const INACTIVITY_MS = 90_000;

/**
 * A client of the Kubernetes API. Every method throws a KubeError when the server rejects the request or cannot be
 * reached, and the signal's reason when it was aborted. `flow_control.ts` limits the number of concurrent requests, and
 * 429 responses with Retry-After are honored. Streams (watches, logs, exec) are not counted.
 */
export class KubeClient {
  readonly transport: Transport;
  readonly #options: KubeClientOptions;
  readonly #userAgent: string;
  readonly #wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  #flow: FlowControl;
  #background = false;

  constructor(transport: Transport, options: KubeClientOptions = {}) {
    this.transport = transport;
    this.#options = options;
    this.#userAgent = options.userAgent ?? "tiphys";
    this.#flow = new FlowControl({ rate: options.rate, onWaited: options.onWaited });
    this.#wait = options.wait ?? ((millis, signal) => pause(systemClock, millis, signal));
  }

  /** Returns this client for background work: its requests wait until other requests have finished. */
  inBackground(): KubeClient {
    const client = new KubeClient(this.transport, this.#options);
    client.#flow = this.#flow;
    client.#background = true;
    return client;
  }

  /** Whether background work is waiting because the server is busy with other requests. */
  get isBackgroundWaiting(): boolean {
    return this.#flow.isBackgroundWaiting;
  }

  /** Returns this client with a guard that is called before every write request. */
  guarded(guard: () => void): KubeClient {
    const client = new KubeClient(this.transport, { ...this.#options, guard });
    client.#flow = this.#flow;
    client.#background = this.#background;
    return client;
  }

  async get<T = KubeObject>(resource: Resource, namespace: string | undefined, name: string): Promise<T> {
    return await this.request<T>("GET", resourcePath(resource, namespace, name));
  }

  /** Lists the objects of a namespace, or of all namespaces when it is undefined. */
  async list<T = KubeObject>(
    resource: Resource,
    namespace: string | undefined,
    options: ListOptions = {},
    signal?: AbortSignal,
  ): Promise<KubeList<T>> {
    return await this.request("GET", resourcePath(resource, namespace), { query: { ...options }, signal });
  }

  /**
   * Lists objects like `list`, but passes each item to `take` as it arrives. Returns the list without items. If the
   * response breaks off, this throws after some items of the page have been passed on.
   * @throws the error of `take`, unchanged; the rest of the page is not read then.
   */
  async listEach<T = KubeObject>(
    resource: Resource,
    namespace: string | undefined,
    options: ListOptions,
    take: (item: T) => void,
    signal?: AbortSignal,
  ): Promise<Pick<KubeList<T>, "metadata">> {
    const path = pathWithQuery(resourcePath(resource, namespace), { ...options });
    let thrown: { readonly error: unknown } | undefined;
    const taken = (item: T) => {
      try {
        take(item);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
    const read = async (answer: TransportResponse) =>
      listMetadata(await readListItems(answer.parts?.() ?? bodyOf(answer), (item) => taken(item as T)));
    try {
      return await this.#withFlowControl(() => this.#exchange("GET", path, { signal }, read));
    } catch (error) {
      throw thrown ? thrown.error : error;
    }
  }

  async create<T = KubeObject>(
    resource: Resource,
    namespace: string | undefined,
    object: unknown,
    options: WriteOptions = {},
  ): Promise<T> {
    return await this.request<T>("POST", resourcePath(resource, namespace), {
      query: writeQuery(options),
      body: object,
      accept: options.answer === "metadata" ? METADATA_ONLY : undefined,
    });
  }

  /**
   * Replaces the whole object. If metadata.resourceVersion is set, fails with a conflict when the object has changed
   * since.
   */
  async replace<T extends HasMetadata>(
    resource: Resource,
    namespace: string | undefined,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const path = resourcePath(resource, namespace, object.metadata?.name ?? "", options.subresource);
    return await this.request<T>("PUT", path, { query: writeQuery(options), body: object });
  }

  async patch<T = KubeObject>(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    patch: unknown,
    type: PatchType = "merge",
    options: WriteOptions & { readonly force?: boolean } = {},
  ): Promise<T> {
    return await this.request<T>("PATCH", resourcePath(resource, namespace, name, options.subresource), {
      query: { ...writeQuery(options), force: options.force },
      body: patch,
      contentType: patchMediaType[type],
      accept: options.answer === "metadata" ? METADATA_ONLY : undefined,
    });
  }

  async delete(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    options: DeleteOptions = {},
  ): Promise<void> {
    await this.request("DELETE", resourcePath(resource, namespace, name), { body: deleteBody(options) });
  }

  async deleteCollection(
    resource: Resource,
    namespace: string | undefined,
    selection: Pick<ListOptions, "labelSelector" | "fieldSelector"> = {},
    options: DeleteOptions = {},
  ): Promise<void> {
    await this.request("DELETE", resourcePath(resource, namespace), {
      query: { ...selection },
      body: deleteBody(options),
    });
  }

  /** Yields changes after `resourceVersion` until the server ends the watch or the signal is aborted. */
  watch<T = KubeObject>(
    resource: Resource,
    namespace: string | undefined,
    options: WatchOptions = {},
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    const { inactivityMs = INACTIVITY_MS, ...query } = options;
    const path = pathWithQuery(resourcePath(resource, namespace), { ...query, watch: true, allowWatchBookmarks: true });
    return watchEvents<T>(
      async (both) => {
        const answer = await this.#send("GET", path, { signal: both });
        return answer.parts?.() ?? bodyOf(answer);
      },
      inactivityMs,
      signal,
    );
  }

  /** Returns the log of a container. The request is sent when the stream is first read. */
  logs(namespace: string, pod: string, options: LogOptions = {}, signal?: AbortSignal): ReadableStream<Uint8Array> {
    const path = pathWithQuery(
      `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`,
      {
        ...options,
      },
    );
    const send = () => this.#send("GET", path, { signal });
    return ReadableStream.from((async function* () {
      yield* bodyOf(await send());
    })());
  }

  /** Runs a command in a container and waits until it exits. */
  async exec(
    namespace: string,
    pod: string,
    container: string,
    command: readonly string[],
    signal?: AbortSignal,
  ): Promise<ExecResult> {
    const query = new URLSearchParams({ container, stdout: "true", stderr: "true" });
    for (const word of command) query.append("command", word);
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec?${query}`;
    this.#options.guard?.();
    try {
      return await execOverWebSocket(this.transport, path, signal);
    } catch (error) {
      throw await this.#socketRejection(path, signal) ?? error;
    }
  }

  /**
   * Returns why the API server refuses to open a socket, which the socket itself does not report: the same request
   * without an upgrade runs nothing, and is answered with 403 or 404 in that case. Undefined for any other failure.
   */
  async #socketRejection(path: string, signal?: AbortSignal): Promise<unknown> {
    try {
      const response = await this.#send("GET", path, { signal });
      await response.body?.cancel();
    } catch (error) {
      const sort = classifyError(error);
      if (sort === "forbidden" || sort === "notFound") return error;
    }
  }

  /** Sends a request whose response is JSON. */
  request<T = unknown>(method: string, path: string, options: RawRequest = {}): Promise<T> {
    // deno-lint-ignore tiphys/json-is-unknown -- `tiphys/read-what-enters` requires a reader at the call
    const read = async (answer: TransportResponse) => await answer.json() as T;
    return this.#withFlowControl(() => this.#exchange(method, pathWithQuery(path, options.query ?? {}), options, read));
  }

  close(): void {
    this.transport.close();
  }

  #withFlowControl<T>(exchange: () => Promise<T>): Promise<T> {
    return this.#flow.run(exchange, { background: this.#background });
  }

  async #exchange<T>(
    method: string,
    path: string,
    options: RawRequest,
    read: (answer: TransportResponse) => Promise<T>,
  ): Promise<T> {
    const response = await this.#send(method, path, options);
    try {
      return await read(response);
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new KubeError(`Could not read the answer to ${method} ${path.split("?")[0]}`, {
        status: 0,
        reason: "NetworkError",
        cause: error,
      });
    }
  }

  async #send(method: string, path: string, options: RawRequest): Promise<TransportResponse> {
    const headers: Record<string, string> = {
      accept: options.accept ?? "application/json",
      "user-agent": this.#userAgent,
    };
    const init: RequestInit = { method, headers, ...(options.signal && { signal: options.signal }) };
    if (options.body !== undefined) {
      headers["content-type"] = options.contentType ?? "application/json";
      init.body = JSON.stringify(options.body);
    }
    for (let attempt = 1;; attempt++) {
      if (method !== "GET") this.#options.guard?.();
      const response = await this.transport.fetch(path, init);
      if (response.ok) {
        if (this.#options.onWarning) warningsOf(response).forEach(this.#options.onWarning);
        return response;
      }
      const retryAfter = Number(response.headers.get("retry-after") ?? NaN);
      const busy = response.status === 429 || response.status >= 500;
      if (response.status === 429 || response.status === 503 || response.status === 504) this.#flow.reportOverload();
      const error = await errorOf(response, `${method} ${path.split("?")[0]}`, this.#options.transientPattern);
      if (!busy || Number.isNaN(retryAfter) || attempt === MAX_ATTEMPTS) throw error;
      await this.#wait(retryAfter * 1000, options.signal);
    }
  }
}

/** Returns the texts of `Warning: 299 - "text"` headers, which arrive joined into one. */
function warningsOf(response: TransportResponse): string[] {
  const quoted = (response.headers.get("warning") ?? "").matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g);
  return [...quoted].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
}

function writeQuery(options: WriteOptions): Query {
  return {
    fieldValidation: options.fieldValidation,
    fieldManager: options.fieldManager,
    dryRun: options.dryRun ? "All" : undefined,
  };
}

function deleteBody(options: DeleteOptions): Record<string, unknown> {
  const preconditions = { uid: options.uid, resourceVersion: options.resourceVersion };
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...(options.propagationPolicy && { propagationPolicy: options.propagationPolicy }),
    ...(options.gracePeriodSeconds !== undefined && { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(options.dryRun && { dryRun: ["All"] }),
    ...((options.uid || options.resourceVersion) && { preconditions }),
  };
}

function pathWithQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** Returns the metadata of a list. */
function listMetadata(list: unknown): Pick<KubeList, "metadata"> {
  const fields = fieldsOf(fieldsOf(list).metadata);
  const { remainingItemCount } = fields;
  const metadata = textsIn(fields, ["resourceVersion", "continue"]);
  return { metadata: { ...metadata, ...(typeof remainingItemCount === "number" ? { remainingItemCount } : {}) } };
}

function bodyOf(response: TransportResponse): ReadableStream<Uint8Array> {
  return response.body ?? ReadableStream.from([]);
}

/**
 * Returns the error of a response: the server's message if it sent a Status, else the code and the start of the body.
 */
async function errorOf(response: TransportResponse, place: string, transientPattern?: TextPattern): Promise<KubeError> {
  const text = await response.text().catch(() => "");
  const status = readStatus(fieldsOfJson(text));
  if (status.kind === "Status") return KubeError.fromStatus(status, response.status, transientPattern);
  return new KubeError(`${place} was answered with ${response.status}: ${text.trim().slice(0, 500)}`, {
    status: response.status,
    reason: response.statusText,
    transientPattern,
  });
}
