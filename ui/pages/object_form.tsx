/** Forms for parts of an object: parameters, metadata, schedule. A form changes only the fields that it shows. */
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { Parameter } from "@tiphys/model/api";
import { fieldsOf, itemsOf, textFieldsOf } from "@tiphys/base/fields_of";
import type { Edit, EditStep } from "@tiphys/model/yaml";
import { Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import { ChoiceSelect } from "../components/choice_select.tsx";
import { DocsLink } from "../components/docs_link.tsx";
import { ParameterField } from "../components/parameter_field.tsx";
import { addEdit, applyEdits, valueAt } from "../model/object_edits.ts";
import { isZone, momentText } from "../model/duration.ts";
import { nextTimes } from "../model/schedule.ts";
import { trackPending } from "../settled.ts";
import { Refused } from "./refused.tsx";
import * as words from "../model/text/en/object_form.ts";
import * as objects from "../model/text/en/object_pages.ts";

/** The kinds of forms. */
export type ObjectPart = "parameters" | "metadata" | "cron";

interface Props {
  readonly part: ObjectPart;
  readonly object: object;
  /** The path to the workflow spec. */
  readonly specWay: readonly string[];
  readonly lack: string | undefined;
  readonly onSave: (object: unknown) => Promise<void>;
  /** Reads the object again; changes in the form stay and apply to the new state. */
  readonly onAgain: () => void;
}

/** The draft of an object. */
interface Draft {
  readonly at: (path: readonly EditStep[]) => unknown;
  /** Returns the value without the changes. */
  readonly was: (path: readonly EditStep[]) => unknown;
  readonly set: (path: Edit["path"], value: unknown) => void;
}

/** The form with its buttons. */
export function ObjectForm({ part, object, specWay, lack, onSave, onAgain }: Props) {
  const [edits, setEdits] = useState<readonly Edit[]>([]);
  const isBusy = useSignal(false);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const draft = useMemo(() => applyEdits(object, edits), [object, edits]);
  const ways: Draft = {
    at: (path) => valueAt(draft, path),
    was: (path) => valueAt(object, path),
    set: (path, value) => setEdits(addEdit(object, edits, { path, value })),
  };

  async function save(): Promise<void> {
    using _waiting = trackPending();
    isBusy.value = true;
    refusal.value = undefined;
    try {
      await onSave(draft);
      setEdits([]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal.value = error;
    } finally {
      isBusy.value = false;
    }
  }

  return (
    <form
      class="object-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {part === "parameters" && <Parameters draft={ways} way={[...specWay, "arguments", "parameters"]} />}
      {part === "metadata" && <Metadata draft={ways} />}
      {part === "cron" && <Times draft={ways} />}
      {refusal.value?.kind === "conflict"
        ? (
          <div class="note row" role="alert">
            <span>{words.conflict}</span>
            <button
              type="button"
              class="button"
              onClick={() => {
                refusal.value = undefined;
                onAgain();
              }}
            >
              {words.showTheirs}
            </button>
          </div>
        )
        : refusal.value && <Refused refusal={refusal.value} />}
      <footer class="row">
        <button
          type="submit"
          class="button primary"
          disabled={isBusy.value || edits.length === 0 || lack !== undefined}
          title={lack}
        >
          {objects.saveButton}
        </button>
        <button type="button" class="button" disabled={edits.length === 0} onClick={() => setEdits([])}>
          {words.discardButton}
        </button>
        {edits.length > 0 && <span class="muted" role="status">{words.changeCount(edits.length)}</span>}
      </footer>
    </form>
  );
}

function Metadata({ draft }: { draft: Draft }) {
  const maps: readonly [string, readonly ["metadata"] | readonly ["spec", "workflowMetadata"]][] = [
    [words.ofObject, ["metadata"]],
    [words.ofRuns, ["spec", "workflowMetadata"]],
  ];
  return (
    <>
      <DocsLink to="reference/fields.html#objectmeta" text={words.fieldDocsLink} />
      {maps.map(([heading, way]) => (
        <section key={heading} aria-label={heading}>
          <h2>{heading}</h2>
          <Texts heading={words.labelsHeading} of={heading} draft={draft} way={[...way, "labels"]} />
          <Texts heading={words.annotationsHeading} of={heading} draft={draft} way={[...way, "annotations"]} />
        </section>
      ))}
    </>
  );
}

/** The annotation in which kubectl stores the last applied manifest; it is large and not meant to be edited. */
const HIDDEN = "kubectl.kubernetes.io/last-applied-configuration";

/** A map of texts, whose entries can be changed, removed and added. */
function Texts({ heading, of, draft, way }: {
  readonly heading: string;
  readonly of: string;
  readonly draft: Draft;
  readonly way: readonly string[];
}) {
  const [key, setKey] = useState("");
  const [value, setValue] = useState("");
  const there = Object.entries(textFieldsOf(draft.at(way))).filter(([name]) => name !== HIDDEN);
  const what = `${heading}, ${of}`;
  return (
    <fieldset class="texts">
      <legend>{heading}</legend>
      {there.length === 0 && <p class="muted">{words.noneYet}</p>}
      {there.map(([name, text]) => (
        <div key={name} class="texts-row">
          <span class="mono foreign">{name}</span>
          {text.includes("\n")
            ? (
              <textarea
                aria-label={words.valueOf(name)}
                rows={Math.min(8, text.split("\n").length)}
                value={text}
                onInput={(event) => draft.set([...way, name], event.currentTarget.value)}
              />
            )
            : (
              <input
                aria-label={words.valueOf(name)}
                value={text}
                onInput={(event) => draft.set([...way, name], event.currentTarget.value)}
              />
            )}
          <button
            type="button"
            class="button quiet"
            aria-label={words.removeButton(name)}
            onClick={() => draft.set([...way, name], undefined)}
          >
            ✕
          </button>
        </div>
      ))}
      <div class="texts-row">
        <input
          aria-label={words.newKeyOf(what)}
          placeholder={words.keyField}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <input
          aria-label={words.newValueOf(what)}
          placeholder={words.valueField}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <button
          type="button"
          class="button"
          aria-label={words.addTo(what)}
          disabled={key.trim() === ""}
          onClick={() => {
            draft.set([...way, key.trim()], value);
            setKey("");
            setValue("");
          }}
        >
          {words.addButton}
        </button>
      </div>
    </fieldset>
  );
}

function Parameters({ draft, way }: { readonly draft: Draft; readonly way: readonly string[] }) {
  const [name, setName] = useState("");
  const parameters = itemsOf(draft.at(way)).map(fieldsOf) as readonly Partial<Parameter>[];
  const named = parameters.flatMap((parameter) =>
    typeof parameter.name === "string" ? [{ ...parameter, name: parameter.name }] : []
  );
  return (
    <>
      <DocsLink to="reference/fields.html#parameter" text={words.fieldDocsLink} />
      {named.length === 0 && <p class="muted">{words.noParameters}</p>}
      {named.map((parameter) => {
        const step = { name: parameter.name };
        const set = (field: keyof Parameter, value: unknown) => draft.set([...way, step, field], value);
        // An empty text is a value, unless the field had none before.
        const setText = (field: keyof Parameter, text: string) =>
          set(field, text === "" && draft.was([...way, step, field]) === undefined ? undefined : text);
        return (
          <fieldset key={parameter.name} class="parameter">
            <legend class="mono">{parameter.name}</legend>
            {parameter.valueFrom ? <p class="muted">{words.fromElsewhere}</p> : (
              <ParameterField
                field={{
                  name: words.valueField,
                  description: "",
                  usual: parameter.default,
                  choices: parameter.enum?.length ? parameter.enum.map(String) : undefined,
                }}
                value={textOf(parameter.value)}
                onValue={(value) => setText("value", value)}
              />
            )}
            <Line label={words.defaultField} value={parameter.default} onValue={(value) => setText("default", value)} />
            <Line
              label={words.aboutField}
              value={parameter.description}
              onValue={(value) => setText("description", value)}
            />
            <Lines
              label={words.oneOfField}
              lines={itemsOf(parameter.enum).map(textOf)}
              onLines={(lines) => set("enum", lines.length > 0 ? lines : undefined)}
            />
            <button
              type="button"
              class="button quiet"
              aria-label={words.removeButton(parameter.name)}
              onClick={() => draft.set([...way, step], undefined)}
            >
              ✕
            </button>
          </fieldset>
        );
      })}
      <div class="row">
        <input
          aria-label={words.newParameterField}
          placeholder={words.newParameterField}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button
          type="button"
          class="button"
          disabled={name.trim() === "" || named.some((parameter) => parameter.name === name.trim())}
          onClick={() => {
            draft.set([...way, { name: name.trim() }], { name: name.trim() });
            setName("");
          }}
        >
          {words.addButton}
        </button>
      </div>
    </>
  );
}

const POLICIES = ["Allow", "Forbid", "Replace"] as const;

function Times({ draft }: { readonly draft: Draft }) {
  const schedules = itemsOf(draft.at(["spec", "schedules"])).map(textOf);
  const timezone = textOf(draft.at(["spec", "timezone"]));
  const { times, problem } = nextTimes(schedules, timezone, new Date(useApp().now.peek()), 5);
  const zone = timezone && isZone(timezone) ? timezone : "UTC";
  const number = (label: string, field: string, defaultValue: string) => (
    <Line
      label={label}
      about={words.defaultPlaceholder(defaultValue)}
      type="number"
      value={draft.at(["spec", field])}
      onValue={(value) => draft.set(["spec", field], value === "" ? undefined : Number(value))}
    />
  );
  return (
    <>
      <DocsLink to="reference/fields.html#cronworkflowspec" text={words.fieldDocsLink} />
      <div class="manifest-form">
        <Lines
          label={words.schedulesField}
          lines={schedules}
          onLines={(lines) => draft.set(["spec", "schedules"], lines)}
        >
          {problem && <strong role="alert">{problem}</strong>}
          {times.length > 0 && (
            <span class="muted">
              {words.nextTimes(times.map((time) => momentText(time.toISOString(), { zone, isShort: true })))}
            </span>
          )}
        </Lines>
        <Line
          label={words.timezoneField}
          about={words.defaultPlaceholder("UTC")}
          value={timezone}
          onValue={(value) => draft.set(["spec", "timezone"], value || undefined)}
        />
        <label class="field">
          <span>{words.policyField}</span>
          <ChoiceSelect
            choices={POLICIES}
            value={textOf(draft.at(["spec", "concurrencyPolicy"])) || "Allow"}
            onInput={(event) => draft.set(["spec", "concurrencyPolicy"], event.currentTarget.value)}
          />
        </label>
        {number(words.deadlineField, "startingDeadlineSeconds", "0")}
        {number(words.succeededField, "successfulJobsHistoryLimit", "3")}
        {number(words.failedField, "failedJobsHistoryLimit", "1")}
        <Line
          label={words.whenField}
          value={draft.at(["spec", "when"])}
          onValue={(value) => draft.set(["spec", "when"], value || undefined)}
        />
        <Line
          label={words.stopField}
          value={draft.at(["spec", "stopStrategy", "expression"])}
          onValue={(value) => draft.set(["spec", "stopStrategy"], value === "" ? undefined : { expression: value })}
        />
        <label class="choice">
          <input
            type="checkbox"
            checked={draft.at(["spec", "suspend"]) === true}
            onChange={(event) => draft.set(["spec", "suspend"], event.currentTarget.checked)}
          />
          {words.suspendedField}
        </label>
      </div>
    </>
  );
}

function Line({ label, about, type = "text", value, onValue }: {
  readonly label: string;
  readonly about?: string;
  readonly type?: "text" | "number";
  readonly value: unknown;
  readonly onValue: (value: string) => void;
}) {
  const common = {
    value: textOf(value),
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  };
  return (
    <label class="field">
      <span>{label}</span>
      {type === "number"
        ? <input type="number" min={0} {...common} />
        : <input type="text" autocomplete="off" {...common} />}
      {about && <small class="muted">{about}</small>}
    </label>
  );
}

/** A list of texts, one per line; empty lines are ignored. */
function Lines({ label, lines, onLines, children }: {
  readonly label: string;
  readonly lines: readonly string[];
  readonly onLines: (lines: readonly string[]) => void;
  readonly children?: ComponentChildren;
}) {
  // The text as typed, including empty lines, which `lines` does not contain.
  const [typed, setTyped] = useState(lines.join("\n"));
  const kept = typed.split("\n").filter((line) => line.trim() !== "");
  const shown = kept.join("\n") === lines.join("\n") ? typed : lines.join("\n");
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        class="mono"
        rows={Math.min(8, Math.max(1, shown.split("\n").length))}
        value={shown}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          onLines(value.split("\n").filter((line) => line.trim() !== ""));
        }}
      />
      {children}
    </label>
  );
}

/** Formats a value for a field. Kubernetes accepts numbers and booleans as texts in many places. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
