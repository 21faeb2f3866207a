/** Actions of a run: some take effect at once, others after a dialog that shows their consequences. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { isCompletedPhase, isFailure } from "@tiphys/model/status";
import { resumeRun, waitingSteps } from "../../model/run/resume_run.ts";
import type { RetryOptions } from "../../model/run/retry_preview.ts";
import { MissingRightLines } from "../../components/missing_right_lines.tsx";
import { Menu } from "../../components/menu.tsx";
import { UndoBar } from "../../components/undo_bar.tsx";
import { Refused } from "../refused.tsx";
import { isArchived, isArchivedOnly } from "../../model/run/archived.ts";
import { missingRightsText, missingRightsTexts } from "../../model/run/missing_rights.ts";
import { lazyDialog } from "../lazy.tsx";
import type { DeletedFrom, RunActions } from "./use_run_actions.ts";
import { useMissingRights } from "../use_missing_rights.ts";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/run_page.ts";
import { underWay } from "../../model/text/en/shared.ts";
import * as shared from "../../model/text/en/shared.ts";

const dialogs = () => import("./run_dialogs.tsx");
const ResumeDialog = lazyDialog(async () => (await dialogs()).ResumeDialog);
const RetryDialog = lazyDialog(async () => (await dialogs()).RetryDialog);
const ResubmitDialog = lazyDialog(async () => (await dialogs()).ResubmitDialog);
const StopDialog = lazyDialog(async () => (await dialogs()).StopDialog);
const WhereDialog = lazyDialog(async () => (await dialogs()).WhereDialog);

/** The time for which a deletion can be undone. */
const UNDO_SECONDS = 8;

/** The texts of the actions that are always available. */
const ALWAYS = { resubmit: words.resubmitButton, delete: shared.deleteButton };

/** An available action. */
interface Offer {
  readonly verb: string;
  readonly text: string;
  readonly isDangerous?: boolean;
  readonly run: () => void;
}

