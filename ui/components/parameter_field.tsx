/** A parameter as a field: a choice, one line or several, with what is said about it. */
import { useId } from "preact/hooks";
import { ChoiceSelect } from "./choice_select.tsx";
import type { Field } from "../model/submit_form.ts";

interface FieldProps {
  readonly field: Field;
  readonly value: string;
  readonly isMissing: boolean;
  readonly onValue: (value: string) => void;
}

/** The field. */
export function ParameterField({ field, value, isMissing, onValue }: FieldProps) {
  const id = useId();
  const common = {
    id,
    "aria-describedby": `${id}-about`,
    "aria-invalid": isMissing ? ("true" as const) : undefined,
    value,
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{field.name}</label>
      {field.choices
        ? <ChoiceSelect {...common} choices={field.choices} />
        : value.includes("\n") || value.length > 80
        ? <textarea {...common} rows={Math.min(12, value.split("\n").length + 1)} />
        : <input {...common} autocomplete="off" />}
      <p id={`${id}-about`} class="muted">
        {isMissing && <strong>A value is needed.</strong>}
        {field.description}
        {field.usual !== undefined && value !== field.usual && ` Usually ${field.usual}.`}
      </p>
    </div>
  );
}
