/** The dialog of a retry: what would run again and what stays, before anything is sent. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { NodeStatus, Workflow } from "../../../lib/api/mod.ts";
import { BEGINS_ANEW } from "../../model/run/node_words.ts";
import type { RetryPreview, RetryWish } from "../../model/run/retry_preview.ts";
import { ParameterField } from "../parameter_field.tsx";
import { Dialog } from "./dialog.tsx";
import { usePreview } from "./use_preview.ts";
import { loadPart } from "../../api/refusal.ts";

interface Props {
  readonly run: Workflow;
  /** The node from which it is asked to run again; without one, all that failed is. */
  readonly node: NodeStatus | undefined;
  /** A plan is on its way: another is not sent. */
  readonly isSending: boolean;
  /** The rights that are lacking to retry it, in words. */
  readonly lack: string | undefined;
  /**
   * Told of what is wished, and of the version of the run that the plan is of. Whether the run had changed since: nothing was
   * done then, and `run` is another version of it.
   */
  readonly onSend: (wish: RetryWish, resourceVersion: string | undefined) => Promise<boolean>;
  /** Told when the dialog itself says that the run had changed, while it is still open. */
  readonly onPlannedAnew: () => void;
  readonly onClose: () => void;
}

/** Nodes that are named; more are counted. */
const NAMED = 200;

/** The dialog. */
export function RetryDialog({ run, node, isSending, lack, onSend, onPlannedAnew, onClose }: Props) {
  const [parameters, setParameters] = useState<readonly string[]>([]);
  const [selector, setSelector] = useState("");
  const [fromNode, setFromNode] = useState(node !== undefined && node.phase === "Succeeded");
  const [preview, setPreview] = useState<RetryPreview | undefined>(undefined);
  const [planned, setPlanned] = useState<string | undefined>(undefined);
  const [isAsking, setIsAsking] = useState(false);
  // The version of the last plan that came too late; it is forgotten with the dialog, however that is closed.
  const [outdated, setOutdated] = useState<{ readonly version: string | undefined } | undefined>(undefined);
  const isOpen = useRef(true);
  useEffect(() => () => {
    isOpen.current = false;
  }, []);
  const isOutdated = outdated !== undefined && outdated.version === planned;
  const wish: RetryWish = {
    restartSuccessful: fromNode || selector !== "",
    nodeFieldSelector: fromNode && node ? `id=${node.id}` : selector,
    parameters,
  };
  usePreview<RetryPreview>(
    async () => (await loadPart(() => import("../../model/run/retry_preview.ts"))).previewRetry(run, wish, new Date()),
    (made) => {
      setPreview(made);
      setPlanned(run.metadata.resourceVersion);
    },
    [run, fromNode, selector, parameters],
  );
  const send = async () => {
    setIsAsking(true);
    try {
      const isTooLate = await onSend(wish, planned);
      // Closed meanwhile, it has nothing to say and nothing to close: another dialog may be open.
      if (!isOpen.current) return;
      if (!isTooLate) return onClose();
      setOutdated({ version: planned });
      onPlannedAnew();
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <Dialog
      title={`Retry ${run.metadata.name}`}
      confirm="Retry"
      lack={lack}
      isDisabled={isSending || isAsking || isOutdated || preview?.kind !== "plan"}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      {outdated && !isOutdated && (
        <p class="note" role="alert">
          The run changed after the plan was made, and nothing was sent. This is the plan for it now.
        </p>
      )}
      {node && (
        <label class="choice">
          <input type="checkbox" checked={fromNode} onChange={(event) => setFromNode(event.currentTarget.checked)} />
          Also run {node.displayName ?? node.name} again, with all that came after it
        </label>
      )}
      {!fromNode && (
        <label class="field">
          <span>Nodes that run again though they succeeded</span>
          <input
            value={selector}
            placeholder="templateName=load,displayName!=load(0)"
            spellcheck={false}
            onInput={(event) => setSelector(event.currentTarget.value.trim())}
          />
        </label>
      )}
      {run.status?.phase === "Succeeded" && !wish.restartSuccessful
        ? <p class="note">It succeeded: say which nodes run again.</p>
        : <Plan preview={preview} />}
      <ParameterFields run={run} onChange={setParameters} />
    </Dialog>
  );
}

function Plan({ preview }: { preview: RetryPreview | undefined }) {
  if (!preview) return <p class="muted">Planning …</p>;
  if (preview.kind === "refused") return <p class="note" role="alert">{preview.reason}</p>;
  const { again, awaited, decidedAnew, kept, podsToDelete } = preview;
  if (again.length + awaited.length + kept === 0) return <p>{BEGINS_ANEW}</p>;
  return (
    <div class="plan">
      <p>
        <strong>{again.length.toLocaleString("en")}</strong> {again.length === 1 ? "node runs" : "nodes run"} again,
        {" "}
        <strong>{kept.toLocaleString("en")}</strong> {kept === 1 ? "stays" : "stay"} as{" "}
        {kept === 1 ? "it is" : "they are"}
        {podsToDelete.length > 0 &&
          `; ${podsToDelete.length} ${podsToDelete.length === 1 ? "pod is" : "pods are"} deleted`}.
      </p>
      <ul aria-label="Nodes that run again" tabIndex={0}>
        {[...again, ...awaited].slice(0, NAMED).map((node) => (
          <li key={node.id}>
            {node.displayName ?? node.name}{" "}
            <span class="muted">{awaited.includes(node) ? "waits again" : node.phase}</span>
          </li>
        ))}
      </ul>
      {again.length > NAMED && <p class="muted">and {again.length - NAMED} more</p>}
      {decidedAnew > 0 && (
        <p>
          <strong>{decidedAnew}</strong> that {decidedAnew === 1 ? "was" : "were"} left out{" "}
          {decidedAnew === 1 ? "is" : "are"} decided anew.
        </p>
      )}
    </div>
  );
}

/** Fields for the arguments of a run; only those that were changed are told of. */
export function ParameterFields(
  { run, onChange }: { run: Workflow; onChange: (parameters: readonly string[]) => void },
) {
  const parameters = run.spec.arguments?.parameters ?? [];
  const [changed, setChanged] = useState<ReadonlyMap<string, string>>(new Map());
  if (parameters.length === 0) return null;
  return (
    <fieldset>
      <legend>Parameters</legend>
      {parameters.map(({ name, value = "", description, enum: choices }) => {
        const set = (next: string) => {
          const all = new Map(changed);
          if (next === value) all.delete(name);
          else all.set(name, next);
          setChanged(all);
          onChange([...all].map(([key, one]) => `${key}=${one}`));
        };
        return (
          <ParameterField
            key={name}
            field={{ name, description: description ?? "", usual: value, choices }}
            value={changed.get(name) ?? value}
            onValue={set}
          />
        );
      })}
    </fieldset>
  );
}
