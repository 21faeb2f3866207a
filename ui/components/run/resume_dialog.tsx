/** The dialog that resumes a run: every waiting step with its required values, and one button for all. */
import { useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { answerOf, fieldsOfStep, isAnswered, type StepAnswer, waitingSteps } from "../../model/run/resume_run.ts";
import * as words from "../../model/text/en/resume_form.ts";
import * as shared from "../../model/text/en/shared.ts";
import { Dialog } from "./dialog.tsx";
import { StepFields } from "./resume_form.tsx";

/** The maximum number of steps that are resumed at once. */
const MAX_STEPS = 50;

interface Props {
  readonly run: Workflow;
  /** The rights that are missing to resume it. */
  readonly lack: string | undefined;
  /** Called with the values of each step, by node ID. */
  readonly onResume: (answers: ReadonlyMap<string, StepAnswer>) => void;
  readonly onClose: () => void;
}

export function ResumeDialog({ run, lack, onResume, onClose }: Props) {
  const [chosen, setChosen] = useState<Readonly<Record<string, StepAnswer>>>({});
  const waiting = waitingSteps(run);
  const steps = waiting.slice(0, MAX_STEPS).map((node) => ({
    node,
    fields: fieldsOfStep(node),
    answer: chosen[node.id] ?? {},
  }));
  const isHeld = run.spec.suspend === true;
  return (
    <Dialog
      title={words.dialogTitle(run.metadata.name ?? "")}
      confirm={words.resumeRunButton}
      lack={lack}
      isDisabled={!isHeld && steps.length === 0 || !steps.every(({ fields, answer }) => isAnswered(fields, answer))}
      onConfirm={() => onResume(new Map(steps.map(({ node, fields, answer }) => [node.id, answerOf(fields, answer)])))}
      onClose={onClose}
    >
      <p>{steps.length > 0 ? words.stepsContinue(steps.length) : isHeld ? words.runContinues : words.noStepWaits}</p>
      {steps.map(({ node, fields, answer }) => (
        <fieldset key={node.id} class="resume">
          <legend>{node.displayName ?? node.name}</legend>
          {fields.length === 0 && <p class="muted">{words.noAnswerNeeded}</p>}
          <StepFields
            node={node}
            chosen={answer}
            onChoose={(next) => setChosen({ ...chosen, [node.id]: next })}
          />
        </fieldset>
      ))}
      {waiting.length > steps.length && <p class="note">{shared.andMore(waiting.length - steps.length)}</p>}
    </Dialog>
  );
}
