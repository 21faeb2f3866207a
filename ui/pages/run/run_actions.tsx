/** Buttons of a run, and what they do: at once, or after a dialog that says what comes of it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { isCompletedPhase, isFailure, isSuspended, nodesOf } from "../../../lib/status/mod.ts";
import { Refusal } from "../../api/refusal.ts";
import type { RunAction } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { Dialog } from "../../components/run/dialog.tsx";
import { ParameterFields, RetryDialog } from "../../components/run/retry_dialog.tsx";
import { RefusalCard } from "../../components/refusal_card.tsx";
import type { RunScene } from "./run_scene.ts";

/** What is being done, what was refused, and the way to do something. */
export interface Doing {
  /** `stopping`; undefined when nothing is under way. */
  readonly word: string | undefined;
  readonly refusal: Refusal | undefined;
  act(action: RunAction): Promise<boolean>;
  remove(): void;
  forget(): void;
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
export function useDoing({ namespace, name, resourceVersion }: {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string | undefined;
}): Doing {
  const app = useApp();
  const [word, setWord] = useState<string | undefined>(undefined);
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined);
  useEffect(() => setWord(undefined), [resourceVersion]);
  const doIt = async (next: string, act: () => Promise<void>) => {
    setWord(next);
    setRefusal(undefined);
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
      setWord(undefined);
      return false;
    }
  };
  return {
    word,
    refusal,
    forget: () => setRefusal(undefined),
    act: (action) =>
      doIt(WORDS[action.verb], async () => {
        const { metadata } = await app.source.actOnRun(namespace, name, action);
        if (action.verb !== "resubmit") return;
        app.go({ page: { kind: "run", namespace, name: metadata.name ?? "" }, query: [] });
      }),
    remove: () =>
      void doIt("deleting", async () => {
        await app.source.deleteRun(namespace, name);
        app.go({ page: { kind: "runs", namespace }, query: [] });
      }),
  };
}

/** The time in which a deletion can be taken back. */
const UNDO_SECONDS = 8;

/** The buttons of a run. */
export function RunButtons({ scene, doing, isDeleted }: { scene: RunScene; doing: Doing; isDeleted: boolean }) {
  const { run, view, change } = scene;
  const [asked, setAsked] = useState<"stop" | "terminate" | undefined>(undefined);
  const [deletesAt, setDeletesAt] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (deletesAt === undefined) return;
    const timer = setTimeout(() => {
      setDeletesAt(undefined);
      doing.remove();
    }, deletesAt - Date.now());
    return () => clearTimeout(timer); // whoever leaves the page has changed their mind
  }, [deletesAt]);
  const isOver = isCompletedPhase(run.status?.phase);
  const isHeld = run.spec.suspend === true;
  const isWaiting = useMemo(() => isSuspended(run), [run]);
  const busy = doing.word !== undefined || isDeleted;
  const dialogNode = scene.node;
  return (
    <div class="actions">
      {!isOver && (
        <>
          {isHeld || isWaiting
            ? (
              <button type="button" class="button" disabled={busy} onClick={() => void doing.act({ verb: "resume" })}>
                Resume
              </button>
            )
            : null}
          {!isHeld && (
            <button
              type="button"
              class="button"
              disabled={busy}
              onClick={() => void doing.act({ verb: "suspend" })}
            >
              Suspend
            </button>
          )}
          <button type="button" class="button" disabled={busy} onClick={() => setAsked("stop")}>Stop…</button>
          <button type="button" class="button" disabled={busy} onClick={() => setAsked("terminate")}>Terminate…</button>
        </>
      )}
      {isOver && (
        <button
          type="button"
          class={`button${isFailure(run.status?.phase) ? " primary" : ""}`}
          disabled={busy || run.status?.phase === "Succeeded" && !scene.node}
          title={run.status?.phase === "Succeeded"
            ? "It succeeded: choose a node to run it again from there"
            : undefined}
          onClick={() => change({ dialog: "retry" })}
        >
          Retry…
        </button>
      )}
      <button type="button" class="button" disabled={busy} onClick={() => change({ dialog: "resubmit" })}>
        Resubmit…
      </button>
      <button
        type="button"
        class="button"
        disabled={busy}
        onClick={() => setDeletesAt(Date.now() + UNDO_SECONDS * 1000)}
      >
        Delete
      </button>
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
          onClose={() => change({ dialog: undefined })}
          onSend={({ restartSuccessful, nodeFieldSelector, parameters }) => {
            change({ dialog: undefined });
            void doing.act({
              verb: "retry",
              ...(restartSuccessful ? { restartSuccessful, nodeFieldSelector } : {}),
              ...(parameters.length ? { parameters } : {}),
            });
          }}
        />
      )}
      {view.dialog === "resubmit" && <ResubmitDialog scene={scene} doing={doing} />}
      {deletesAt !== undefined && (
        <p class="toast" role="alert">
          {scene.name} will be deleted.
          <button type="button" class="button" onClick={() => setDeletesAt(undefined)}>Undo</button>
        </p>
      )}
    </div>
  );
}

/** A sentence on the pods that end. */
function podsText({ run }: RunScene): string {
  const pods =
    nodesOf(run).filter(({ type, phase }) => type === "Pod" && (phase === "Running" || phase === "Pending")).length;
  return pods === 0 ? "No pod is at work." : pods === 1 ? "1 pod ends." : `${pods} pods end.`;
}

function ResubmitDialog({ scene: { run, change }, doing }: { scene: RunScene; doing: Doing }) {
  const [parameters, setParameters] = useState<readonly string[]>([]);
  const [memoized, setMemoized] = useState(false);
  return (
    <Dialog
      title={`Resubmit ${run.metadata.name}`}
      confirm="Resubmit"
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
