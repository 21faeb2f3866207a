/** Keeps live views up to date: lists, watches, and lists again after each gap, so that deleted objects disappear. */
import { signal as changing } from "@preact/signals";
import { pauseBetweenTries } from "./pause_between_tries.ts";
import { asRefusal, type Refusal } from "./refusal.ts";
import { abortWhenHidden, waitUntilVisible } from "./visibility.ts";
import type { StreamWatcher } from "./stream_talk.ts";

/** The state of a live view, for its indicator. */
export type LiveState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** The connection is retried automatically; the data is from `since`. */
  | { readonly kind: "offline"; readonly since: number; readonly refusal: Refusal }
  /** Retrying would not help. */
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** A live view: how it is listed, watched and updated. */
export interface LiveView<T> {
  /** Lists the objects and replaces the current ones; returns the version from which to watch. */
  list(signal: AbortSignal): Promise<string | undefined>;
  watch(from: string | undefined, signal: AbortSignal, watcher: StreamWatcher): AsyncIterable<T>;
  /** Applies changes, at most once per frame. */
  apply(changes: readonly T[]): void;
  tell(state: LiveState): void;
}

/** A stream is considered dead after this silence: the server sends a heartbeat every 15 s. */
const SILENCE_MILLIS = 40_000;
const GONE = 410;

/** Counts how often a view was listed again, which means that the server may have been updated. */
export const relistCount = changing(0);

/**
 * Keeps a view up to date until the signal is aborted, or the server refuses permanently. While the page is hidden it
 * is not updated; it is listed again when it becomes visible.
 */
export async function keepUpdated<T>(view: LiveView<T>, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let since = 0;
  // Consecutive outdated versions without a change in between.
  let gone = 0;
  let isFirst = true;
  view.tell({ kind: "connecting" });
  while (!signal.aborted) {
    let isBusy = false;
    try {
      const from = await view.list(signal);
      failures = since = 0;
      if (!isFirst) relistCount.value++;
      isFirst = false;
      view.tell({ kind: "live" });
      await follow(view, from, signal, () => gone = 0);
      gone = 0;
    } catch (error) {
      if (signal.aborted) return;
      const refusal = asRefusal(error);
      const isGone = refusal.status === GONE;
      // The version was outdated: the view is listed again, once without showing it.
      if (isGone && ++gone === 1) continue;
      if (!isGone && !isTemporary(refusal)) return view.tell({ kind: "refused", refusal });
      // A busy server is retried later.
      isBusy = isGone || refusal.kind === "busy";
      since ||= Date.now();
      if (isGone || failures > 0) view.tell({ kind: "offline", since, refusal });
      if (!isGone) failures++;
    }
    if (document.hidden) {
      await waitUntilVisible(signal);
      failures = 0;
      view.tell({ kind: "connecting" });
      continue;
    }
    const tries = { failures: Math.max(failures, gone - 1), offlineMillis: isBusy ? undefined : Date.now() - since };
    await pause(pauseBetweenTries(tries, Math.random()), signal);
  }
}

function isTemporary({ kind }: Refusal): boolean {
  return kind === "offline" || kind === "busy" || kind === "server";
}

async function follow<T>(
  view: LiveView<T>,
  from: string | undefined,
  signal: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const silent = new AbortController();
  using hidden = abortWhenHidden();
  const both = AbortSignal.any([signal, silent.signal, hidden.signal]);
  if (hidden.signal.aborted) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE_MILLIS);
  };
  const batch = frameBatch<T>((changes) => view.apply(changes));
  alive();
  try {
    for await (const change of view.watch(from, both, { onOpen: alive, onLife: alive })) {
      onChange();
      batch.add(change);
    }
  } catch (error) {
    if (!silent.signal.aborted && !hidden.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    batch.flush();
  }
}

/** Collects items and delivers them once per frame; in a hidden tab, which has no frames, once a second. */
function frameBatch<T>(take: (items: readonly T[]) => void) {
  let items: T[] = [];
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel?.();
    cancel = undefined;
    const taken = items;
    items = [];
    if (taken.length > 0) take(taken);
  };
  return {
    add(item: T) {
      items.push(item);
      if (cancel) return;
      const frame = requestAnimationFrame(flush);
      const timer = setTimeout(flush, 1000);
      cancel = () => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
      };
    },
    flush,
  };
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      globalThis.removeEventListener("online", end);
      document.removeEventListener("visibilitychange", end);
      resolve();
    };
    const timer = setTimeout(end, millis);
    signal.addEventListener("abort", end, { once: true });
    // The machine is online again: end the pause.
    globalThis.addEventListener("online", end, { once: true });
    // The page became visible or hidden: end the pause.
    document.addEventListener("visibilitychange", end, { once: true });
  });
}
