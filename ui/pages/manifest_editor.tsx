/** A manifest that is edited and sent: checked while it is typed, refused in the server's words. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Refusal } from "../api/refusal.ts";
import { startLintThread } from "../api/lint_thread.ts";
import { CreatedObject } from "../components/created_object.tsx";
import { Editor, useCheckedText } from "../components/editor.tsx";
import { TYPING_MILLIS } from "../components/typing_pause.ts";
import { Refused } from "./refused.tsx";
import { FileChoice } from "../components/file_choice.tsx";
import { fieldsOf } from "../../lib/fields_of.ts";
import { withEdits } from "../../lib/yaml/mod.ts";
import { MergePanel } from "../components/merge_panel.tsx";
import { type Merge, type MergeConflict, mergeManifests } from "../model/manifest_merge.ts";
import { fileRefusal, manifestText, readManifest } from "../model/manifest.ts";
import { manifestFields, withManifestValue } from "../model/manifest_form.ts";
import { ParameterField } from "../components/parameter_field.tsx";
import { hasGraph } from "../model/graph/template_objects.ts";
import { valueOf, withValues } from "../model/place.ts";
import { useApp } from "../app.ts";
import { unsettled } from "../settled.ts";
import { lazy } from "./lazy.tsx";
import * as words from "../model/text/en/manifest_editor.ts";
import * as shared from "../model/text/en/shared.ts";

const TextGraph = lazy(async () => (await import("./template_graph.tsx")).TextGraph);
const EditorAssist = lazy(async () => (await import("../components/editor_assist.tsx")).EditorAssist, () => null);

interface Props {
  readonly label: string;
  /** The object that is edited. */
  readonly object: unknown;
  /** The words of the button. */
  readonly action: string;
  /** The rights that are lacking to send it, in words. */
  readonly lack?: string | undefined;
  /** Sends it; what it throws is shown. */
  readonly onSend: (object: unknown) => Promise<void>;
  /** Asks the server what it would create; there is no dry run where it is left out. */
  readonly onTry?: (object: unknown) => Promise<unknown>;
  /** Asks for the object as it is now, where somebody else may have saved it. */
  readonly newest?: () => Promise<unknown>;
}

/** The editor with its button. */
export function ManifestEditor({ label, object, action, lack, onSend, onTry, newest }: Props) {
  const app = useApp();
  const { query } = app.place.value;
  const isDrawn = hasGraph(object);
  const withGraph = isDrawn && valueOf(query, "graph") === "shown";
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const line = Number(valueOf(query, "line"));
    if (line > 0) showLine(root.current, line);
  }, []);
  // Written once: with thousands of lines it takes longer than a key may.
  const [first] = useState(() => manifestText(object));
  const { text, problems, hasErrors } = useCheckedText(first, isDrawn ? startLintThread : checkNothing);
  const isBusy = useSignal(false);
  const created = useSignal<string | undefined>(undefined);
  const merge = useSignal<Merge | undefined>(undefined);
  // The object that the text was made on: after a merge that of the others.
  const began = useRef(object);
  const fault = useSignal<Refusal | string | undefined>(undefined);

  async function open(file: File): Promise<void> {
    fault.value = fileRefusal(file);
    if (fault.value === undefined) text.value = await file.text();
  }

  async function send(how: (object: unknown) => Promise<unknown>): Promise<void> {
    const read = readManifest(text.value);
    if ("problem" in read) {
      fault.value = read.problem;
      return;
    }
    using _waiting = unsettled();
    isBusy.value = true;
    fault.value = undefined;
    created.value = undefined;
    merge.value = undefined;
    try {
      await how(read.object);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!(error.kind === "conflict" && await merged())) fault.value = error;
    } finally {
      isBusy.value = false;
    }
  }

  /** Puts what somebody else saved into the text; false where that cannot be done. */
  async function merged(): Promise<boolean> {
    if (!newest) return false;
    try {
      const theirs = await newest();
      const found = mergeManifests(began.current, text.value, theirs);
      if (!found) return false;
      began.current = theirs;
      text.value = found.text;
      merge.value = found;
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return false;
    }
  }

  function takeTheirs(conflict: MergeConflict): void {
    const next = withEdits(text.value, [conflict.takeTheirs]);
    if (next === undefined || !merge.value) {
      fault.value = words.cannotBeSet(conflict.place);
      return;
    }
    text.value = next;
    const { taken, conflicts } = merge.value;
    merge.value = {
      text: next,
      taken: [...taken, conflict.place],
      conflicts: conflicts.filter((one) => one !== conflict),
    };
  }

  return (
    <div
      ref={root}
      class="manifest"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        void open(file);
      }}
    >
      <ManifestForm text={text.value} onText={(next) => text.value = next} />
      {isDrawn && (
        <button
          type="button"
          class="button toggle graph-toggle"
          aria-pressed={withGraph}
          onClick={() =>
            app.go({ ...app.place.value, query: withValues(query, { graph: withGraph ? undefined : "shown" }) })}
        >
          {words.graphToggle}
        </button>
      )}
      <div class={withGraph ? "beside" : undefined}>
        <Editor
          label={label}
          text={text.value}
          problems={problems.value}
          assist={EditorAssist}
          onText={(next) => text.value = next}
        />
        {withGraph && (
          <TextGraph
            text={text.value}
            namespace={namespaceOf(object)}
            onLine={(line) => showLine(root.current, line)}
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
          title={lack ?? (hasErrors.value ? words.mendFirst : undefined)}
          onClick={() => void send(onSend)}
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
          disabled={text.value === first}
          onClick={() => text.value = first}
        >
          {words.putBackButton}
        </button>
        <FileChoice label={words.openFileButton} accept=".yaml,.yml,.json" onFile={(file) => void open(file)} />
      </footer>
      {created.value && <CreatedObject text={created.value} onClose={() => created.value = undefined} />}
    </div>
  );
}

/** In place of the check: what a manifest of another project's kinds may say, only the cluster knows. */
const checkNothing = () => ({ check() {}, [Symbol.dispose]() {} });

/** The namespace of an object; empty where it has none. */
function namespaceOf(object: unknown): string {
  const { namespace } = fieldsOf(fieldsOf(object).metadata);
  return typeof namespace === "string" ? namespace : "";
}

/** Puts the caret at a line of the text, and the line into view. */
function showLine(root: HTMLElement | null, line: number): void {
  const area = root?.querySelector("textarea");
  if (!area) return;
  const before = area.value.split("\n").slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(at, at + (area.value.slice(at).split("\n", 1)[0] ?? "").length);
  area.scrollTop = Math.max(0, line - 4) * parseFloat(getComputedStyle(area).lineHeight);
}

/** The parameters of the manifest as a form; what is set there is set in the text, and nothing else of it. */
function ManifestForm({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  // To read a long manifest takes longer than a key may: it is read when nobody types any more.
  const [read, setRead] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRead(text), TYPING_MILLIS);
    return () => clearTimeout(timer);
  }, [text]);
  const fields = useMemo(() => manifestFields(read), [read]);
  if (fields.length === 0) return null;
  return (
    <fieldset class="manifest-form">
      <legend>{shared.parametersField}</legend>
      {fields.map(({ field, value }) => (
        <ParameterField
          key={field.name}
          field={field}
          value={value}
          onValue={(value) => {
            const next = withManifestValue(text, field.name, value);
            // What is typed in a field stands there at once.
            setRead(next);
            onText(next);
          }}
        />
      ))}
    </fieldset>
  );
}
