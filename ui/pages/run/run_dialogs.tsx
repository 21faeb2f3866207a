/** The dialogs of a run, loaded when the first one is opened: before it ends, is deleted, retried or resubmitted. */
import { useState } from "preact/hooks";
import { isFailure, nodesOf } from "../../../lib/status/mod.ts";
import { Dialog } from "../../components/run/dialog.tsx";
import { usePreview } from "../../components/run/use_preview.ts";
import { ParameterFields } from "../../components/run/retry_dialog.tsx";
import type { ResubmitPreview } from "../../model/run/resubmit_preview.ts";
import type { DeletedFrom, Doing } from "./doing.ts";
import type { RunScene } from "./run_scene.ts";
import { loadPart } from "../../api/refusal.ts";

export { RetryDialog } from "../../components/run/retry_dialog.tsx";

/** Nodes that a plan names; more are counted. */
const NAMED = 200;

/** The question of where a run is deleted that is in the cluster and in the archive; asked anew each time. */
export function WhereDialog({ name, onDelete, onClose }: {
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

/** The question before a run ends. */
export function StopDialog({ scene, verb, onConfirm, onClose }: {
  readonly scene: RunScene;
  readonly verb: "stop" | "terminate";
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const word = verb === "stop" ? "Stop" : "Terminate";
  return (
    <Dialog title={`${word} ${scene.name}?`} confirm={word} isDangerous onConfirm={onConfirm} onClose={onClose}>
      <p>{podsText(scene)} {verb === "stop" ? "Exit handlers still run." : "Exit handlers do not run."}</p>
    </Dialog>
  );
}

/** A sentence on the pods that end. */
function podsText({ run }: RunScene): string {
  const pods =
    nodesOf(run).filter(({ type, phase }) => type === "Pod" && (phase === "Running" || phase === "Pending")).length;
  return pods === 0 ? "No pod is at work." : pods === 1 ? "1 pod ends." : `${pods} pods end.`;
}

/** The dialog before a resubmission: its plan, which nodes keep their outputs, and parameters. */
export function ResubmitDialog({ scene: { run }, doing, lack, onClose }: {
  readonly scene: RunScene;
  readonly doing: Doing;
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
      title={`Resubmit ${run.metadata.name}`}
      confirm="Resubmit"
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
        <strong>{again.length.toLocaleString("en")}</strong>{" "}
        {again.length === 1 ? "node that did work does" : "nodes that did work do"} it again,{" "}
        <strong>{kept.length.toLocaleString("en")}</strong>{" "}
        {kept.length === 1 ? "keeps its outputs" : "keep their outputs"}.
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
