/** One run while it lives: as it is, then each of its changes, and the word that it is gone. */
import { useRef } from "preact/hooks";
import { batch, type ReadonlySignal, useSignal } from "@preact/signals";
import type { Workflow } from "@tiphys/model/api";
import { keepLive, type LiveState } from "../api/live.ts";
import { Refusal } from "../api/refusal.ts";
import type { Change } from "../api/source.ts";
import { useApp } from "../app.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
import { afterAnswer, afterChange, type FollowedRun, UNKNOWN_RUN } from "../model/run/followed_run.ts";
import { unsettled } from "../settled.ts";
import { useWhileShown } from "./hooks.ts";

/** A run and what is known of its being current. */
export interface LiveRun {
  readonly run: ReadonlySignal<Workflow | undefined>;
  readonly state: ReadonlySignal<LiveState>;
  /** The run was deleted while it was shown; its last known state is shown. */
  readonly isDeleted: ReadonlySignal<boolean>;
  /** Another run of the same name is in the cluster. */
  readonly hasNamesake: ReadonlySignal<boolean>;
  /** Asks for the run anew: a deleted one may lie in the archive. */
  again(): void;
  /**
   * Reads the run where it is still shown in a version that is known to be outdated.
   * Whether it is shown in another one then: a server out of reach, or a run that is gone, leaves it as it is.
   */
  readAfter(version: string | undefined): Promise<boolean>;
}

/** Follows a run as long as the page is shown; `onLarge` is told while the first of a large one comes. */
export function useLiveRun(
  namespace: string,
  name: string,
  uid: string | undefined,
  onLarge?: () => void,
): LiveRun {
  const { source } = useApp();
  const run = useSignal<Workflow | undefined>(undefined);
  const state = useSignal<LiveState>({ kind: "connecting" });
  const isDeleted = useSignal(false);
  const hasNamesake = useSignal(false);
  const round = useSignal(0);
  const reader = useRef<LiveRun["readAfter"]>(() => Promise.resolve(false));
  useWhileShown((signal) => {
    let held = UNKNOWN_RUN;
    const hold = (next: FollowedRun) =>
      batch(() => {
        held = next;
        run.value = next.run;
        isDeleted.value = next.isDeleted;
        hasNamesake.value = next.hasNamesake;
      });
    hold(UNKNOWN_RUN);
    reader.current = async (version) => {
      const isOutdated = () => held.run?.metadata.resourceVersion === version;
      try {
        const found = isOutdated() ? await source.getRun(namespace, name, uid, signal) : undefined;
        // What the watch has brought meanwhile may be newer.
        if (found && isOutdated()) hold(afterAnswer(held, found));
      } catch (error) {
        if (!(error instanceof Refusal) && !signal.aborted) throw error;
      }
      return !isOutdated();
    };
    const waiting = unsettled();
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    void keepLive<Change<Workflow>>({
      async list() {
        const asked = source.getRun(namespace, name, uid, signal, held.run ? undefined : onLarge);
        const found = await asked.catch((error) => {
          // A run that was known is gone since.
          if (held.run && error instanceof Refusal && error.kind === "absent") return undefined;
          throw error;
        });
        const next = afterAnswer(held, found);
        hold(next);
        if (found && isArchivedOnly(found) && uid !== undefined) {
          // A name without a uid finds the run in the cluster, if there is one.
          const named = await source.getRun(namespace, name, undefined, signal);
          hold({ ...next, hasNamesake: named.metadata.uid !== found.metadata.uid });
        }
        waiting[Symbol.dispose]();
        return undefined;
      },
      // A run in the archive, or a deleted one, changes no more: it is asked for again when a stream would be taken for dead.
      watch: (_from, both, watcher) =>
        held.run && isArchivedOnly(held.run) || held.isDeleted && !held.hasNamesake
          ? nothing(both)
          : untilGone(source.watchRun(namespace, name, held.isDeleted ? undefined : held.run, both, watcher)),
      apply(changes) {
        hold(changes.reduce(afterChange, held));
      },
      tell(next) {
        state.value = isDeleted.value && next.kind === "refused" ? { kind: "live" } : next;
        if (next.kind === "refused" || next.kind === "offline") waiting[Symbol.dispose]();
      },
    }, signal);
  }, [namespace, name, uid, round.value]);
  return {
    run,
    state,
    isDeleted,
    hasNamesake,
    again: () => round.value++,
    readAfter: (version) => reader.current(version),
  };
}

/** A stream that ends where it is refused because its run is gone: that it is, is found when it is asked for anew. */
async function* untilGone<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
}

/** A stream without a change, until it is left. */
async function* nothing(signal: AbortSignal): AsyncGenerator<Change<Workflow>> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield* [];
}
