/** A live run: its state, its changes, and its deletion. */
import { useRef } from "preact/hooks";
import { batch, type ReadonlySignal, useSignal } from "@preact/signals";
import type { Workflow } from "@tiphys/model/api";
import { keepUpdated, type LiveState } from "../api/live.ts";
import { Refusal } from "../api/refusal.ts";
import type { Change } from "../api/source.ts";
import { useApp } from "../app.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
import { afterAnswer, afterChange, type FollowedRun, UNKNOWN_RUN } from "../model/run/followed_run.ts";
import { trackPending } from "../settled.ts";
import { useWhileShown } from "./hooks.ts";

/** A run, and whether it is up to date. */
export interface LiveRun {
  readonly run: ReadonlySignal<Workflow | undefined>;
  readonly state: ReadonlySignal<LiveState>;
  /** Whether the run was deleted; its last known state is shown. */
  readonly isDeleted: ReadonlySignal<boolean>;
  /** Whether the cluster has another run of the same name. */
  readonly hasNamesake: ReadonlySignal<boolean>;
  /** Requests the run again: a deleted one may be in the archive. */
  reload(): void;
  /**
   * Reads the run if its shown version is `version`, which is known to be outdated. Resolves to whether another version
   * is shown then: if the server is offline or the run is gone, nothing changes.
   */
  readAfter(version: string | undefined): Promise<boolean>;
}

/** Watches a run while the page is shown; `onLarge` is called while the first response arrives if it is large. */
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
        // The watch may have received a newer version in the meantime.
        if (found && isOutdated()) hold(afterAnswer(held, found));
      } catch (error) {
        if (!(error instanceof Refusal) && !signal.aborted) throw error;
      }
      return !isOutdated();
    };
    const waiting = trackPending();
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    void keepUpdated<Change<Workflow>>({
      async list() {
        const asked = source.getRun(namespace, name, uid, signal, held.run ? undefined : onLarge);
        const found = await asked.catch((error) => {
          // A known run was deleted.
          if (held.run && error instanceof Refusal && error.kind === "absent") return undefined;
          throw error;
        });
        const next = afterAnswer(held, found);
        hold(next);
        if (found && isArchivedOnly(found) && uid !== undefined) {
          // A request by name only finds the run in the cluster, if it exists.
          const named = await source.getRun(namespace, name, undefined, signal);
          hold({ ...next, hasNamesake: named.metadata.uid !== found.metadata.uid });
        }
        waiting[Symbol.dispose]();
        return undefined;
      },
      // An archived or deleted run does not change; it is requested again when a silent stream would be considered
      // dead.
      watch: (_from, both, watcher) =>
        held.run && isArchivedOnly(held.run) || held.isDeleted && !held.hasNamesake
          ? emptyStream(both)
          : endWhenGone(source.watchRun(namespace, name, held.isDeleted ? undefined : held.run, both, watcher)),
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
    reload: () => round.value++,
    readAfter: (version) => reader.current(version),
  };
}

/** Ends a stream that is refused because its run is gone; the next request confirms that. */
async function* endWhenGone<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
}

/** A stream without changes, until the signal is aborted. */
async function* emptyStream(signal: AbortSignal): AsyncGenerator<Change<Workflow>> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield* [];
}
