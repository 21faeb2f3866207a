/** A parameter as a field: a choice, several of them, one line or more, with what is said about it. */
import { useId } from "preact/hooks";
import { ChoiceBoxes } from "./choice_boxes.tsx";
import { ChoiceSelect } from "./choice_select.tsx";
import { isChosenAsList } from "../model/chosen_list.ts";
import type { Field } from "../model/submit_form.ts";
import * as words from "../model/text/en/parameter_field.ts";

interface FieldProps {
  readonly field: Field;
  readonly value: string;
  readonly isMissing?: boolean;
  readonly onValue: (value: string) => void;
}

/** The field. */
export function ParameterField({ field, value, isMissing = false, onValue }: FieldProps) {
  const { name, description, choices = [], usual } = field;
  const id = useId();
  const about = (
    <p id={`${id}-about`} class="muted">
      {isMissing && <strong>{words.missingValue}</strong>} {description}
      {usual && value !== usual && ` ${words.usualValue(usual)}`}
    </p>
  );
  if (isChosenAsList(choices, usual ?? value, value)) {
    return (
      <ChoiceBoxes
        name={name}
        choices={choices}
        usual={usual ?? value}
        value={value}
        describedBy={`${id}-about`}
        onValue={onValue}
      >
        {about}
      </ChoiceBoxes>
    );
  }
  const common = {
    id,
    "aria-describedby": `${id}-about`,
    "aria-invalid": isMissing ? ("true" as const) : undefined,
    value,
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  };
  const isList = isChosenAsList(choices, usual ?? "", usual ?? "");
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {choices.length > 0 && !isList
        ? <ChoiceSelect {...common} choices={choices} />
        : value.includes("\n") || value.length > 80
        ? <textarea {...common} rows={Math.min(12, value.split("\n").length + 1)} />
        : <input {...common} autocomplete="off" />}
      {about}
    </div>
  );
}
