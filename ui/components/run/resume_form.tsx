/** The form of a node that waits for a person: what it asks for, and the word to go on. */
import { useState } from "preact/hooks";
import type { NodeStatus } from "../../../lib/api/mod.ts";

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
  const valueOf = (name: string, fallback: string | undefined, choices: readonly string[] | undefined) =>
    values[name] ?? fallback ?? choices?.[0] ?? "";
  const chosen = () =>
    Object.fromEntries(asked.map((one) => {
      const choices = choicesOf(node, one.name);
      return [one.name, valueOf(one.name, one.valueFrom?.default, choices)];
    }));
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
        const value = valueOf(name, valueFrom?.default, choices);
        const set = (next: string) => setValues({ ...values, [name]: next });
        return (
          <label key={name} class="field">
            <span>{name}</span>
            {choices?.length
              ? (
                <select value={value} onChange={(event) => set(event.currentTarget.value)}>
                  {choices.map((one) => <option key={one} value={one}>{one}</option>)}
                </select>
              )
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
  return node.outputs?.parameters?.find((one) => one.name === name)?.enum ??
    node.inputs?.parameters?.find((one) => one.name === name)?.enum;
}
