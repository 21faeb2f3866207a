/** Buttons of a run, and what they do: at once, or after a dialog that says what comes of it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { isCompletedPhase, isFailure, isSuspended, nodesOf } from "../../../lib/status/mod.ts";
import { Refusal } from "../../api/refusal.ts";
import type { RunAction } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { Dialog } from "../../components/run/dialog.tsx";
import { ParameterFields, RetryDialog } from "../../components/run/retry_dialog.tsx";
import type { ResubmitPreview } from "../../model/run/resubmit_preview.ts";
import type { RetryWish } from "../../model/run/retry_preview.ts";
import { RefusalCard } from "../../components/refusal_card.tsx";
import { isArchived, isArchivedOnly } from "../../model/run/archived.ts";
import { lackLines, lackText } from "../../model/run/lacks.ts";
import type { LiveRun } from "../live_run.ts";
import type { RunScene } from "./run_scene.ts";
import { useLacks } from "./use_lacks.ts";

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
interface DeletedFrom {
  readonly live: boolean;
  readonly archived: boolean;
}

const WORDS: Readonly<Record<RunAction["verb"], string>> = {
  suspend: "suspending",
  resume: "resuming",
  set: "resuming",
  stop: "stopping",
  terminate: "terminating",
  retry: "retrying",
  resubmit: "resubmitting",
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
      void doIt("deleting", async () => {
        if (live) await app.source.deleteRun(namespace, name, uid);
        if (archived) await app.source.deleteArchived(namespace, uid);
        app.go({ page: { kind: "runs", namespace }, query: [] });
      }),
  };
}

/** Nodes that a plan names; more are counted. */
const NAMED = 200;
/** The time in which a deletion can be taken back. */
const UNDO_SECONDS = 8;

/** The actions with a button while a run goes on, and when it is over, with the words for them. */
const OFFERED_BEFORE = {
  resume: "Resume",
  suspend: "Suspend",
  stop: "Stop",
  terminate: "Terminate",
  resubmit: "Resubmit",
  delete: "Delete",
};
const OFFERED_AFTER = { retry: "Retry", resubmit: "Resubmit", delete: "Delete" };

