/** Answers to a watch: the history after a version, then what happens, as it happens. */

import type { ApiContext } from "../context.ts";
import { LONGEST_WATCH_SECONDS, MAX_WATCH_BACKLOG } from "../limits.ts";
import { checkVersion } from "./list.ts";
import { initialEvents } from "./list_options.ts";
import { parseSelection, type Selection } from "./selection.ts";
import type { ServedResource } from "../served_resource.ts";
import { badRequest, expired, type StatusError } from "../status_error.ts";
import { collectionName, type Stored, type StoreEvent } from "../store.ts";

/** The form of the objects of a watch. */
export interface Rendering {
  /** Writes an object into an event: as itself, its metadata, or as the row of a table. */
  readonly text: (stored: Stored) => string;
  /** The kind that bookmarks have: clients of metadata know no other. */
  readonly bookmark: { readonly apiVersion: string; readonly kind: string };
}

const BOOKMARK_MS = 60_000;
const encoder = new TextEncoder();

/**
 * Opens a watch.
 * @throws {StatusError} for a query that cannot be honoured; too old a version is told in the stream.
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
  const initial = initialEvents(query);
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
        // A client that does not read is not written to any longer: it may come back, and goes on where it was.
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

/** @throws {StatusError} 400 for what is no number of seconds. */
function parseTimeout(text: string | null): number {
  if (text !== null && !/^\d*$/.test(text)) {
    throw badRequest(`timeoutSeconds: Invalid value: ${JSON.stringify(text)}: must be a number of seconds`);
  }
  return Math.min(Number(text ?? 0) || LONGEST_WATCH_SECONDS, LONGEST_WATCH_SECONDS);
}

/** A line of a watch: with a selector, an object that begins or ceases to match appears or disappears. */
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
