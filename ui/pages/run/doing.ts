/** The action that is under way on a run, what came of the last one, and the functions that start one. */
import { useEffect, useState } from "preact/hooks";
import { Refusal } from "../../api/refusal.ts";
import type { RunAction } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { isArchivedOnly } from "../../model/run/archived.ts";
import type { LiveRun } from "../live_run.ts";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/run_actions.ts";

/** The action under way, the last refusal, and the functions that start an action. */
export interface Doing {
  /** `stopping`; undefined when nothing is under way. */
  readonly word: string | undefined;
  readonly refusal: Refusal | undefined;
  /** Gives the refusal; undefined where it was done. */
  act(action: RunAction): Promise<Refusal | undefined>;
  remove(from: DeletedFrom): void;
  forget(): void;
  readonly readAfter: LiveRun["readAfter"];
}

/** The places that a run is deleted from. */
export interface DeletedFrom {
  readonly live: boolean;
  readonly archived: boolean;
}

const WORDS: Readonly<Record<RunAction["verb"], string>> = {
  suspend: words.suspending,
  resume: words.resuming,
  set: words.resuming,
  stop: words.stopping,
  terminate: words.terminating,
  retry: words.retrying,
  resubmit: words.resubmitting,
};

/** Does things to a run; the word of what is under way stays until the run has changed. */
export function useDoing(
  { namespace, name, run }: Pick<RunScene, "namespace" | "name" | "run">,
  readAfter: LiveRun["readAfter"],
): Doing {
  const { resourceVersion, uid = "" } = run.metadata;
  const app = useApp();
  const [word, setWord] = useState<string | undefined>(undefined);
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined);
  useEffect(() => setWord(undefined), [resourceVersion]);
  const doIt = async (next: string, act: () => Promise<void>) => {
    setWord(next);
    setRefusal(undefined);
    try {
      await act();
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
      setWord(undefined);
      return error;
    }
  };
  return {
    word,
    refusal,
    forget: () => setRefusal(undefined),
    readAfter,
    act: (action) =>
      doIt(WORDS[action.verb], async () => {
        const { metadata } = isArchivedOnly(run)
          ? await app.source.actOnArchived(namespace, name, uid, action)
          : await app.source.actOnRun(namespace, name, action);
        // A run that comes back from the archive is another object with the same name.
        if (action.verb !== "resubmit" && !isArchivedOnly(run)) return;
        app.go({ page: { kind: "run", namespace, name: metadata.name ?? "" }, query: [] });
      }),
    remove: ({ live, archived }) =>
      void doIt(words.deleting, async () => {
        if (live) await app.source.deleteRun(namespace, name, uid);
        if (archived) await app.source.deleteArchived(namespace, uid);
        app.go({ page: { kind: "runs", namespace }, query: [] });
      }),
  };
}
