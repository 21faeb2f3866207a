/** The form of a node that waits for a person: its required values, and the button that resumes it. */
import { useState } from "preact/hooks";
import type { NodeStatus } from "@tiphys/model/api";
import { isChosenAsList } from "../../model/chosen_list.ts";
import { answerOf, fieldsOfStep, isAnswered, type StepAnswer } from "../../model/run/resume_run.ts";
import * as words from "../../model/text/en/resume_form.ts";
import { ParameterField } from "../parameter_field.tsx";

interface Props {
  readonly node: NodeStatus;
  readonly isBusy: boolean;
  /** Called with the values of all fields, by name. */
  readonly onResume: (answer: StepAnswer) => void;
}

export function ResumeForm({ node, isBusy, onResume }: Props) {
  const [chosen, setChosen] = useState<StepAnswer>({});
  const fields = fieldsOfStep(node);
  return (
    <form
      class="resume"
      aria-label={words.formLabel(node.displayName ?? node.name)}
      onSubmit={(event) => {
        event.preventDefault();
        if (isAnswered(fields, chosen)) onResume(answerOf(fields, chosen));
      }}
    >
      <strong>{words.formLabel(node.displayName ?? node.name)}</strong>
      <StepFields node={node} chosen={chosen} onChoose={setChosen} />
      <button type="submit" class="button primary" disabled={isBusy || !isAnswered(fields, chosen)}>
        {isBusy ? words.resumingButton : words.resumeButton}
      </button>
    </form>
  );
}

/**
 * The fields of a node that waits for a person. Defaults are shown, and become values only when a person selects them.
 */
export function StepFields({ node, chosen, onChoose }: {
  readonly node: NodeStatus;
  readonly chosen: StepAnswer;
  readonly onChoose: (chosen: StepAnswer) => void;
}) {
  return (
    <>
      {fieldsOfStep(node).map((field) => {
        const { name, usual, choices = [] } = field;
        const choose = (value: string) => onChoose({ ...chosen, [name]: value });
        const unanswered = isChosenAsList(choices, usual ?? "", usual ?? "") ? "[]" : "";
        return (
          <div key={name}>
            <ParameterField field={field} value={chosen[name] ?? unanswered} onValue={choose} />
            {usual && chosen[name] === undefined && (
              <button type="button" class="link" onClick={() => choose(usual)}>{words.useDefaultButton}</button>
            )}
          </div>
        );
      })}
    </>
  );
}
