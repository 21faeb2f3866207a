/** One run while it lives: as it is, then each of its changes, and the word that it is gone. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { Workflow } from "../../lib/api/mod.ts";
import { keepLive, type LiveState } from "../api/live.ts";
import type { Change } from "../api/source.ts";
import { useApp } from "../app.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
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
}

/** Follows a run as long as the page is shown. */
export function useLiveRun(namespace: string, name: string, uid: string | undefined): LiveRun {
  const { source } = useApp();
  const run = useSignal<Workflow | undefined>(undefined);
  const state = useSignal<LiveState>({ kind: "connecting" });
  const isDeleted = useSignal(false);
  const hasNamesake = useSignal(false);
  const round = useSignal(0);
  useWhileShown((signal) => {
    run.value = undefined;
    isDeleted.value = false;
    hasNamesake.value = false;
    const waiting = unsettled();
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    void keepLive<Change<Workflow>>({
      async list() {
        const found = await source.getRun(namespace, name, uid, signal);
        run.value = found;
        if (isArchivedOnly(found) && uid !== undefined) {
          // A name without a uid finds the run in the cluster, if there is one.
          const named = await source.getRun(namespace, name, undefined, signal);
          hasNamesake.value = named.metadata.uid !== found.metadata.uid;
        }
        waiting[Symbol.dispose]();
        return undefined;
      },
      // A run in the archive changes no more: it is asked for again when the stream would be taken for dead.
      watch: (_from, both, watcher) =>
        run.value && isArchivedOnly(run.value) ? nothing(both) : source.watchRun(namespace, name, both, watcher),
      apply(changes) {
        for (const { type, object } of changes) {
          // A run of the same name with another uid is another run.
          if (run.value?.metadata.uid !== object.metadata.uid) {
            hasNamesake.value = type !== "DELETED";
            continue;
          }
          if (type === "DELETED") isDeleted.value = true;
          else if (object.metadata.resourceVersion !== run.value?.metadata.resourceVersion) run.value = object;
        }
      },
      tell(next) {
        state.value = isDeleted.value && next.kind === "refused" ? { kind: "live" } : next;
        if (next.kind === "refused" || next.kind === "offline") waiting[Symbol.dispose]();
      },
    }, signal);
  }, [namespace, name, uid, round.value]);
  return { run, state, isDeleted, hasNamesake, again: () => round.value++ };
}

/** A stream without a change, until it is left. */
async function* nothing(signal: AbortSignal): AsyncGenerator<Change<Workflow>> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield* [];
}
