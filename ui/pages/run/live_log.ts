/** A live log: read into a store, and resumed after the stream breaks without lost or repeated lines. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
// Loaded together with the viewer rather than after the first response.
import "../../api/log_lines.ts";
import { Refusal } from "../../api/refusal.ts";
import { abortWhenHidden, waitUntilVisible } from "../../api/visibility.ts";
import type { LogQuery, Source } from "../../api/source.ts";
import { addBatch } from "../../model/logs/log_intake.ts";
import { LogStore } from "../../model/logs/log_store.ts";
import { LogResume } from "../../model/logs/resume.ts";
import { trackPending } from "../../settled.ts";
import { useWhileShown } from "../hooks.ts";
import { waitForPaint } from "../../api/wait_for_paint.ts";
import { createPacer, yieldBehindTasks } from "../../api/pauses.ts";

/** The state of the stream. */
export type LogState =
  | { readonly kind: "reading" }
  | { readonly kind: "ended" }
  /** Other tabs follow logs with all connections of the browser, so the log is polled. */
  | { readonly kind: "crowded" }
  /** The log exceeds the capacity of the page. */
  | { readonly kind: "full" }
  | { readonly kind: "broken"; readonly refusal: Refusal }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** A log, its version, and the state of its stream. */
export interface LiveLog {
  readonly store: LogStore;
  readonly version: ReadonlySignal<number>;
  readonly state: ReadonlySignal<LogState>;
}

/** Selects a log. */
export interface LogChoice {
  readonly namespace: string;
  readonly name: string;
  /** The UID of the run: another run of the name has another log. */
  readonly uid: string | undefined;
  /** The UID in the address. */
  readonly requestedUid: string | undefined;
  readonly podName: string | undefined;
  readonly container: string;
  readonly isFinished: boolean;
  /** The number of lines at the end that are read; by default all. */
  readonly tailLines?: number | undefined;
}

const PAUSE_MILLIS = 1_000;
/** The polling interval of a log without a turn. */
const CROWDED_MILLIS = 3_000;
/** The minimum time between two renderings of a growing log. */
const DRAWN_MILLIS = 80;

/** Reads the log while the page is shown. */
export function useLiveLog(source: Source, choice: LogChoice): LiveLog {
  const { namespace, name, uid, podName, container, tailLines } = choice;
  const keys = [namespace, name, uid, podName, container, tailLines];
  const { store, resume } = useMemo(() => ({ store: new LogStore(), resume: new LogResume() }), keys);
  const version = useSignal(0);
  const state = useSignal<LogState>({ kind: "reading" });
  useWhileShown((signal) => {
    state.value = { kind: "reading" };
    const waiting = trackPending();
    let frame: number | undefined;
    let drawnAt = -Infinity;
    const draw = (now: number) => {
      drawnAt = now;
      waiting[Symbol.dispose]();
      version.value++;
    };
    const bump = () => {
      frame ??= requestAnimationFrame((now) => {
        frame = undefined;
        // Rendering at sixty frames per second would slow down reading.
        if (now - drawnAt < DRAWN_MILLIS) return bump();
        draw(now);
      });
    };
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    // Without a first line for a while, the log is considered empty for now.
    const quiet = setTimeout(() => waiting[Symbol.dispose](), PAUSE_MILLIS);
    signal.addEventListener("abort", () => clearTimeout(quiet), { once: true });
    void readLog({
      source,
      choice,
      store,
      resume,
      signal,
      bump,
      drawNow: () => draw(performance.now()),
      tell: (next) => {
        state.value = next;
        bump();
      },
    });
  }, keys);
  return { store, version, state };
}

interface Reading {
  readonly source: Source;
  readonly choice: LogChoice;
  readonly store: LogStore;
  readonly resume: LogResume;
  readonly signal: AbortSignal;
  readonly bump: () => void;
  /** Renders in the next frame rather than after the minimum time. */
  readonly drawNow: () => void;
  readonly tell: (state: LogState) => void;
}

async function readLog(reading: Reading): Promise<void> {
  const { source, choice, store, resume, signal, bump, drawNow, tell } = reading;
  const { namespace, name, requestedUid: askedUid, podName, container, isFinished: isOver, tailLines } = choice;
  let isSeen = false;
  let isCrowded = false;
  while (!signal.aborted) {
    // A running log is read while the page is visible; a finished one is read to its end.
    if (!isOver) await waitUntilVisible(signal);
    using turn = isOver ? undefined : source.logTurn();
    const crowded = new AbortController();
    // The first reading does not wait for a turn: without one, the stream is closed again.
    if (isCrowded) isCrowded = turn !== undefined && !await turn.isMine;
    else void turn?.isMine.then((isMine) => isMine || crowded.abort());
    resume.startStream();
    const sinceTime = resume.sinceTime();
    const query: LogQuery = {
      uid: askedUid,
      podName,
      container,
      follow: !isOver && !isCrowded,
      timestamps: true,
      sinceTime,
      tailLines,
    };
    using hidden = abortWhenHidden();
    const left = isOver ? signal : AbortSignal.any([signal, hidden.signal, crowded.signal]);
    if (left.aborted) continue;
    try {
      // Frames and clicks take precedence over further lines: there may be a million.
      const rest = createPacer(yieldBehindTasks);
      for await (const batch of source.logs(namespace, name, query, left)) {
        if (!addBatch(batch, store, resume)) return tell({ kind: "full" });
        // The first lines of a long log appear before megabytes after them have arrived. The first line is a separate
        // batch.
        if (!isSeen && store.count > 1) {
          isSeen = true;
          drawNow();
          await waitForPaint();
        } else bump();
        // Lines may arrive faster than they are stored; the page stays responsive.
        await rest();
      }
      if (!isCrowded) return tell({ kind: "ended" });
      tell({ kind: "crowded" });
      await new Promise((resolve) => setTimeout(resolve, CROWDED_MILLIS));
      continue;
    } catch (error) {
      if (signal.aborted) return;
      isCrowded ||= crowded.signal.aborted;
      if (left.aborted) continue;
      if (!(error instanceof Refusal)) throw error;
      if (error.kind !== "offline" && error.kind !== "busy" && error.kind !== "server") {
        return tell({ kind: "refused", refusal: error });
      }
      tell({ kind: "broken", refusal: error });
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
  }
}
