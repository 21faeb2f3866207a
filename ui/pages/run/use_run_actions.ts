/** The action in progress on a run, the result of the last one, and functions that start actions. */
import { useState } from "preact/hooks";
import { Refusal } from "../../api/refusal.ts";
import type { RunAction } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { isArchivedOnly } from "../../model/run/archived.ts";
import { ACTION_NAMES, type ActionInProgress, isVisibleIn } from "../../model/actions_in_progress.ts";
import { isActiveSuspend, nodesOf } from "@tiphys/model/status";
import type { LiveRun } from "../live_run.ts";
import type { RunScene } from "./run_scene.ts";

/** The action in progress, the last refusal, and functions that start actions. */
export interface RunActions {
  /** For example `stopping`; undefined if no action is in progress. */
  readonly word: string | undefined;
  readonly refusal: Refusal | undefined;
  /** The action that undoes the last one, if there is one. */
  readonly undo: "suspend" | "resume" | undefined;
  /** Resolves to the refusal, or undefined on success. */
  act(action: RunAction): Promise<Refusal | undefined>;
  /** Performs several actions in order, up to the first refusal. */
  actAll(actions: readonly RunAction[]): Promise<void>;
  remove(from: DeletedFrom): void;
  dismissRefusal(): void;
  undoLast(): void;
  readonly readAfter: LiveRun["readAfter"];
}

/** The stores in which a deleted run is: the cluster, the archive, or both. */
export interface DeletedFrom {
  readonly live: boolean;
  readonly archived: boolean;
}

/** Returns the action that undoes another one. A resumed node cannot be undone. */
function undoOf({ verb, ...rest }: RunAction, run: RunScene["run"]): RunActions["undo"] {
  if (verb === "suspend") return "resume";
  return verb === "resume" && Object.keys(rest).length === 0 && run.spec.suspend === true &&
      !nodesOf(run).some(isActiveSuspend)
    ? "suspend"
    : undefined;
}

/** Performs actions on a run; an action stays in progress until the run is seen in its new state. */
export function useRunActions(
  { namespace, name, run }: Pick<RunScene, "namespace" | "name" | "run">,
  readAfter: LiveRun["readAfter"],
): RunActions {
  const { uid = "" } = run.metadata;
  const app = useApp();
  const [asked, setAsked] = useState<ActionInProgress | undefined>(undefined);
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined);
  const [undo, setUndo] = useState<RunActions["undo"]>(undefined);
  /** `act` resolves to the new version of the run, or undefined if the change is not visible. */
  const performAction = async (word: string, act: () => Promise<string | undefined>) => {
    setAsked({ word });
    setRefusal(undefined);
    setUndo(undefined);
    try {
      const until = await act();
      setAsked(until === undefined ? undefined : { word, until });
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
      setAsked(undefined);
      return error;
    }
  };
  const act = (action: RunAction, canUndo = true) =>
    performAction(ACTION_NAMES[action.verb], async () => {
      const { metadata } = isArchivedOnly(run)
        ? await app.source.actOnArchived(namespace, name, uid, action)
        : await app.source.actOnRun(namespace, name, action);
      if (action.verb !== "resubmit" && !isArchivedOnly(run)) {
        if (canUndo) setUndo(undoOf(action, run));
        return metadata.resourceVersion;
      }
      // A run restored from the archive is a new object with the same name.
      app.go({ page: { kind: "run", namespace, name: metadata.name ?? "" }, query: [] });
      return undefined;
    });
  return {
    word: asked && !isVisibleIn(asked, run) ? asked.word : undefined,
    refusal,
    undo,
    dismissRefusal: () => setRefusal(undefined),
    readAfter,
    act: (action) => act(action),
    async actAll(actions) {
      for (const action of actions) if (await act(action)) return;
    },
    undoLast: () => void (undo && act({ verb: undo }, false)),
    remove: ({ live, archived }) =>
      void performAction(ACTION_NAMES.delete, async () => {
        if (live) await app.source.deleteRun(namespace, name, uid);
        if (archived) await app.source.deleteArchived(namespace, uid);
        app.go({ page: { kind: "runs", namespace }, query: [] });
        return undefined;
      }),
  };
}
