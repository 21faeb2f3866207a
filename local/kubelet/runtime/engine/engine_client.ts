/** Speaks to a container engine: the HTTP API of docker, which podman serves as well. */

import { z } from "zod";
import { textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { abortableFetch } from "@tiphys/base/net";

/** The address of an engine's API. */
export type EngineAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "http"; readonly url: string };

/** The error that an engine answered, with the HTTP status of its answer. */
export class EngineRefusal extends Error {
  override readonly name = "EngineRefusal";

  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** Something of an engine, by the name that it gave it. */
export const Named = z.object({ Id: z.string() });

/** Parameters of a call; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

export interface EngineCall {
  readonly query?: Query;
  /** Sent as JSON, unless it is a stream or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One engine. Paths carry no version: the engine takes its own, and what is asked for here has been the same in all of
 * them. Every call throws EngineRefusal for an answer that is no success, and TypeError when nobody answers.
 */
export class EngineClient implements Disposable {
  readonly #http: Deno.HttpClient;
  readonly #base: string;

  constructor(address: EngineAddress) {
    const isSocket = address.kind === "socket";
    this.#http = Deno.createHttpClient(isSocket ? { proxy: { transport: "unix", path: address.path } } : {});
    // The name of the host says nothing behind a socket.
    this.#base = isSocket ? "http://localhost" : address.url;
  }

  /**
   * Asks for one answer of a shape.
   * @throws {Error} for an answer of another one.
   */
  async json<T>(method: string, path: string, shape: z.ZodType<T>, call: EngineCall = {}): Promise<T> {
    const response = await this.#fetch(method, path, call);
    const { success, data, error } = shape.safeParse(await response.json());
    if (success) return data;
    const [issue] = error.issues;
    const words = [issue?.path.join("."), issue?.message].filter(Boolean).join(": ");
    throw new Error(`The engine's answer to ${method} ${path} cannot be read: ${words}`);
  }

  /** Asks for something to be done whose answer says no more than that it was. */
  async send(method: string, path: string, call: EngineCall = {}): Promise<void> {
    const response = await this.#fetch(method, path, call);
    await response.body?.cancel();
  }

  /** Asks for an answer without an end of its own. */
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
