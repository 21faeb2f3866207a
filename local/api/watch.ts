/** Answers to a watch: the history after a version, then what happens, as it happens. */

import { apiVersionOf } from "../../lib/kube/mod.ts";
import type { ApiContext } from "./context.ts";
import { checkVersion } from "./list.ts";
import { parseSelection, type Selection } from "./selection.ts";
import type { ServedResource } from "./served_resource.ts";
import { expired, type StatusError } from "./status_error.ts";
import { collectionName, type Stored, type StoreEvent } from "./store.ts";

/** How an object is written into an event: as itself, or as the row of a table. */
export type Rendering = (stored: Stored) => string;

const BOOKMARK_MS = 60_000;
/** A timer that is longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const encoder = new TextEncoder();

/** Opens a watch. Throws StatusError for a query that cannot be honoured; too old a version is told in the stream. */
export function watchStream(
  context: ApiContext,
  resource: ServedResource,
  namespace: string | undefined,
  query: URLSearchParams,
  render: Rendering = (stored) => stored.text,
): ReadableStream<Uint8Array> {
  const selected = parseSelection(query, resource);
  const from = query.get("resourceVersion") ?? "";
  checkVersion(from, context.store.version);
  const name = collectionName(resource);
  const bookmarks = query.get("allowWatchBookmarks") === "true";
  const timeoutSeconds = Number(query.get("timeoutSeconds") ?? 0);
  const prefix = namespace === undefined ? "" : `${namespace}/`;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let unlisten = () => {};
  const stop = () => {
    unlisten();
    for (const timer of timers) clearTimeout(timer);
  };

  return new ReadableStream({
    start(stream) {
      const send = (line: string) => stream.enqueue(encoder.encode(line + "\n"));
      const sendEvent = (event: StoreEvent) => {
        if (!event.after.key.startsWith(prefix)) return;
        const line = eventLine(event, selected, render);
        if (line !== undefined) send(line);
      };
      const bookmark = (initialEnd: boolean) => send(bookmarkLine(resource, context.store.version, initialEnd));

      if (from === "" || from === "0") {
        for (const stored of context.store.list(name, namespace)) {
          if (selected(stored.object)) send(`{"type":"ADDED","object":${render(stored)}}`);
        }
        if (query.get("sendInitialEvents") === "true" && bookmarks) bookmark(true);
      } else {
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
      if (timeoutSeconds > 0) {
        timers.push(setTimeout(() => {
          if (bookmarks) bookmark(false);
          stop();
          stream.close();
        }, Math.min(timeoutSeconds * 1000, LONGEST_TIMER_MS)));
      }
    },
    cancel: stop,
  });
}

/** To one that selects, an object that begins or ceases to match appears or disappears. */
function eventLine(event: StoreEvent, selected: Selection, render: Rendering): string | undefined {
  const matched = event.before !== undefined && selected(event.before.object);
  const matches = event.type !== "DELETED" && selected(event.after.object);
  if (matches) return `{"type":"${matched ? "MODIFIED" : "ADDED"}","object":${render(event.after)}}`;
  return matched ? `{"type":"DELETED","object":${render(event.after)}}` : undefined;
}

function bookmarkLine(resource: ServedResource, version: number, initialEnd: boolean): string {
  const annotations = initialEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  return JSON.stringify({
    type: "BOOKMARK",
    object: {
      kind: resource.kind,
      apiVersion: apiVersionOf(resource),
      metadata: { resourceVersion: String(version), creationTimestamp: null, ...annotations },
    },
  });
}

function errorLine(error: StatusError): string {
  return JSON.stringify({ type: "ERROR", object: error.status });
}
