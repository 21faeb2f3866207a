/** Parses the subscriptions of a shared stream: the URL of each stream, and the version to resume from. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { badRequest } from "../wire/errors.ts";

/** One of the streams in a shared stream. */
export interface Subscription {
  /** The name of its messages. */
  readonly id: string;
  /** The URL of a stream of the API, such as `/api/v1/workflow-events/data`. */
  readonly url: URL;
  /** The version that the client already has; undefined to start from scratch. */
  readonly cursor: string | undefined;
}

/** The maximum number of subscriptions of one stream. A browser never shows that many views at once. */
export const MAX_SUBSCRIPTIONS = 100;
/** The maximum size of the body, in bytes. */
export const MAX_BODY_BYTES = 256 << 10;

const ID = /^[\w-]{1,64}$/;
const VERSION = /^\d{1,20}$/;

/** @throws {WireError} that names the invalid field. */
export function readSubscriptions(body: Readonly<Record<string, unknown>>): readonly Subscription[] {
  const { subscriptions } = body;
  if (!Array.isArray(subscriptions) || subscriptions.length === 0) {
    throw badRequest("subscriptions: expected a list of one or more");
  }
  if (subscriptions.length > MAX_SUBSCRIPTIONS) {
    throw badRequest(`subscriptions: expected ${MAX_SUBSCRIPTIONS} or less, got ${subscriptions.length}`);
  }
  const read = subscriptions.map(readSubscription);
  const ids = new Set(read.map(({ id }) => id));
  if (ids.size < read.length) throw badRequest("subscriptions: two have the same id");
  return read;
}

function readSubscription(value: unknown, index: number): Subscription {
  const where = `subscriptions[${index}]`;
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
