/** A client of a container engine's HTTP API, which is the same for docker and podman. */

import { z } from "zod";
import { textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { abortableFetch } from "@tiphys/base/net";

/** The address of an engine's API. */
export type EngineAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "http"; readonly url: string };

/** An error response of an engine, with its HTTP status. */
export class EngineRefusal extends Error {
  override readonly name = "EngineRefusal";

  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** An object of an engine with its ID. */
export const Named = z.object({ Id: z.string() });

/** The query parameters of a call; undefined ones are omitted. */
export type Query = Readonly<Record<string, string | undefined>>;

export interface EngineCall {
  readonly query?: Query;
  /** Sent as JSON, unless it is a stream or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A client of one engine. Paths have no version, so the engine uses its own; the calls made here are the same in all
 * versions. Every call throws EngineRefusal for an error response, and TypeError if the engine does not respond.
 */
export class EngineClient implements Disposable {
  readonly #http: Deno.HttpClient;
  readonly #base: string;

  constructor(address: EngineAddress) {
    const isSocket = address.kind === "socket";
    this.#http = Deno.createHttpClient(isSocket ? { proxy: { transport: "unix", path: address.path } } : {});
    // The host name is irrelevant for a socket.
    this.#base = isSocket ? "http://localhost" : address.url;
  }

  /**
   * Requests a JSON response and validates its shape.
   * @throws {Error} if it has another shape.
   */
  async json<T>(method: string, path: string, shape: z.ZodType<T>, call: EngineCall = {}): Promise<T> {
    const response = await this.#fetch(method, path, call);
    const { success, data, error } = shape.safeParse(await response.json());
    if (success) return data;
    const [issue] = error.issues;
    const words = [issue?.path.join("."), issue?.message].filter(Boolean).join(": ");
    throw new Error(`${method} ${path}: unexpected response of the engine: ${words}`);
  }

  /** Sends a request whose response has no relevant content. */
  async send(method: string, path: string, call: EngineCall = {}): Promise<void> {
    const response = await this.#fetch(method, path, call);
    await response.body?.cancel();
  }

  /** Requests a streaming response. */
  async stream(method: string, path: string, call: EngineCall = {}): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#fetch(method, path, call);
    return body ?? new Blob([]).stream();
  }

  [Symbol.dispose](): void {
    this.#http.close();
  }

  async #fetch(method: string, path: string, { query = {}, body, headers = {}, signal }: EngineCall) {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const isRaw = body === undefined || body instanceof Uint8Array;
    const response = await abortableFetch(`${this.#base}${path}?${new URLSearchParams(given)}`, {
      method,
      client: this.#http,
      headers: { ...(!isRaw && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: isRaw ? body as Uint8Array<ArrayBuffer> : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (response.ok) return response;
    throw new EngineRefusal(response.status, messageOf(await response.text()) || response.statusText);
  }
}

function messageOf(text: string): string {
  return textIn(fieldsOfJson(text), "message") ?? text.trim();
}
