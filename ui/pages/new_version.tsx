/** A notification that the server has another version than this page. */
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { relistCount } from "../api/live.ts";
import { Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import * as words from "../model/text/en/frame.ts";

/** The interval at which the version is checked, for pages that stay open for days. */
const PAUSE_MILLIS = 10 * 60_000;

/** Renders the notification, with a link that reloads the page, if the versions differ. */
export function NewVersion() {
  const { source, version } = useApp();
  const next = useSignal("");
  useEffect(() => {
    const left = new AbortController();
    const look = () => {
      if (document.hidden || version.value === "") return;
      source.version(left.signal).then((newest) => {
        next.value = newest === version.value ? "" : newest;
      }, (error) => {
        // Live views report an offline server.
        if (!left.signal.aborted && !(error instanceof Refusal)) throw error;
      });
    };
    const timer = setInterval(look, PAUSE_MILLIS);
    // A server that was offline may have been updated.
    let before = relistCount.value;
    const forget = relistCount.subscribe((count) => {
      if (count === before) return;
      before = count;
      look();
    });
    return () => {
      clearInterval(timer);
      forget();
      left.abort();
    };
  }, []);
  if (next.value === "") return null;
  return (
    <p class="note row" role="status">
      <span>{words.newVersion(next.value, version.value)}</span>
      <button type="button" class="button" onClick={() => location.reload()}>{words.newPageButton}</button>
    </p>
  );
}