/** The buttons of a run. */
export function RunButtons({ scene, doing, isDeleted }: { scene: RunScene; doing: Doing; isDeleted: boolean }) {
  const { run, view, change } = scene;
  const [asked, setAsked] = useState<"stop" | "terminate" | undefined>(undefined);
  const [deletion, setDeletion] = useState<DeletedFrom & { readonly at: number } | undefined>(undefined);
  const [asksWhere, setAsksWhere] = useState(false);
  const startDeletion = (from: DeletedFrom) => {
    setAsksWhere(false);
    setDeletion({ ...from, at: Date.now() + UNDO_SECONDS * 1000 });
  };
  useEffect(() => {
    if (!deletion) return;
    const timer = setTimeout(() => {
      setDeletion(undefined);
      doing.remove(deletion);
    }, deletion.at - Date.now());
    return () => clearTimeout(timer); // whoever leaves the page has changed their mind
  }, [deletion]);
  const isOver = isCompletedPhase(run.status?.phase);
  const isHeld = run.spec.suspend === true;
  const isWaiting = useMemo(() => isSuspended(run), [run]);
  const busy = doing.word !== undefined || isDeleted;
  const { value: lacks } = useLacks(scene.namespace, scene.name);
  const off = (action: string) => {
    const lack = lackText(lacks, action);
    return { disabled: busy || lack !== undefined, title: lack };
  };
  const dialogNode = scene.node;
  const closeRetry = () => change({ dialog: undefined });
  const sendRetry = async ({ restartSuccessful, nodeFieldSelector, parameters }: RetryWish, planned?: string) => {
    const refusal = await doing.act({
      verb: "retry",
      ...(restartSuccessful ? { restartSuccessful, nodeFieldSelector } : {}),
      ...(parameters.length ? { parameters } : {}),
      // A run of the archive has the version that it had in the cluster, where nobody compares it any more.
      ...(planned && !isArchivedOnly(run) ? { resourceVersion: planned } : {}),
    });
    return refusal?.kind === "conflict" && !isArchivedOnly(run) && await doing.readAfter(planned);
  };
  return (
    <div class="actions">
      {!isOver && (
        <>
          {isHeld || isWaiting
            ? (
              <button
                type="button"
                class="button"
                {...off("resume")}
                onClick={() => void doing.act({ verb: "resume" })}
              >
                Resume
              </button>
            )
            : null}
          {!isHeld && (
            <button
              type="button"
              class="button"
              {...off("suspend")}
              onClick={() => void doing.act({ verb: "suspend" })}
            >
              Suspend
            </button>
          )}
          <button type="button" class="button" {...off("stop")} onClick={() => setAsked("stop")}>Stop…</button>
          <button type="button" class="button" {...off("terminate")} onClick={() => setAsked("terminate")}>
            Terminate…
          </button>
        </>
      )}
      {isOver && (
        <button
          type="button"
          class={`button${isFailure(run.status?.phase) ? " primary" : ""}`}
          {...off("retry")}
          onClick={() => change({ dialog: "retry" })}
        >
          Retry…
        </button>
      )}
      <button type="button" class="button" {...off("resubmit")} onClick={() => change({ dialog: "resubmit" })}>
        Resubmit…
      </button>
      <button
        type="button"
        class="button"
        {...off("delete")}
        onClick={() =>
          isArchived(run) && !isArchivedOnly(run)
            ? setAsksWhere(true)
            : startDeletion({ live: !isArchivedOnly(run), archived: isArchivedOnly(run) })}
      >
        Delete
      </button>
      {lackLines(lacks, isOver ? OFFERED_AFTER : OFFERED_BEFORE).map((line) => (
        <p key={line} class="muted lack">{line}</p>
      ))}
      {asksWhere && <WhereDialog name={scene.name} onDelete={startDeletion} onClose={() => setAsksWhere(false)} />}
      {doing.word && <span class="muted" role="status">{doing.word}…</span>}
      {asked && (
        <Dialog
          title={asked === "stop" ? `Stop ${scene.name}?` : `Terminate ${scene.name}?`}
          confirm={asked === "stop" ? "Stop" : "Terminate"}
          isDangerous
          onConfirm={() => {
            setAsked(undefined);
            void doing.act({ verb: asked });
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{podsText(scene)} {asked === "stop" ? "Exit handlers still run." : "Exit handlers do not run."}</p>
        </Dialog>
      )}
      {view.dialog === "retry" && (
        <RetryDialog
          run={run}
          node={dialogNode}
          onClose={closeRetry}
          isSending={doing.word !== undefined}
          lack={lackText(lacks, "retry")}
          onSend={sendRetry}
          onPlannedAnew={doing.forget}
        />
      )}
      {view.dialog === "resubmit" && <ResubmitDialog scene={scene} doing={doing} lack={lackText(lacks, "resubmit")} />}
      {deletion && (
        <p class="toast" role="alert">
          {scene.name} will be deleted.
          <button type="button" class="button" onClick={() => setDeletion(undefined)}>Undo</button>
        </p>
      )}
    </div>
  );
}

/** The question of where a run is deleted that is in the cluster and in the archive; asked anew each time. */
function WhereDialog({ name, onDelete, onClose }: {
  readonly name: string;
  readonly onDelete: (from: DeletedFrom) => void;
  readonly onClose: () => void;
}) {
  const [archived, setArchived] = useState(false);
  return (
    <Dialog
      title={`Delete ${name}?`}
      confirm="Delete"
      isDangerous
      onConfirm={() => onDelete({ live: true, archived })}
      onClose={onClose}
    >
      <p>Its pods and logs go with it. The archive has a copy, which stays unless you say otherwise.</p>
      <label class="choice">
        <input type="checkbox" checked={archived} onChange={(event) => setArchived(event.currentTarget.checked)} />
        Also delete the copy in the archive
      </label>
    </Dialog>
  );
}

/** A sentence on the pods that end. */
function podsText({ run }: RunScene): string {
  const pods =
    nodesOf(run).filter(({ type, phase }) => type === "Pod" && (phase === "Running" || phase === "Pending")).length;
  return pods === 0 ? "No pod is at work." : pods === 1 ? "1 pod ends." : `${pods} pods end.`;
}

function ResubmitDialog({ scene: { run, change }, doing, lack }: {
  readonly scene: RunScene;
  readonly doing: Doing;
  readonly lack: string | undefined;
}) {
  const [parameters, setParameters] = useState<readonly string[]>([]);
  const [memoized, setMemoized] = useState(false);
  const [preview, setPreview] = useState<ResubmitPreview | undefined>(undefined);
  useEffect(() => {
    let isShown = true;
    import("../../model/run/resubmit_preview.ts").then(({ previewResubmit }) => {
      if (isShown) setPreview(previewResubmit(run, { memoized, parameters }, new Date()));
    }, (error) => {
      if (isShown) setPreview({ kind: "refused", reason: String(error) });
    });
    return () => {
      isShown = false;
    };
  }, [run, memoized, parameters]);
  return (
    <Dialog
      title={`Resubmit ${run.metadata.name}`}
      confirm="Resubmit"
      lack={lack}
      isDisabled={preview?.kind !== "plan"}
      onClose={() => change({ dialog: undefined })}
      onConfirm={() => {
        change({ dialog: undefined });
        void doing.act({
          verb: "resubmit",
          ...(memoized ? { memoized } : {}),
          ...(parameters.length ? { parameters } : {}),
        });
      }}
    >
      <p>The same workflow runs again under a new name.</p>
      <ResubmitPlan preview={preview} />
      {isFailure(run.status?.phase) && (
        <label class="choice">
          <input type="checkbox" checked={memoized} onChange={(event) => setMemoized(event.currentTarget.checked)} />
          Do not run again what succeeded
        </label>
      )}
      {memoized && parameters.length > 0 && (
        <p class="note">What succeeded keeps the outputs that it had with the old parameters.</p>
      )}
      <ParameterFields run={run} onChange={setParameters} />
    </Dialog>
  );
}

function ResubmitPlan({ preview }: { preview: ResubmitPreview | undefined }) {
  if (!preview) return <p class="muted">Planning …</p>;
  if (preview.kind === "refused") return <p class="note" role="alert">{preview.reason}</p>;
  const { again, kept } = preview;
  if (again.length + kept.length === 0) return null;
  return (
    <div class="plan">
      <p>
        <strong>{again.length}</strong> {again.length === 1 ? "node that did work does" : "nodes that did work do"}{" "}
        it again, <strong>{kept.length}</strong> {kept.length === 1 ? "keeps its outputs" : "keep their outputs"}.
      </p>
      {kept.length > 0 && (
        <ul aria-label="Nodes that keep their outputs" tabIndex={0}>
          {kept.slice(0, NAMED).map(({ id, name, displayName = name }) => <li key={id}>{displayName}</li>)}
          {kept.length > NAMED && <li class="muted">and {kept.length - NAMED} more</li>}
        </ul>
      )}
    </div>
  );
}

/** The refusal of what was last tried. */
export function DoingRefusal({ doing }: { doing: Doing }) {
  const app = useApp();
  if (!doing.refusal) return null;
  return (
    <div class="refused">
      <RefusalCard refusal={doing.refusal} login={app.session.login} />
      <button type="button" class="button" onClick={doing.forget}>Understood</button>
    </div>
  );
}
