/** The form by which a run is submitted: the entrypoint, a field for each parameter, labels. */
import type { Field } from "../model/submit_form.ts";

interface Props {
  readonly entrypoints: readonly string[];
  readonly entrypoint: string;
  readonly fields: readonly Field[];
  readonly values: ReadonlyMap<string, string>;
  readonly missing: readonly string[];
  readonly isBusy: boolean;
  readonly onEntrypoint: (name: string) => void;
  readonly onValue: (name: string, value: string) => void;
  readonly onSubmit: () => void;
}

/** The form. */
export function SubmitForm(props: Props) {
  const { entrypoints, entrypoint, fields, values, missing, isBusy, onEntrypoint, onValue, onSubmit } = props;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {entrypoints.length > 1 && (
        <label class="field">
          <span>Entrypoint</span>
          <select value={entrypoint} onChange={(event) => onEntrypoint(event.currentTarget.value)}>
            {entrypoints.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
      )}
      {fields.map((field) => (
        <FieldOf
          key={field.name}
          field={field}
          value={values.get(field.name) ?? field.usual ?? ""}
          isMissing={missing.includes(field.name)}
          onValue={(value) => onValue(field.name, value)}
        />
      ))}
      {fields.length === 0 && <p class="muted">This needs no parameters.</p>}
      <footer>
        <button type="submit" class="button primary" disabled={isBusy}>{isBusy ? "Submitting…" : "Submit"}</button>
      </footer>
    </form>
  );
}

interface FieldProps {
  readonly field: Field;
  readonly value: string;
  readonly isMissing: boolean;
  readonly onValue: (value: string) => void;
}

function FieldOf({ field, value, isMissing, onValue }: FieldProps) {
  const id = `field-${field.name}`;
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
        ? (
          <select {...common}>
            {value === "" && <option value="" />}
            {field.choices.map((choice) => <option key={choice} value={choice}>{choice}</option>)}
          </select>
        )
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
