/** The dialogs of a run, which load when the first one is opened: stop, delete, retry and resubmit. */
import { useState } from "preact/hooks";
import { isFailure, nodesOf } from "@tiphys/model/status";
import { Dialog } from "../../components/run/dialog.tsx";
import { usePreview } from "../../components/run/use_preview.ts";
import { ParameterFields, PlanTime } from "../../components/run/retry_dialog.tsx";
import type { ResubmitPreview } from "../../model/run/resubmit_preview.ts";
import type { DeletedFrom, RunActions } from "./use_run_actions.ts";
import type { RunScene } from "./run_scene.ts";
import { loadPart } from "../../api/refusal.ts";
import * as words from "../../model/text/en/run_dialogs.ts";
import * as shared from "../../model/text/en/shared.ts";

export { ResumeDialog } from "../../components/run/resume_dialog.tsx";
export { RetryDialog } from "../../components/run/retry_dialog.tsx";

/** The maximum number of nodes that a plan lists by name. */
const NAMED = 200;

/** The dialog that offers to delete the archived copy of a run as well; the choice is reset each time. */
export function WhereDialog({ name, onDelete, onClose }: {
  readonly name: string;
  readonly onDelete: (from: DeletedFrom) => void;
  readonly onClose: () => void;
}) {
  const [archived, setArchived] = useState(false);
  return (
    <Dialog
      title={words.deleteTitle(name)}
      confirm={shared.deleteButton}
      isDangerous
      onConfirm={() => onDelete({ live: true, archived })}
      onClose={onClose}
    >
      <p>{words.deleteConsequence}</p>
      <label class="choice">
        <input type="checkbox" checked={archived} onChange={(event) => setArchived(event.currentTarget.checked)} />
        {words.alsoArchivedField}
      </label>
    </Dialog>
  );
}

/** The dialog that confirms stopping a run. */
export function StopDialog({ scene, verb, onConfirm, onClose }: {
  readonly scene: RunScene;
  readonly verb: "stop" | "terminate";
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const isStop = verb === "stop";
  return (
    <Dialog
      title={(isStop ? words.stopTitle : words.terminateTitle)(scene.name)}
      confirm={isStop ? words.stopButton : words.terminateButton}
      isDangerous
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{words.podCount(unfinishedPodCount(scene))} {isStop ? words.exitHandlersRun : words.exitHandlersDoNotRun}</p>
    </Dialog>
  );
}

function unfinishedPodCount({ run }: RunScene): number {
  return nodesOf(run).filter(({ type, phase }) => type === "Pod" && (phase === "Running" || phase === "Pending"))
    .length;
}

/** The resubmit dialog: parameters, and a preview of the nodes that keep their outputs. */
export function ResubmitDialog({ scene: { run }, doing, lack, onClose }: {
  readonly scene: RunScene;
  readonly doing: RunActions;
  readonly lack: string | undefined;
  readonly onClose: () => void;
}) {
  const [parameters, setParameters] = useState<readonly string[]>([]);
  const [memoized, setMemoized] = useState(false);
  const [preview, setPreview] = useState<ResubmitPreview | undefined>(undefined);
  usePreview<ResubmitPreview>(
    async () =>
      (await loadPart(() => import("../../model/run/resubmit_preview.ts"))).previewResubmit(run, {
        memoized,
        parameters,
      }, new Date()),
    setPreview,
    [run, memoized, parameters],
  );
  return (
    <Dialog
      title={words.resubmitTitle(run.metadata.name)}
      confirm={words.resubmitButton}
      lack={lack}
      isDisabled={preview?.kind !== "plan"}
      onClose={onClose}
      onConfirm={() => {
        onClose();
        void doing.act({
          verb: "resubmit",
          ...(memoized ? { memoized } : {}),
          ...(parameters.length ? { parameters } : {}),
        });
      }}
    >
      <p>{words.resubmitConsequence}</p>
      <ResubmitPlan preview={preview} />
      {isFailure(run.status?.phase) && (
        <label class="choice">
          <input type="checkbox" checked={memoized} onChange={(event) => setMemoized(event.currentTarget.checked)} />
          {words.memoizedField}
        </label>
      )}
      {memoized && parameters.length > 0 && <p class="note">{words.oldOutputsNote}</p>}
      <ParameterFields run={run} onChange={setParameters} />
    </Dialog>
  );
}

function ResubmitPlan({ preview }: { preview: ResubmitPreview | undefined }) {
  if (!preview) return <p class="coming">{words.planning}</p>;
  if (preview.kind === "refused") return <p class="note" role="alert">{preview.reason}</p>;
  const { repeated, reused, estimate } = preview;
  if (repeated.length + reused.length === 0) return null;
  return (
    <div class="plan">
      <p>
        {words.resubmitPlan(repeated.length, reused.length, (count) => <strong>{count}</strong>)}
      </p>
      {reused.length > 0 && (
        <ul aria-label={words.keptNodesLabel} tabIndex={0}>
          {reused.slice(0, NAMED).map(({ id, name, displayName = name }) => <li key={id}>{displayName}</li>)}
          {reused.length > NAMED && <li class="muted">{shared.andMore(reused.length - NAMED)}</li>}
        </ul>
      )}
      <PlanTime estimate={estimate} />
    </div>
  );
}
