/**
 * The route that carries many streams of the API in one: `POST /api/tiphys/v1/stream`. A browser has six connections to a
 * server over HTTP/1.1, for all its tabs. Each subscription is the address of a stream, and is what that stream is: the same
 * rights, the same messages. One that is refused is told so by its id, and the others go on.
 */
import { fieldsOf, itemsOf, textIn } from "@tiphys/base/fields_of";
import { type Call, type Given, type Route, route, type SharedStream } from "../routes/route.ts";
import { Router } from "../routes/router.ts";
import { badRequest, CODE, streamError, WireError, wireErrorOf } from "../wire/errors.ts";
import { fieldMask } from "../wire/field_mask.ts";
import { readQuery } from "../wire/query.ts";
import { batchesOf } from "../wire/streams.ts";
import { versionIn } from "../workflows/watch_routes.ts";
import { merged, type Source } from "./merged.ts";
import { MOST_BODY, MOST_SUBSCRIPTIONS, readSubscriptions, type Subscription } from "./subscriptions.ts";

/** The route over those that answer with streams. */
export function sharedStreamRoute(routes: readonly Route[]): Route {
  const router = new Router(routes.filter(({ method, isStream }) => method === "GET" && isStream));
  // What is wrong with the body is told to those who may come in.
  const namespacesOf = ({ body }: Pick<Given, "body">) =>
    itemsOf(body.subscriptions).slice(0, MOST_SUBSCRIPTIONS).map((one) => {
      const path = textIn(fieldsOf(one), "path") ?? "";
      return router.find("GET", path.split("?")[0]!)?.params.namespace ?? "";
    });
  return route({
    id: "StreamService_Stream",
    method: "POST",
    path: "/api/tiphys/v1/stream",
    hasBody: true,
    maxBody: MOST_BODY,
    isStream: true,
    namespacesOf,
    // Those of each subscription are asked for when it begins.
    rights: () => [],
    answer(call) {
      const sources = readSubscriptions(call.body).map((one): Source => (push) => told(router, call, one, push));
      return Promise.resolve({ written: merged(sources) });
    },
  });
}

/** A message as it is written: the subscription's id as the name of the event, and the version from which it goes on. */
export function writtenMessage(id: string, message: unknown, cursor?: string): string {
  return `event: ${id}\n${cursor === undefined ? "" : `id: ${cursor}\n`}data: ${JSON.stringify(message)}\n\n`;
}

/** What a subscription tells: that it is open, its messages, and its end, or why it has ended. */
async function* told(
  router: Router,
  call: Call,
  { id, url, cursor }: Subscription,
  push: (text: string) => void,
): AsyncGenerator<readonly string[]> {
  const place = new Cursor(cursor);
  const shared: SharedStream = {
    passed(version) {
      if (place.pass(version)) push(`event: ${id}\nid: ${version}\n\n`);
    },
    leadsOn: () => place.begin(),
  };
  try {
    const { answer, mask } = await begun(router, call, url, cursor, shared);
    yield [writtenMessage(id, { open: true })];
    for await (const batch of batchesOf(answer)) {
      yield batch.map((result) => writtenMessage(id, mask.apply({ result }), place.after(versionIn(result))));
    }
    yield [writtenMessage(id, { over: true })];
  } catch (error) {
    if (call.signal.aborted) return;
    const refusal = wireErrorOf(error, (defect) => {
      const detail = defect instanceof Error ? defect.stack ?? defect.message : String(defect);
      call.served.log.error("A request met a mistake of the server", { path: url.pathname, detail });
    });
    yield [writtenMessage(id, streamError(refusal))];
  }
}

/** The stream of a subscription, once its route lets the caller in. @throws {WireError} where it does not. */
async function begun(router: Router, call: Call, url: URL, cursor: string | undefined, shared: SharedStream) {
  const match = router.find("GET", url.pathname);
  if (!match) throw new WireError(CODE.unimplemented, "Not Implemented");
  const { route: { query: fields, rights, answer }, params } = match;
  if (params.name === "") throw badRequest("resource name may not be empty");
  const isResumed = cursor !== undefined && "listOptions.resourceVersion" in fields;
  const given = readQuery(url.searchParams, fields);
  const query = isResumed ? { ...given, "listOptions.resourceVersion": cursor } : given;
  const mask = fieldMask((query as { readonly fields?: string }).fields ?? "");
  const caller = await call.callerIn(params.namespace ?? "");
  const one: Call = { ...call, caller, params, query, body: {}, text: "", mask, shared };
  await call.gate.check(caller, rights(one));
  const found = await answer(one);
  if (!("stream" in found || "batches" in found)) throw new WireError(CODE.unimplemented, "Not Implemented");
  return { answer: found, mask };
}

/** The version from which a subscription goes on: it only grows, and there is none before all that is there was told. */
class Cursor {
  #version: bigint | undefined;

  constructor(from: string | undefined) {
    this.#version = from === undefined ? undefined : BigInt(from);
  }

  /** There is one from the first message on. */
  begin(): void {
    this.#version ??= 0n;
  }

  /** Takes a version up to which all was told; whether it is a later one. */
  pass(version: string): boolean {
    if (!/^\d{1,20}$/.test(version)) return false;
    const next = BigInt(version);
    if (this.#version !== undefined && next <= this.#version) return false;
    this.#version = next;
    return true;
  }

  /** The cursor after a message about this version; undefined where the message leads no further. */
  after(version: string | undefined): string | undefined {
    return this.#version !== undefined && version !== undefined && this.pass(version) ? version : undefined;
  }
}