/** The buttons of a run: the one that its phase suggests, and a menu of all others. */
export function RunButtons({ scene, doing, isDeleted }: { scene: RunScene; doing: RunActions; isDeleted: boolean }) {
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
    return () => clearTimeout(timer); // Leaving the page cancels the deletion.
  }, [deletion]);
  const isOver = isCompletedPhase(run.status?.phase);
  const isHeld = run.spec.suspend === true;
  const isWaiting = useMemo(() => waitingSteps(run).length > 0, [run]);
  const canResume = isHeld || isWaiting;
  const offered = isOver ? { retry: shared.retryButton, ...ALWAYS } : {
    ...(canResume ? { resume: words.resumeButton } : {}),
    ...(isHeld ? {} : { suspend: words.suspendButton }),
    stop: words.stopButton,
    terminate: words.terminateButton,
    ...ALWAYS,
  };
  const busy = doing.word !== undefined || isDeleted;
  const { value: lacks } = useMissingRights("Workflow", scene.namespace, scene.name);
  const off = (action: string) => {
    const lack = missingRightsText(lacks, action);
    return { disabled: busy || lack !== undefined, title: lack };
  };
  const dialogNode = scene.node;
  const closeDialog = () => change({ dialog: undefined });
  const sendRetry = async ({ restartSuccessful, nodeFieldSelector, parameters }: RetryOptions, planned?: string) => {
    const refusal = await doing.act({
      verb: "retry",
      ...(restartSuccessful ? { restartSuccessful, nodeFieldSelector } : {}),
      ...(parameters.length ? { parameters } : {}),
      // An archived run has its former version, which is not compared.
      ...(planned && !isArchivedOnly(run) ? { resourceVersion: planned } : {}),
    });
    return refusal?.kind === "conflict" && !isArchivedOnly(run) && await doing.readAfter(planned);
  };
  const offers: readonly Offer[] = [
    ...(isOver ? [{ verb: "retry", text: words.askRetryButton, run: () => change({ dialog: "retry" }) }] : [
      ...(canResume
        ? [{
          verb: "resume",
          text: isWaiting ? words.askResumeButton : words.resumeButton,
          // Undo can suspend the run again only if resuming passed no waiting step.
          run: () => isWaiting ? change({ dialog: "resume" }) : void doing.act({ verb: "resume" }),
        }]
        : []),
      ...(isHeld
        ? []
        : [{ verb: "suspend", text: words.suspendButton, run: () => void doing.act({ verb: "suspend" }) }]),
      { verb: "stop", text: words.askStopButton, run: () => setAsked("stop") },
      { verb: "terminate", text: words.askTerminateButton, isDangerous: true, run: () => setAsked("terminate") },
    ]),
    { verb: "resubmit", text: words.askResubmitButton, run: () => change({ dialog: "resubmit" }) },
    {
      verb: "delete",
      text: shared.deleteButton,
      isDangerous: true,
      run: () =>
        isArchived(run) && !isArchivedOnly(run)
          ? setAsksWhere(true)
          : startDeletion({ live: !isArchivedOnly(run), archived: isArchivedOnly(run) }),
    },
  ];
  const hasFailed = isFailure(run.status?.phase);
  const first = hasFailed ? "retry" : isOver ? "resubmit" : canResume ? "resume" : "stop";
  const buttonOf = ({ verb, text, isDangerous = false, run }: Offer) => (
    <button
      key={verb}
      type="button"
      class={`button${isDangerous ? " danger" : verb === first && (hasFailed || canResume) ? " primary" : ""}`}
      {...off(verb)}
      onClick={run}
    >
      {text}
    </button>
  );
  return (
    <div class="actions">
      {offers.filter(({ verb }) => verb === first).map(buttonOf)}
      <Menu button={words.moreButton} class="more" closesOnClick>
        {offers.filter(({ verb }) => verb !== first).map(buttonOf)}
        <a class="button" href={scene.hrefOf({ dialog: "share" })}>{words.shareButton}</a>
      </Menu>
      <MissingRightLines texts={missingRightsTexts(lacks, offered)} />
      {asksWhere && <WhereDialog name={scene.name} onDelete={startDeletion} onClose={() => setAsksWhere(false)} />}
      {doing.word && <span class="muted" role="status">{underWay(doing.word)}</span>}
      {asked && (
        <StopDialog
          scene={scene}
          verb={asked}
          onConfirm={() => {
            setAsked(undefined);
            void doing.act({ verb: asked });
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {view.dialog === "resume" && (
        <ResumeDialog
          run={run}
          lack={missingRightsText(lacks, "resume")}
          onClose={closeDialog}
          onResume={(answers) => {
            closeDialog();
            void doing.actAll(resumeRun(run, answers));
          }}
        />
      )}
      {view.dialog === "retry" && (
        <RetryDialog
          run={run}
          node={dialogNode}
          onClose={closeDialog}
          isSending={doing.word !== undefined}
          lack={missingRightsText(lacks, "retry")}
          onSend={sendRetry}
          onPlannedAnew={doing.dismissRefusal}
        />
      )}
      {view.dialog === "resubmit" && (
        <ResubmitDialog scene={scene} doing={doing} lack={missingRightsText(lacks, "resubmit")} onClose={closeDialog} />
      )}
      {deletion && (
        <p class="toast" role="alert">
          {words.willBeDeleted(scene.name)}
          <button type="button" class="button" onClick={() => setDeletion(undefined)}>{shared.undoButton}</button>
        </p>
      )}
    </div>
  );
}

/** The button that undoes the last action. */
export function DoingUndo({ doing, scene: { run, change } }: { doing: RunActions; scene: RunScene }) {
  if (!doing.undo) return null;
  // Resuming a run passes waiting steps, so these are shown first.
  const passesSteps = () => doing.undo === "resume" && waitingSteps(run).length > 0;
  return (
    <UndoBar
      text={doing.undo === "resume" ? words.nowSuspended : words.nowResumed}
      onUndo={() => passesSteps() ? change({ dialog: "resume" }) : doing.undoLast()}
    />
  );
}

/** The refusal of the last action. */
export function DoingRefusal({ doing }: { doing: RunActions }) {
  if (!doing.refusal) return null;
  return (
    <div class="refused">
      <Refused refusal={doing.refusal} />
      <button type="button" class="button" onClick={doing.dismissRefusal}>{words.dismissRefusalButton}</button>
    </div>
  );
}
