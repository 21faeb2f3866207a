/** The form of a node that waits for a person: what it asks for, and the word to go on. */
import { useState } from "preact/hooks";
import type { NodeStatus } from "../../../lib/api/mod.ts";
import * as words from "../../model/text/en/resume_form.ts";
import { ParameterField } from "../parameter_field.tsx";

interface Props {
  readonly node: NodeStatus;
  readonly isBusy: boolean;
  /** The outputs that were filled in, by name. */
  readonly onResume: (outputs: Readonly<Record<string, string>>) => void;
}

/** The form. */
export function ResumeForm({ node, isBusy, onResume }: Props) {
  const asked = (node.outputs?.parameters ?? []).filter(({ valueFrom }) => valueFrom?.supplied);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  // Who goes on without a choice gives what the author of the step has put there.
  const usualOf = (name: string, usual: string | undefined) =>
    usual ?? inputOf(node, name)?.value ?? choicesOf(node, name)?.[0] ?? "";
  const chosen = () =>
    Object.fromEntries(asked.map(({ name, valueFrom }) => [name, values[name] ?? usualOf(name, valueFrom?.default)]));
  return (
    <form
      class="resume"
      aria-label={words.formLabel(node.displayName ?? node.name)}
      onSubmit={(event) => {
        event.preventDefault();
        onResume(chosen());
      }}
    >
      {asked.map(({ name, valueFrom, description }) => {
        const usual = usualOf(name, valueFrom?.default);
        return (
          <ParameterField
            key={name}
            field={{ name, description: description ?? "", usual, choices: choicesOf(node, name) }}
            value={values[name] ?? usual}
            onValue={(next) => setValues({ ...values, [name]: next })}
          />
        );
      })}
      <button type="submit" class="button primary" disabled={isBusy}>
        {isBusy ? words.resumingButton : words.resumeButton}
      </button>
    </form>
  );
}

/** The choices of an output stand at the input of its name. */
function choicesOf(node: NodeStatus, name: string): readonly string[] | undefined {
  return node.outputs?.parameters?.find((one) => one.name === name)?.enum ?? inputOf(node, name)?.enum;
}

function inputOf(node: NodeStatus, name: string) {
  return node.inputs?.parameters?.find((one) => one.name === name);
}
