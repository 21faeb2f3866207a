/** The subscriptions of a shared stream, read where they enter: the address of a stream each, and where it goes on. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { badRequest } from "../wire/errors.ts";

/** One of the streams that a shared one carries. */
export interface Subscription {
  /** The name that its messages bear. */
  readonly id: string;
  /** The address of a stream of the API, as `/api/v1/workflow-events/data`. */
  readonly url: URL;
  /** The version that its client knows already; undefined to begin anew. */
  readonly cursor: string | undefined;
}

/** The most subscriptions of one stream: more than a browser shows views at a time. */
export const MOST_SUBSCRIPTIONS = 100;
/** The most bytes of the body that says them. */
export const MOST_BODY = 256 << 10;

const ID = /^[\w-]{1,64}$/;
const VERSION = /^\d{1,20}$/;

/** @throws {WireError} naming what is wrong. */
export function readSubscriptions(body: Readonly<Record<string, unknown>>): readonly Subscription[] {
  const { subscriptions } = body;
  if (!Array.isArray(subscriptions) || subscriptions.length === 0) {
    throw badRequest("subscriptions: expected a list of one or more");
  }
  if (subscriptions.length > MOST_SUBSCRIPTIONS) {
    throw badRequest(`subscriptions: expected ${MOST_SUBSCRIPTIONS} or less, got ${subscriptions.length}`);
  }
  const read = subscriptions.map(readOne);
  const ids = new Set(read.map(({ id }) => id));
  if (ids.size < read.length) throw badRequest("subscriptions: two have the same id");
  return read;
}

function readOne(value: unknown, at: number): Subscription {
  const where = `subscriptions[${at}]`;
  const fields = fieldsOf(value);
  const [id = "", path = "", cursor] = [textIn(fields, "id"), textIn(fields, "path"), fields.cursor];
  if (!ID.test(id)) throw badRequest(`${where}.id: expected 1 to 64 letters, digits, - or _`);
  if (cursor !== undefined && (typeof cursor !== "string" || !VERSION.test(cursor))) {
    throw badRequest(`${where}.cursor: expected the id of a message, got ${JSON.stringify(cursor)}`);
  }
  const url = path.startsWith("/api/") ? URL.parse(path, "http://stream") : null;
  if (!url) throw badRequest(`${where}.path: expected the path of a stream below /api/`);
  return { id, url, cursor };
}
