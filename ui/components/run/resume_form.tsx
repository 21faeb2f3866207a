/** The form of a node that waits for a person: what it asks for, and the word to go on. */
import { useState } from "preact/hooks";
import type { NodeStatus } from "../../../lib/api/mod.ts";
import { ChoiceSelect } from "../choice_select.tsx";

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
  const valueOf = (name: string, usual: string | undefined) =>
    values[name] ?? usual ?? inputOf(node, name)?.value ?? choicesOf(node, name)?.[0] ?? "";
  const chosen = () =>
    Object.fromEntries(asked.map(({ name, valueFrom }) => [name, valueOf(name, valueFrom?.default)]));
  return (
    <form
      class="resume"
      aria-label={`${node.displayName ?? node.name} waits for you`}
      onSubmit={(event) => {
        event.preventDefault();
        onResume(chosen());
      }}
    >
      {asked.map(({ name, valueFrom, description }) => {
        const choices = choicesOf(node, name);
        const value = valueOf(name, valueFrom?.default);
        const set = (next: string) => setValues({ ...values, [name]: next });
        return (
          <label key={name} class="field">
            <span>{name}</span>
            {choices?.length
              ? <ChoiceSelect choices={choices} value={value} onInput={(event) => set(event.currentTarget.value)} />
              : <input value={value} onInput={(event) => set(event.currentTarget.value)} />}
            {description && <small class="muted">{description}</small>}
          </label>
        );
      })}
      <button type="submit" class="button primary" disabled={isBusy}>
        {isBusy ? "Resuming…" : "Resume this node"}
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
