/** One run while it lives: as it is, then each of its changes, and the word that it is gone. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { Workflow } from "../../lib/api/mod.ts";
import { keepLive, type LiveState } from "../api/live.ts";
import type { Change } from "../api/source.ts";
import { useApp } from "../app.ts";
import { unsettled } from "../settled.ts";
import { useWhileShown } from "./hooks.ts";

/** A run and what is known of its being current. */
export interface LiveRun {
  readonly run: ReadonlySignal<Workflow | undefined>;
  readonly state: ReadonlySignal<LiveState>;
  /** It was deleted while it was shown; what is shown is the last that was seen. */
  readonly isDeleted: ReadonlySignal<boolean>;
}

/** Follows a run as long as the page is shown. */
export function useLiveRun(namespace: string, name: string, uid: string | undefined): LiveRun {
  const { source } = useApp();
  const run = useSignal<Workflow | undefined>(undefined);
  const state = useSignal<LiveState>({ kind: "connecting" });
  const isDeleted = useSignal(false);
  useWhileShown((signal) => {
    run.value = undefined;
    isDeleted.value = false;
    const waiting = unsettled();
    signal.addEventListener("abort", () => waiting[Symbol.dispose](), { once: true });
    void keepLive<Change<Workflow>>({
      async list() {
        run.value = await source.getRun(namespace, name, uid, signal);
        waiting[Symbol.dispose]();
        return undefined;
      },
      watch: (_from, both, watcher) => source.watchRun(namespace, name, both, watcher),
      apply(changes) {
        for (const { type, object } of changes) {
          // Another run of the same name is another run.
          if (run.value?.metadata.uid !== object.metadata.uid) continue;
          if (type === "DELETED") isDeleted.value = true;
          else if (object.metadata.resourceVersion !== run.value?.metadata.resourceVersion) run.value = object;
        }
      },
      tell(next) {
        state.value = isDeleted.value && next.kind === "refused" ? { kind: "live" } : next;
        if (next.kind === "refused" || next.kind === "offline") waiting[Symbol.dispose]();
      },
    }, signal);
  }, [namespace, name, uid]);
  return { run, state, isDeleted };
}
