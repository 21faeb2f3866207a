/**
 * Assistance for the text field: syntax colors, problem marks, completion and search. Loaded after the field is shown.
 */
import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  type CompletionContext,
  type CompletionResult,
  completionStatus,
} from "@codemirror/autocomplete";
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { closeSearchPanel, findNext, findPrevious, openSearchPanel, search } from "@codemirror/search";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { type EditorView, hoverTooltip, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import schema from "../../../manifests/schema/workflows.json" with { type: "json" };
import { completionAt, fieldAt, type FieldHelp, MAX_LENGTH } from "../../model/completion/complete.ts";
import type { SchemaFile } from "../../model/completion/schema.ts";
import * as words from "../../model/text/en/editor.ts";
import { problemRange } from "../../model/problem_range.ts";
import type { Problem } from "@tiphys/language/validate";
import { TYPING_MILLIS } from "../typing_pause.ts";
import { type Assist, offsetOf } from "./code_view.ts";
import { manifestLanguage } from "./manifest_language.ts";
import { makeFindPanel } from "./find_panel.tsx";

const SCHEMA: SchemaFile = schema;

/** The maximum number of problems that are marked in the text. */
const MAX_MARKED = 500;

/** Returns the assistance; `onHelp` receives the description of the field at the caret when the user stops typing. */
export function codeAssist(onHelp: (help: FieldHelp | undefined) => void): Assist {
  return {
    language: manifestLanguage(),
    extension: extensionOf(onHelp),
    marks: (state, { problems }) =>
      setDiagnostics(state, problems.slice(0, MAX_MARKED).map((problem) => rangeOf(state, problem))),
  };
}

function extensionOf(onHelp: (help: FieldHelp | undefined) => void): Extension {
  return [
    lintGutter(),
    keymap.of([{ key: "F8", run: nextDiagnostic, shift: previousDiagnostic }]),
    Prec.highest(keymap.of([{ key: "Escape", run: cancelHiddenCompletions }])),
    // Users may already be typing while it loads, so completion must not delay keys.
    autocompletion({ override: [choicesAt], icons: false, interactionDelay: 0, tooltipClass: () => "choices" }),
    Prec.highest(keymap.of([{ key: "Tab", run: acceptCompletion }])),
    EditorState.phrases.of({ Completions: words.choicesLabel }),
    hoverTooltip((view, pos) => {
      const help = helpAt(view.state, pos);
      return help ? { pos, above: true, create: () => ({ dom: helpElement(help) }) } : null;
    }),
    search({ top: true, createPanel: makeFindPanel }),
    keymap.of([
      { key: "Mod-f", run: openSearchPanel, scope: "editor search-panel" },
      { key: "F3", run: findNext, shift: findPrevious, scope: "editor search-panel", preventDefault: true },
      { key: "Mod-g", run: findNext, shift: findPrevious, scope: "editor search-panel", preventDefault: true },
    ]),
    Prec.high(keymap.of([{ key: "Escape", run: closeSearchPanel, scope: "editor search-panel" }])),
    helpAtCaret(onHelp),
  ];
}

/** Escape is not for completions that are still being computed and not visible. */
function cancelHiddenCompletions(view: EditorView): boolean {
  if (completionStatus(view.state) === "pending") closeCompletion(view);
  return false;
}

function choicesAt({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  if (state.doc.length > MAX_LENGTH || !state.selection.main.empty) return null;
  const found = completionAt(SCHEMA, state.doc.toString(), pos);
  // Before anything is typed, the list would be in the way.
  if (!found || !explicit && found.from === pos) return null;
  return {
    from: found.from,
    to: found.to,
    filter: false,
    options: found.choices.map(({ name, about, isRequired, text }) => ({
      label: name,
      detail: words.choiceAbout(about, isRequired),
      apply: text,
    })),
  };
}

function helpAt({ doc }: EditorState, offset: number): FieldHelp | undefined {
  return doc.length > MAX_LENGTH ? undefined : fieldAt(SCHEMA, doc.toString(), offset);
}

function helpElement({ path, type, isRequired }: FieldHelp): HTMLElement {
  const element = document.createElement("div");
  element.className = "about";
  element.textContent = words.fieldAbout(path, type, isRequired).join("");
  return element;
}

function helpAtCaret(onHelp: (help: FieldHelp | undefined) => void): Extension {
  return ViewPlugin.fromClass(
    class {
      #pause: ReturnType<typeof setTimeout> | undefined;
      constructor(view: EditorView) {
        this.#scheduleHelp(view);
      }
      update({ docChanged, selectionSet, view }: ViewUpdate): void {
        if (docChanged || selectionSet) this.#scheduleHelp(view);
      }
      destroy(): void {
        clearTimeout(this.#pause);
      }
      #scheduleHelp(view: EditorView): void {
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => onHelp(helpAt(view.state, view.state.selection.main.head)), TYPING_MILLIS);
      }
    },
  );
}

function rangeOf(state: EditorState, { line, column, message, path, severity = "error" }: Problem) {
  const offset = offsetOf(state, line, column);
  const { text, from: start } = state.doc.lineAt(offset);
  const { from, to } = problemRange(text, offset - start);
  return { from: start + from, to: start + to, severity, message: words.problemAt(path, message) };
}
