/**
 * The route that combines many streams of the API into one: `POST /api/tiphys/v1/stream`. A browser has only six
 * connections to an HTTP/1.1 server, for all its tabs. Each subscription is the URL of a stream, and requires the same
 * rights and sends the same messages as that stream. A refused subscription receives an error with its ID, and the
 * others continue.
 */
import { fieldsOf, itemsOf, textIn } from "@tiphys/base/fields_of";
import { type Call, type Route, route, type RouteInput, type SharedStream } from "../routes/route.ts";
import { Router } from "../routes/router.ts";
import { badRequest, CODE, streamError, WireError, wireErrorOf } from "../wire/errors.ts";
import { fieldMask } from "../wire/field_mask.ts";
import { readQuery } from "../wire/query.ts";
import { batchesOf } from "../wire/streams.ts";
import { versionIn } from "../workflows/watch_routes.ts";
import { mergeSources, type Source } from "./merged.ts";
import { MAX_BODY_BYTES, MAX_SUBSCRIPTIONS, readSubscriptions, type Subscription } from "./subscriptions.ts";

/** Returns the route for subscriptions to the streaming routes among `routes`. */
export function sharedStreamRoute(routes: readonly Route[]): Route {
  const router = new Router(routes.filter(({ method, isStream }) => method === "GET" && isStream));
  // Errors in the body are reported only after authentication, so the body is read leniently here.
  const namespacesOf = ({ body }: Pick<RouteInput, "body">) =>
    itemsOf(body.subscriptions).slice(0, MAX_SUBSCRIPTIONS).map((item) => {
      const path = textIn(fieldsOf(item), "path") ?? "";
      return router.find("GET", path.split("?")[0]!)?.params.namespace ?? "";
    });
  return route({
    id: "StreamService_Stream",
    method: "POST",
    path: "/api/tiphys/v1/stream",
    hasBody: true,
    maxBody: MAX_BODY_BYTES,
    isStream: true,
    namespacesOf,
    // The rights of each subscription are checked when it begins.
    rights: () => [],
    answer(call) {
      const sources = readSubscriptions(call.body).map((subscription): Source => (push) =>
        messagesOf(router, call, subscription, push)
      );
      return Promise.resolve({ written: mergeSources(sources) });
    },
  });
}

/**
 * Serializes a message as a server-sent event: its name is the subscription's ID, its ID the version to resume from.
 */
export function serializeMessage(id: string, message: unknown, cursor?: string): string {
  return `event: ${id}\n${cursor === undefined ? "" : `id: ${cursor}\n`}data: ${JSON.stringify(message)}\n\n`;
}

/** The messages of a subscription: that it is open, its stream, and its end or the error that ended it. */
async function* messagesOf(
  router: Router,
  call: Call,
  { id, url, cursor }: Subscription,
  push: (text: string) => void,
): AsyncGenerator<readonly string[]> {
  const place = new Cursor(cursor);
  const shared: SharedStream = {
    recordVersion(version) {
      if (place.pass(version)) push(`event: ${id}\nid: ${version}\n\n`);
    },
    resumesFromMessages: () => place.begin(),
  };
  try {
    const { answer, mask } = await openSubscription(router, call, url, cursor, shared);
    yield [serializeMessage(id, { open: true })];
    for await (const batch of batchesOf(answer)) {
      yield batch.map((result) => serializeMessage(id, mask.apply({ result }), place.after(versionIn(result))));
    }
    yield [serializeMessage(id, { over: true })];
  } catch (error) {
    if (call.signal.aborted) return;
    const refusal = wireErrorOf(error, (defect) => {
      const detail = defect instanceof Error ? defect.stack ?? defect.message : String(defect);
      call.served.log.error("A request failed with an internal error", { path: url.pathname, detail });
    });
    yield [serializeMessage(id, streamError(refusal))];
  }
}

/** Opens the stream of a subscription with its route. @throws {WireError} if the route refuses the caller. */
async function openSubscription(
  router: Router,
  call: Call,
  url: URL,
  cursor: string | undefined,
  shared: SharedStream,
) {
  const match = router.find("GET", url.pathname);
  if (!match) throw new WireError(CODE.unimplemented, "Not Implemented");
  const { route: { query: fields, rights, answer }, params } = match;
  if (params.name === "") throw badRequest("resource name may not be empty");
  const isResumed = cursor !== undefined && "listOptions.resourceVersion" in fields;
  const given = readQuery(url.searchParams, fields);
  const query = isResumed ? { ...given, "listOptions.resourceVersion": cursor } : given;
  const mask = fieldMask((query as { readonly fields?: string }).fields ?? "");
  const caller = await call.callerIn(params.namespace ?? "");
  const inner: Call = { ...call, caller, params, query, body: {}, text: "", mask, shared };
  await call.gate.check(caller, rights(inner));
  const found = await answer(inner);
  if (!("stream" in found || "batches" in found)) throw new WireError(CODE.unimplemented, "Not Implemented");
  return { answer: found, mask };
}

/**
 * The version from which a subscription can resume. It only grows, and is undefined until all current objects are sent.
 */
class Cursor {
  #version: bigint | undefined;

  constructor(from: string | undefined) {
    this.#version = from === undefined ? undefined : BigInt(from);
  }

  /** Sets the cursor, so that it advances with the next message. */
  begin(): void {
    this.#version ??= 0n;
  }

  /** Advances to a version up to which everything was sent. Returns false if the version is not later. */
  pass(version: string): boolean {
    if (!/^\d{1,20}$/.test(version)) return false;
    const next = BigInt(version);
    if (this.#version !== undefined && next <= this.#version) return false;
    this.#version = next;
    return true;
  }

  /** The cursor after a message with this version; undefined if it does not advance. */
  after(version: string | undefined): string | undefined {
    return this.#version !== undefined && version !== undefined && this.pass(version) ? version : undefined;
  }
}
