/** A parameter as a form field: one or several choices, one line or more, with its description. */
import { useId, useRef } from "preact/hooks";
import { ChoiceBoxes } from "./choice_boxes.tsx";
import { ChoiceSelect } from "./choice_select.tsx";
import { DocsLink } from "./docs_link.tsx";
import { isChosenAsList } from "../model/chosen_list.ts";
import type { Field } from "../model/submit_form.ts";
import * as words from "../model/text/en/parameter_field.ts";

interface FieldProps {
  readonly field: Field;
  readonly value: string;
  readonly isMissing?: boolean;
  readonly onValue: (value: string) => void;
}

export function ParameterField({ field, value, isMissing = false, onValue }: FieldProps) {
  const { name, description, choices = [], usual } = field;
  const id = useId();
  const isRequired = usual === undefined;
  // A field that the user types in stays the same element, whatever its value, while its choices are the same.
  const offered = JSON.stringify([choices, usual]);
  const typed = useRef<{ readonly value: string; readonly offered: string } | undefined>(undefined);
  const form = useRef<FieldForm>("line");
  if (value !== typed.current?.value || offered !== typed.current.offered) form.current = formOf(field, value);
  const onType = (next: string) => {
    typed.current = { value: next, offered };
    onValue(next);
  };
  const about = (
    <p id={`${id}-about`} class="muted">
      {isMissing && <strong>{words.missingValue}</strong>} {description}
      {usual && value !== usual && ` ${words.defaultValue(usual)}`}
    </p>
  );
  if (form.current === "boxes") {
    return (
      <ChoiceBoxes
        name={name}
        choices={choices}
        defaultText={usual ?? value}
        value={value}
        describedBy={`${id}-about`}
        onValue={onType}
      >
        {about}
      </ChoiceBoxes>
    );
  }
  const common = {
    id,
    "aria-describedby": `${id}-about`,
    "aria-invalid": isMissing ? ("true" as const) : undefined,
    "aria-required": isRequired || undefined,
    value,
    onInput: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id} class={isRequired ? "required" : undefined}>{name}</label>
      {form.current === "choice"
        ? <ChoiceSelect {...common} choices={choices} />
        : form.current === "text"
        ? <textarea {...common} rows={Math.min(12, value.split("\n").length + 1)} />
        : <input {...common} autocomplete="off" />}
      {about}
    </div>
  );
}

/** The link below the fields of parameters. */
export function ParameterDocs() {
  return <DocsLink to="reference/fields.html#parameter" text={words.parameterDocsLink} />;
}

/** The kinds of fields: several choices, one choice, one line, several lines. */
type FieldForm = "boxes" | "choice" | "line" | "text";

/** The kind of field for a value that was not typed. */
function formOf({ choices = [], usual }: Field, value: string): FieldForm {
  if (isChosenAsList(choices, usual ?? value, value)) return "boxes";
  // A value that is not a list, where the default is one, is shown unchanged.
  if (choices.length > 0 && !isChosenAsList(choices, usual ?? "", usual ?? "")) return "choice";
  return value.includes("\n") || value.length > 80 ? "text" : "line";
}
