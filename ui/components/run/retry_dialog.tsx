/** The retry dialog: a preview of the nodes that run again and of those that are kept. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { durationText } from "../../model/duration.ts";
import type { Estimate } from "../../model/run/retry_estimate.ts";
import { STARTS_FROM_SCRATCH } from "../../model/run/node_words.ts";
import type { RetryOptions, RetryPreview } from "../../model/run/retry_preview.ts";
import { ParameterDocs, ParameterField } from "../parameter_field.tsx";
import { Dialog } from "./dialog.tsx";
import { usePreview } from "./use_preview.ts";
import { loadPart } from "../../api/refusal.ts";
import * as words from "../../model/text/en/run_dialogs.ts";
import * as shared from "../../model/text/en/shared.ts";

interface Props {
  readonly run: Workflow;
  /** The node to retry from; undefined for all failed nodes. */
  readonly node: NodeStatus | undefined;
  /** Whether a request is in progress, so that no other is sent. */
  readonly isSending: boolean;
  /** The rights that are missing to retry it. */
  readonly lack: string | undefined;
  /**
   * Sends the retry for the previewed version of the run. Resolves to true if the run has changed since: then nothing
   * was done, and `run` is updated.
   */
  readonly onSend: (wish: RetryOptions, resourceVersion: string | undefined) => Promise<boolean>;
  /** Called when the open dialog itself reports that the run has changed. */
  readonly onPlannedAnew: () => void;
  readonly onClose: () => void;
}

/** The maximum number of nodes that are listed by name. */
const NAMED = 200;

export function RetryDialog({ run, node, isSending, lack, onSend, onPlannedAnew, onClose }: Props) {
  const [parameters, setParameters] = useState<readonly string[]>([]);
  const [selector, setSelector] = useState("");
  const [fromNode, setFromNode] = useState(node !== undefined && node.phase === "Succeeded");
  const [preview, setPreview] = useState<RetryPreview | undefined>(undefined);
  const [planned, setPlanned] = useState<string | undefined>(undefined);
  const [isAsking, setIsAsking] = useState(false);
  // The version of the last outdated preview; it is reset with the dialog.
  const [outdated, setOutdated] = useState<{ readonly version: string | undefined } | undefined>(undefined);
  const isOpen = useRef(true);
  useEffect(() => () => {
    isOpen.current = false;
  }, []);
  const isOutdated = outdated !== undefined && outdated.version === planned;
  const wish: RetryOptions = {
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
      // The dialog was closed in the meantime; another one may be open.
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
      title={words.retryHeading(run.metadata.name ?? "")}
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
          {words.rerunSucceededField(node.displayName ?? node.name)}
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
        ? <p class="note">{words.chooseNodes}</p>
        : <Plan preview={preview} />}
      <ParameterFields run={run} onChange={setParameters} />
    </Dialog>
  );
}

function Plan({ preview }: { preview: RetryPreview | undefined }) {
  if (!preview) return <p class="coming">{words.planning}</p>;
  if (preview.kind === "refused") return <p class="note" role="alert">{preview.reason}</p>;
  const { repeated, awaited, evaluatedAgain, expandedAgain, reused, podsToDelete, estimate } = preview;
  if (repeated.length + awaited.length + expandedAgain.length + reused === 0) return <p>{STARTS_FROM_SCRATCH}</p>;
  const named = [...repeated, ...awaited, ...expandedAgain];
  return (
    <div class="plan">
      <p>{words.planSums(repeated.length, reused, podsToDelete.length, strong)}</p>
      <ul aria-label={words.nodesLabel} tabIndex={0}>
        {named.slice(0, NAMED).map((node) => (
          <li key={node.id}>
            {node.displayName ?? node.name}{" "}
            <span class="muted">
              {awaited.includes(node)
                ? words.waitsAgain
                : expandedAgain.includes(node)
                ? words.isExpandedAgain
                : node.phase}
            </span>
          </li>
        ))}
      </ul>
      {named.length > NAMED && <p class="muted">{shared.andMore(named.length - NAMED)}</p>}
      {expandedAgain.length > 0 && <p>{words.expandedAgain(expandedAgain.length, strong)}</p>}
      {evaluatedAgain > 0 && <p>{words.evaluatedAgain(evaluatedAgain, strong)}</p>}
      <PlanTime estimate={estimate} />
    </div>
  );
}

/** The estimated duration of a plan, if known. */
export function PlanTime({ estimate }: { estimate: Estimate | undefined }) {
  return estimate ? <p>{words.planTime(durationText(estimate.millis), estimate.unknown)}</p> : null;
}

function strong(count: string) {
  return <strong>{count}</strong>;
}

/** Fields for the arguments of a run; only changed ones are reported. */
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
          onChange([...all].map(([key, value]) => `${key}=${value}`));
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
      <ParameterDocs />
    </fieldset>
  );
}
