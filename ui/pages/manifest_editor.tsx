/**
 * An editable manifest with a button that sends it: checked while it is typed, and refused with the server's message.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { loadPart, Refusal } from "../api/refusal.ts";
import { startLintThread } from "../api/lint_thread.ts";
import { CreatedObject } from "../components/created_object.tsx";
import { type EditedText, useEditedText } from "../components/code/edited_text.ts";
import type { CodeView } from "../components/code/code_view.ts";
import { Editor } from "../components/editor.tsx";
import { Refused } from "./refused.tsx";
import { FileChoice } from "../components/file_choice.tsx";
import { fieldsOf } from "@tiphys/base/fields_of";
import { withEdits } from "@tiphys/model/yaml";
import { MergePanel } from "../components/merge_panel.tsx";
import { type Merge, type MergeConflict, mergeManifests } from "../model/manifest_merge.ts";
import { fileRefusal, manifestText, readManifest, versionOf } from "../model/manifest.ts";
import { formatOf, jsonText } from "../model/manifest_format.ts";
import { manifestFields, withManifestValue } from "../model/manifest_form.ts";
import { ParameterDocs, ParameterField } from "../components/parameter_field.tsx";
import { hasGraph } from "../model/graph/template_objects.ts";
import { valueOf, withValues } from "../model/place.ts";
import { useApp } from "../app.ts";
import { trackPending } from "../settled.ts";
import { lazy } from "./lazy.tsx";
import * as words from "../model/text/en/editor.ts";
import * as shared from "../model/text/en/shared.ts";

const TextGraph = lazy(async () => (await import("./template_graph.tsx")).TextGraph);

/** The assistance loads after the text, which is editable before. */
async function loadAssist() {
  using _waiting = trackPending();
  return (await loadPart(() => import("../components/code/code_assist.ts"))).codeAssist;
}

interface Props {
  readonly label: string;
  /** The object to edit. */
  readonly object: unknown;
  /** The text of the button. */
  readonly action: string;
  /** The rights that are missing to send it. */
  readonly lack?: string | undefined;
  /** Sends the object; errors are shown. */
  readonly onSend: (object: unknown) => Promise<void>;
  /** Performs a dry run; absent if not supported. */
  readonly onTry?: (object: unknown) => Promise<unknown>;
  /** Requests the current object, which somebody else may have changed. */
  readonly newest?: () => Promise<unknown>;
}

