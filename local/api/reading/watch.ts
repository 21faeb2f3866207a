/** Watches: the history after a version, then events as they happen. */

import type { ApiContext } from "../context.ts";
import { MAX_WATCH_BACKLOG, MAX_WATCH_SECONDS } from "../limits.ts";
import { checkVersion } from "./list.ts";
import { parseInitialEvents } from "./list_options.ts";
import { parseSelection, type Selection } from "./selection.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, expired, type StatusError } from "../status_error.ts";
import { collectionName, type StoredObject, type StoreEvent } from "../store.ts";

/** The form of the objects in a watch. */
export interface Rendering {
  /** Serializes an object for an event: the object, its metadata, or a row of a table. */
  readonly text: (stored: StoredObject) => string;
  /** The kind of bookmark events: clients that watch `PartialObjectMetadata` reject bookmarks of another kind. */
  readonly bookmark: { readonly apiVersion: string; readonly kind: string };
}

const BOOKMARK_MS = 60_000;
const encoder = new TextEncoder();

/**
 * Opens a watch.
 * @throws {StatusError} for an invalid query. An expired version is reported in the stream.
 */
export function watchStream(
  context: ApiContext,
  resource: ServedResource,
  namespace: string | undefined,
  query: URLSearchParams,
  { text, bookmark: bookmarkKind }: Rendering,
): ReadableStream<Uint8Array> {
  const selected = parseSelection(query, resource);
  const from = query.get("resourceVersion") ?? "";
  checkVersion(from, context.store.version);
  const name = collectionName(resource);
  const initial = parseInitialEvents(query);
  const bookmarks = query.get("allowWatchBookmarks") === "true";
  const timeoutSeconds = parseTimeout(query.get("timeoutSeconds"));
  const prefix = namespace === undefined ? "" : `${namespace}/`;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let unlisten = () => {};
  let begunWith = Infinity;
  const stop = () => {
    unlisten();
    for (const timer of timers) clearTimeout(timer);
  };

  return new ReadableStream({
    start(stream) {
      const send = (line: string) => stream.enqueue(encoder.encode(line + "\n"));
      const sendEvent = (event: StoreEvent) => {
        if (!event.after.key.startsWith(prefix)) return;
        const line = eventLine(event, selected, text);
        if (line === undefined) return;
        send(line);
        // The watch of a client that does not read is ended. It may reconnect, and continue from its last version.
        if (-(stream.desiredSize ?? 0) <= begunWith + MAX_WATCH_BACKLOG) return;
        stop();
        stream.close();
      };
      const bookmark = (initialEnd: boolean) => send(bookmarkLine(bookmarkKind, context.store.version, initialEnd));

      const isFromNow = from === "" || from === "0";
      if (initial ?? isFromNow) {
        for (const stored of context.store.list(name, namespace)) {
          if (selected(stored.object)) send(`{"type":"ADDED","object":${text(stored)}}`);
        }
        if (initial && bookmarks) bookmark(true);
      } else if (!isFromNow) {
        const events = context.store.eventsAfter(name, Number(from));
        if (events === undefined) {
          send(errorLine(expired(`too old resource version: ${from} (${context.store.version})`)));
          stream.close();
          return;
        }
        events.forEach(sendEvent);
      }
      unlisten = context.store.listen(name, sendEvent);
      if (bookmarks) timers.push(setInterval(() => bookmark(false), BOOKMARK_MS));
      timers.push(setTimeout(() => {
        if (bookmarks) bookmark(false);
        stop();
        stream.close();
      }, timeoutSeconds * 1000));
      begunWith = Math.max(0, -(stream.desiredSize ?? 0));
    },
    cancel: stop,
  }, new ByteLengthQueuingStrategy({ highWaterMark: 0 }) as QueuingStrategy<Uint8Array>);
}

/** @throws {StatusError} 400 if it is not a number of seconds. */
function parseTimeout(text: string | null): number {
  if (text !== null && !/^\d*$/.test(text)) {
    throw badRequest(`timeoutSeconds: Invalid value: ${JSON.stringify(text)}: must be a number of seconds`);
  }
  return Math.min(Number(text ?? 0) || MAX_WATCH_SECONDS, MAX_WATCH_SECONDS);
}

/** A line of a watch. With a selector, an object that starts or stops matching is added or deleted. */
function eventLine(event: StoreEvent, selected: Selection, text: Rendering["text"]): string | undefined {
  const matched = event.before !== undefined && selected(event.before.object);
  const matches = event.type !== "DELETED" && selected(event.after.object);
  if (matches) return `{"type":"${matched ? "MODIFIED" : "ADDED"}","object":${text(event.after)}}`;
  return matched ? `{"type":"DELETED","object":${text(event.after)}}` : undefined;
}

function bookmarkLine({ apiVersion, kind }: Rendering["bookmark"], version: number, initialEnd: boolean): string {
  const annotations = initialEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  return JSON.stringify({
    type: "BOOKMARK",
    object: {
      kind,
      apiVersion,
      metadata: { resourceVersion: String(version), creationTimestamp: null, ...annotations },
    },
  });
}

function errorLine(error: StatusError): string {
  return JSON.stringify({ type: "ERROR", object: error.status });
}
