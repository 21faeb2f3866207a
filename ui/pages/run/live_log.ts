/** A log while it is written: read into a store, and resumed where a stream broke without a line lost or told twice. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
// What reads logs comes with what shows them, not after the first answer.
import "../../api/log_lines.ts";
import { Refusal } from "../../api/refusal.ts";
import { untilHidden, untilSeen } from "../../api/seen.ts";
import type { LogQuery, Source } from "../../api/source.ts";
import { takeIn } from "../../model/logs/log_intake.ts";
import { LogStore } from "../../model/logs/log_store.ts";
import { LogResume } from "../../model/logs/resume.ts";
import { unsettled } from "../../settled.ts";
import { useWhileShown } from "../hooks.ts";
import { frameDrawn } from "../../api/frame_drawn.ts";
import { pacer, restBehind } from "../../api/rest.ts";

/** The state of the stream. */
export type LogState =
  | { readonly kind: "reading" }
  | { readonly kind: "ended" }
  /** Other tabs follow logs with the connections that the browser has: it is read again and again. */
  | { readonly kind: "crowded" }
  /** There is more than a page can hold. */
  | { readonly kind: "full" }
  | { readonly kind: "broken"; readonly refusal: Refusal }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** A log, the number of its changes, and the state of its stream. */
export interface LiveLog {
  readonly store: LogStore;
  readonly version: ReadonlySignal<number>;
  readonly state: ReadonlySignal<LogState>;
}

/** The log that is meant. */
export interface LogChoice {
  readonly namespace: string;
  readonly name: string;
  /** The run that is meant by the name: another one has another log. */
  readonly uid: string | undefined;
  /** The one that the address means by its uid. */
  readonly askedUid: string | undefined;
  readonly podName: string | undefined;
  readonly container: string;
  readonly isOver: boolean;
  /** Only so many lines at the end; all where it is left out. */
  readonly tailLines?: number | undefined;
}

const PAUSE_MILLIS = 1_000;
/** The time between two readings of a log that has no turn to be followed. */
const CROWDED_MILLIS = 3_000;
/** The least time between two pictures of a log that grows. */
const DRAWN_MILLIS = 80;

/** Reads the log as long as the page is shown. */
export function useLiveLog(source: Source, choice: LogChoice): LiveLog {
  const { namespace, name, uid, podName, container, tailLines } = choice;
  const keys = [namespace, name, uid, podName, container, tailLines];
  const { store, resume } = useMemo(() => ({ store: new LogStore(), resume: new LogResume() }), keys);
  const version = useSignal(0);
  const state = useSignal<LogState>({ kind: "reading" });
  useWhileShown((signal) => {
    state.value = { kind: "reading" };
    const waiting = unsettled();
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
        // Nobody reads a log that is drawn sixty times a second, and drawing it takes time from reading it.
        if (now - drawnAt < DRAWN_MILLIS) return bump();
        draw(now);
      });
    };
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    // Without a first line for a while, the log is taken to be empty for now.
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
  /** The same for the frame that is made next, and not the one after it. */
  readonly drawNow: () => void;
  readonly tell: (state: LogState) => void;
}

async function readLog(reading: Reading): Promise<void> {
  const { source, choice, store, resume, signal, bump, drawNow, tell } = reading;
  const { namespace, name, askedUid, podName, container, isOver, tailLines } = choice;
  let isSeen = false;
  let isCrowded = false;
  while (!signal.aborted) {
    // What is still written is read while somebody sees it; what is there is read to its end.
    if (!isOver) await untilSeen(signal);
    using turn = isOver ? undefined : source.logTurn();
    const crowded = new AbortController();
    // Who opens a log waits for no turn: where there is none, the stream is left again.
    if (isCrowded) isCrowded = turn !== undefined && !await turn.isMine;
    else void turn?.isMine.then((isMine) => isMine || crowded.abort());
    resume.restart();
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
    using hidden = untilHidden();
    const left = isOver ? signal : AbortSignal.any([signal, hidden.signal, crowded.signal]);
    if (left.aborted) continue;
    try {
      // Frames and clicks come before the next lines: there may be a million of them.
      const rest = pacer(restBehind);
      for await (const batch of source.logs(namespace, name, query, left)) {
        if (!takeIn(batch, store, resume)) return tell({ kind: "full" });
        // Whoever opens a long log sees its first lines, and does not wait for megabytes after them. The first line of what
        // came is a batch of its own.
        if (!isSeen && store.count > 1) {
          isSeen = true;
          drawNow();
          await frameDrawn();
        } else bump();
        // Lines may come faster than they are taken in: the page is drawn, and answers, all the same.
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
