/** The nouns of a route: its place, what it reads, which rights it needs, and what answers it. */
import { LIMITS } from "@tiphys/base/limits";
import type { Caller } from "../gate/caller.ts";
import type { Gate } from "../gate/gate.ts";
import type { Right } from "../gate/rights.ts";
import type { JsonObject } from "../wire/body.ts";
import type { FieldMask } from "../wire/field_mask.ts";
import type { QueryFields, QueryValues } from "../wire/query.ts";
import type { Served } from "../served.ts";

/** The methods that routes have. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The values that a request brings to its route, whatever protocol they came in. */
export interface Given {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryValues;
  readonly body: JsonObject;
  readonly text: string;
  /** The body as it comes, for routes that take one whole. */
  readonly content?: ReadableStream<Uint8Array> | undefined;
}

/** One request that was let in, read as its route declares. */
export interface Call<F extends QueryFields = QueryFields> {
  readonly served: Served;
  readonly gate: Gate;
  readonly caller: Caller;
  /** The same person in a namespace, where they may be another caller. @throws {WireError} where they may nothing there. */
  readonly callerIn: (namespace: string) => Promise<Caller>;
  /** The values of the path's `{names}`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryValues<F>;
  /** The JSON object of the body; empty for routes that read none. */
  readonly body: JsonObject;
  /** The body as it was sent, for routes that take any JSON; empty for others. */
  readonly text: string;
  /** The body as it comes, for routes that bound and read it by themselves; undefined for others. */
  readonly content?: ReadableStream<Uint8Array> | undefined;
  readonly mask: FieldMask;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
  readonly headers: Headers;
  /** Whether the head of the answer is all that is wanted: no content needs to be read for it. */
  readonly isHeadOnly: boolean;
  /** Where it is one of many in a shared stream, that stream. */
  readonly shared?: SharedStream | undefined;
}

/** A stream that carries others, each of which can go on at a later connection where it was. */
export interface SharedStream {
  /** Takes a version of the watched objects: all that is not later was told. */
  passed(version: string): void;
  /** Each message is a state to go on from, the first one as well. */
  leadsOn(): void;
}

/** The answer of a route: a JSON value, a stream of them, one by one or in batches, events as text, or a response of its own. */
export type Answer =
  | { readonly json: unknown; readonly headers?: Readonly<Record<string, string>> | undefined }
  | { readonly stream: AsyncIterable<unknown> }
  | { readonly batches: AsyncIterable<readonly unknown[]> }
  /** Messages of a stream of events that are written already. */
  | { readonly written: AsyncIterable<readonly string[]> }
  | { readonly response: Response };

/** One route. The table of all routes drives the router, the gate, its tests and the description of the API. */
export interface Route {
  /** The operation, as Argo's description of its API names it: `WorkflowService_ListWorkflows`. */
  readonly id: string;
  readonly method: Method;
  /** The path with its `{names}`, each of which stands for one segment; `{rest...}` at its end for all that are left. */
  readonly path: string;
  readonly query: QueryFields;
  /** The most bytes of its body; 0 for none. */
  readonly maxBody: number;
  /** Whether its body may be any JSON, which it reads by itself. */
  readonly takesAnyJson: boolean;
  /** Whether its body is content of any kind and length, which it bounds by itself and reads as it comes. */
  readonly takesContent: boolean;
  /** Whether senders of webhooks may come in, who prove themselves in their own way. */
  readonly takesWebhooks: boolean;
  /** Whether it answers with a stream: its refusals have the form of a stream's error then. */
  readonly isStream: boolean;
  /** The namespaces that its body is about, where it is about several: who may come into one of them is let in. */
  readonly namespacesOf?: ((given: Given) => readonly string[]) | undefined;
  /** The rights that the caller needs, before anything is looked up. Empty: any caller who is known. */
  readonly rights: (call: Call) => readonly Right[];
  readonly answer: (call: Call) => Promise<Answer>;
}

/** A route as it is written in the code: the fields of its query have their types. */
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
  readonly namespacesOf?: (given: Given) => readonly string[];
  readonly rights: (call: Call<F>) => readonly Right[];
  readonly answer: (call: Call<F>) => Promise<Answer>;
}

/** The path below which the API is: its refusals are JSON. The routes beside it are for browsers, which show a text. */
export const API_PATH = "/api/";

/** A route as the table holds it. */
export function route<const F extends QueryFields = Record<never, never>>(written: RouteOf<F>): Route {
  const { query = {}, hasBody = false, maxBody = hasBody ? LIMITS.bodyBytes : 0, ...rest } = written;
  const { isStream = false, takesAnyJson = false, takesContent = false, takesWebhooks = false } = written;
  // deno-lint-ignore tiphys/no-double-cast -- the router reads the query by the same fields before it calls the route
  return { ...rest, query, maxBody, isStream, takesAnyJson, takesContent, takesWebhooks } as unknown as Route;
}