/** The editor with its button. */
export function ManifestEditor({ label, object, action, lack, onSend, onTry, newest }: Props) {
  const app = useApp();
  const { query } = app.place.value;
  const isDrawn = hasGraph(object);
  const withGraph = isDrawn && valueOf(query, "graph") === "shown";
  const view = useRef<CodeView>(undefined);
  const [firstLine] = useState(() => Number(valueOf(query, "line")));
  // Serialized once, because thousands of lines take too long for each key stroke.
  const [first] = useState(() => manifestText(object));
  const { text, hasErrors, before, isTouched } = useEditedText(first, isDrawn ? startLintThread : checkNothing);
  const isBusy = useSignal(false);
  const created = useSignal<string | undefined>(undefined);
  const merge = useSignal<Merge | undefined>(undefined);
  // The object on which the text is based; after a merge that of the others.
  const began = useRef(object);
  const fault = useSignal<Refusal | string | undefined>(undefined);
  const version = versionOf(object);
  useEffect(() => {
    // The text contains changes made while it was saved or changed elsewhere.
    if (version === versionOf(began.current)) return;
    before.value = manifestText(object);
    if (text.now().toString() === manifestText(began.current)) {
      began.current = object;
      text.replace(before.value);
    } else mergeTheirs(object, (merged) => merged.conflicts.length > 0);
  }, [version]);

  /**
   * Merges somebody else's version into the text, and shows the merge if `isTold` is true; returns false if it cannot
   * be merged.
   */
  function mergeTheirs(theirs: unknown, isTold: (merged: Merge) => boolean): boolean {
    const found = mergeManifests(began.current, text.now().toString(), theirs);
    if (!found) return false;
    began.current = theirs;
    put(found.text);
    merge.value = isTold(found) ? found : undefined;
    return true;
  }

  /** Replaces the text by one with changed values, in the same format. */
  function put(next: string): void {
    const read = formatOf(text.now().toString()) === "JSON" ? readManifest(next) : undefined;
    text.replace(read && "object" in read ? jsonText(read.object) : next);
  }

  async function open(file: File): Promise<void> {
    fault.value = fileRefusal(file);
    if (fault.value === undefined) text.replace(await file.text());
  }

  async function send(submit: (object: unknown) => Promise<unknown>): Promise<void> {
    const read = readManifest(text.now().toString());
    if ("problem" in read) {
      fault.value = read.problem;
      return;
    }
    using _waiting = trackPending();
    isBusy.value = true;
    fault.value = undefined;
    created.value = undefined;
    merge.value = undefined;
    try {
      await submit(read.object);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!(error.kind === "conflict" && await requestAndMerge())) fault.value = error;
    } finally {
      isBusy.value = false;
    }
  }

  /** Sends the object, on which the text is then based. */
  async function save(sent: unknown): Promise<void> {
    await onSend(sent);
    began.current = sent;
  }

  /** Requests somebody else's version and merges it into the current text; returns false if that is not possible. */
  async function requestAndMerge(): Promise<boolean> {
    if (!newest) return false;
    try {
      return mergeTheirs(await newest(), () => true);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return false;
    }
  }

  function takeTheirs(conflict: MergeConflict): void {
    const next = withEdits(text.now().toString(), [conflict.takeTheirs]);
    if (next === undefined || !merge.value) {
      fault.value = words.cannotBeSet(conflict.place);
      return;
    }
    put(next);
    const { accepted, conflicts } = merge.value;
    merge.value = {
      text: next,
      accepted: [...accepted, conflict.place],
      conflicts: conflicts.filter((candidate) => candidate !== conflict),
    };
  }

  // The object in the text when the user stopped typing; undefined if there is not exactly one.
  const { value: checked } = text.checked;
  const meant = checked ? checked.object : object;

  return (
    <div
      class="manifest"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        void open(file);
      }}
    >
      <ManifestForm text={text} object={meant} />
      <div class={withGraph ? "beside" : undefined}>
        <Editor
          label={label}
          text={text}
          loadAssist={loadAssist}
          view={view}
          firstLine={firstLine}
          // Argo's server has no documentation.
          docsOf={app.info.value.extensions?.length
            ? (type) => `docs/reference/fields.html#${type.toLowerCase()}`
            : undefined}
        >
          {isDrawn && (
            <button
              type="button"
              class="button toggle"
              aria-pressed={withGraph}
              onClick={() =>
                app.go({ ...app.place.value, query: withValues(query, { graph: withGraph ? undefined : "shown" }) })}
            >
              {words.graphToggle}
            </button>
          )}
        </Editor>
        {withGraph && (
          <TextGraph
            checked={checked}
            namespace={namespaceOf(object)}
            onLine={(line) => view.current?.show(line)}
          />
        )}
      </div>
      {typeof fault.value === "string" && <p class="note" role="alert">{fault.value}</p>}
      {fault.value instanceof Refusal && <Refused refusal={fault.value} />}
      {merge.value && <MergePanel merge={merge.value} action={action} onTakeTheirs={takeTheirs} />}
      <footer class="row">
        <button
          type="button"
          class="button primary"
          disabled={isBusy.value || hasErrors.value || lack !== undefined}
          title={lack ?? (hasErrors.value ? words.fixProblemsFirst : undefined)}
          onClick={() => void send(save)}
        >
          {action}
        </button>
        {onTry && (
          <button
            type="button"
            class="button"
            disabled={isBusy.value || hasErrors.value}
            onClick={() => void send(async (object) => created.value = manifestText(await onTry(object)))}
          >
            {words.dryRunButton}
          </button>
        )}
        <button
          type="button"
          class="button"
          disabled={!isTouched.value}
          onClick={() => text.replace(before.value)}
        >
          {words.resetButton}
        </button>
        <FileChoice label={words.openFileButton} accept=".yaml,.yml,.json" onFile={(file) => void open(file)} />
      </footer>
      {created.value && <CreatedObject text={created.value} onClose={() => created.value = undefined} />}
    </div>
  );
}

/** Used instead of a check for kinds of other projects, which only the cluster can validate. */
const checkNothing = () => ({ check() {}, [Symbol.dispose]() {} });

/** Returns the namespace of an object, or the empty string. */
function namespaceOf(object: unknown): string {
  const { namespace } = fieldsOf(fieldsOf(object).metadata);
  return typeof namespace === "string" ? namespace : "";
}

interface FormProps {
  readonly text: EditedText;
  readonly object: unknown;
}

/** A form for the parameters of the manifest; it changes nothing else in the text. */
function ManifestForm({ text, object }: FormProps) {
  const fields = useMemo(() => manifestFields(object), [object]);
  // Fields show typed values immediately; the object in the text is updated later.
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => setTyped({}), [object]);
  if (fields.length === 0) return null;
  return (
    <fieldset class="manifest-form">
      <legend>{shared.parametersField}</legend>
      {fields.map(({ field, value }) => (
        <ParameterField
          key={field.name}
          field={field}
          value={typed[field.name] ?? value}
          onValue={(value) => {
            text.replace(withManifestValue(text.now().toString(), field.name, value));
            setTyped((before) => ({ ...before, [field.name]: value }));
          }}
        />
      ))}
      <ParameterDocs />
    </fieldset>
  );
}
