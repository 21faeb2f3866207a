/** The types of a route: its path, inputs, rights and answer. */
import { LIMITS } from "@tiphys/base/limits";
import type { Caller } from "../gate/caller.ts";
import type { Gate } from "../gate/gate.ts";
import type { Right } from "../gate/rights.ts";
import type { JsonObject } from "../wire/body.ts";
import type { FieldMask } from "../wire/field_mask.ts";
import type { QueryFields, QueryValues } from "../wire/query.ts";
import type { ServerContext } from "../served.ts";

/** The methods of routes. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The inputs of a route, independent of the protocol. */
export interface RouteInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryValues;
  readonly body: JsonObject;
  readonly text: string;
  /** The body as a stream, for routes that read it themselves. */
  readonly content?: ReadableStream<Uint8Array> | undefined;
}

/** One authenticated request, parsed according to its route. */
export interface Call<F extends QueryFields = QueryFields> {
  readonly served: ServerContext;
  readonly gate: Gate;
  readonly caller: Caller;
  /**
   * The same user in another namespace, who may be a different caller there.
   * @throws {WireError} if they have no access.
   */
  readonly callerIn: (namespace: string) => Promise<Caller>;
  /** The values of the `{names}` in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryValues<F>;
  /** The JSON object of the body; empty for routes without a body. */
  readonly body: JsonObject;
  /** The body as text, for routes that accept any JSON; empty for others. */
  readonly text: string;
  /** The body as a stream, for routes that read and limit it themselves; undefined for others. */
  readonly content?: ReadableStream<Uint8Array> | undefined;
  readonly mask: FieldMask;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  readonly headers: Headers;
  /** Whether the request is HEAD, so that no content needs to be read. */
  readonly isHeadOnly: boolean;
  /** The shared stream that this request is a part of, if any. */
  readonly shared?: SharedStream | undefined;
}

/** A stream that combines others, each of which can be resumed on a later connection. */
export interface SharedStream {
  /** Reports a version of the watched objects up to which everything was sent. */
  recordVersion(version: string): void;
  /** Lets the stream be resumed after each message, including the first one. */
  resumesFromMessages(): void;
}

/**
 * The answer of a route: a JSON value, a stream of single values, batches or serialized events, or a complete response.
 */
export type Answer =
  | { readonly json: unknown; readonly headers?: Readonly<Record<string, string>> | undefined }
  | { readonly stream: AsyncIterable<unknown> }
  | { readonly batches: AsyncIterable<readonly unknown[]> }
  /** Serialized messages of an event stream. */
  | { readonly written: AsyncIterable<readonly string[]> }
  | { readonly response: Response };

/** A route. The router, the gate, their tests and the API description are derived from the table of all routes. */
export interface Route {
  /** The operation ID as in Argo's API description: `WorkflowService_ListWorkflows`. */
  readonly id: string;
  readonly method: Method;
  /** The path. Each `{name}` matches one segment, and a `{rest...}` at the end matches all remaining ones. */
  readonly path: string;
  readonly query: QueryFields;
  /** The maximum size of the body in bytes; 0 for no body. */
  readonly maxBody: number;
  /** Whether the body may be any JSON, which the route parses itself. */
  readonly takesAnyJson: boolean;
  /** Whether the body may have any content, which the route reads and limits itself. */
  readonly takesContent: boolean;
  /** Whether webhooks may call it, which authenticate in their own way. */
  readonly takesWebhooks: boolean;
  /** Whether the answer is a stream, so that errors have the form of a stream's error. */
  readonly isStream: boolean;
  /** The namespaces in the body, if there may be several. Access to one of them suffices to authenticate. */
  readonly namespacesOf?: ((input: RouteInput) => readonly string[]) | undefined;
  /**
   * The rights that the caller needs, checked before anything is read. If empty, any authenticated caller is allowed.
   */
  readonly rights: (call: Call) => readonly Right[];
  readonly answer: (call: Call) => Promise<Answer>;
}

/** The definition of a route, with typed query parameters. */
export interface RouteOf<F extends QueryFields> {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly query?: F;
  readonly hasBody?: boolean;
  readonly maxBody?: number;
  readonly takesAnyJson?: boolean;
  readonly takesContent?: boolean;
  readonly takesWebhooks?: boolean;
  readonly isStream?: boolean;
  readonly namespacesOf?: (input: RouteInput) => readonly string[];
  readonly rights: (call: Call<F>) => readonly Right[];
  readonly answer: (call: Call<F>) => Promise<Answer>;
}

/** The path prefix of the API, whose errors are JSON. Errors of other routes are plain text for browsers. */
export const API_PATH = "/api/";

/** Returns a route with its defaults. */
export function route<const F extends QueryFields = Record<never, never>>(written: RouteOf<F>): Route {
  const { query = {}, hasBody = false, maxBody = hasBody ? LIMITS.bodyBytes : 0, ...rest } = written;
  const { isStream = false, takesAnyJson = false, takesContent = false, takesWebhooks = false } = written;
  // deno-lint-ignore tiphys/no-double-cast -- the query is parsed by the same fields before the route is called
  return { ...rest, query, maxBody, isStream, takesAnyJson, takesContent, takesWebhooks } as unknown as Route;
}
