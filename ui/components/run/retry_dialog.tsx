/** The dialog of a retry: what would run again and what stays, before anything is sent. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { durationText } from "../../model/duration.ts";
import type { Estimate } from "../../model/run/retry_estimate.ts";
import { BEGINS_ANEW } from "../../model/run/node_words.ts";
import type { RetryPreview, RetryWish } from "../../model/run/retry_preview.ts";
import { ParameterField } from "../parameter_field.tsx";
import { Dialog } from "./dialog.tsx";
import { usePreview } from "./use_preview.ts";
import { loadPart } from "../../api/refusal.ts";
import * as words from "../../model/text/en/retry_dialog.ts";
import * as shared from "../../model/text/en/shared.ts";

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
      title={words.heading(run.metadata.name ?? "")}
      confirm={shared.retryButton}
      lack={lack}
      isDisabled={isSending || isAsking || isOutdated || preview?.kind !== "plan"}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      {outdated && !isOutdated && <p class="note" role="alert">{words.changedMeanwhile}</p>}
      {node && (
        <label class="choice">
          <input type="checkbox" checked={fromNode} onChange={(event) => setFromNode(event.currentTarget.checked)} />
          {words.alsoAgain(node.displayName ?? node.name)}
        </label>
      )}
      {!fromNode && (
        <label class="field">
          <span>{words.selectorField}</span>
          <input
            value={selector}
            placeholder={words.selectorExample}
            spellcheck={false}
            onInput={(event) => setSelector(event.currentTarget.value.trim())}
          />
        </label>
      )}
      {run.status?.phase === "Succeeded" && !wish.restartSuccessful
        ? <p class="note">{words.sayWhichNodes}</p>
        : <Plan preview={preview} />}
      <ParameterFields run={run} onChange={setParameters} />
    </Dialog>
  );
}

function Plan({ preview }: { preview: RetryPreview | undefined }) {
  if (!preview) return <p class="coming">{words.planning}</p>;
  if (preview.kind === "refused") return <p class="note" role="alert">{preview.reason}</p>;
  const { again, awaited, decidedAnew, madeAnew, kept, podsToDelete, estimate } = preview;
  if (again.length + awaited.length + madeAnew.length + kept === 0) return <p>{BEGINS_ANEW}</p>;
  const named = [...again, ...awaited, ...madeAnew];
  return (
    <div class="plan">
      <p>{words.planSums(again.length, kept, podsToDelete.length, strong)}</p>
      <ul aria-label={words.nodesLabel} tabIndex={0}>
        {named.slice(0, NAMED).map((node) => (
          <li key={node.id}>
            {node.displayName ?? node.name}{" "}
            <span class="muted">
              {awaited.includes(node) ? words.waitsAgain : madeAnew.includes(node) ? words.isMadeAnew : node.phase}
            </span>
          </li>
        ))}
      </ul>
      {named.length > NAMED && <p class="muted">{shared.andMore(named.length - NAMED)}</p>}
      {madeAnew.length > 0 && <p>{words.madeAnew(madeAnew.length, strong)}</p>}
      {decidedAnew > 0 && <p>{words.decidedAnew(decidedAnew, strong)}</p>}
      <PlanTime estimate={estimate} />
    </div>
  );
}

/** How long a plan takes, where that is known. */
export function PlanTime({ estimate }: { estimate: Estimate | undefined }) {
  return estimate ? <p>{words.planTime(durationText(estimate.millis), estimate.unknown)}</p> : null;
}

function strong(count: string) {
  return <strong>{count}</strong>;
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
      <legend>{shared.parametersField}</legend>
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
