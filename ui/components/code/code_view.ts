/** The text field: CodeMirror in a shadow root, where the content security policy allows its styles. */
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { Compartment, EditorState, type Extension, StateEffect, type TransactionSpec } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { changeBetween } from "../../model/text_change.ts";
import * as words from "../../model/text/en/editor.ts";
import { CODE_THEME } from "./code_theme.ts";
import type { Doc, EditedText, TextCheck } from "./edited_text.ts";
import { createTabRule } from "./tab_rule.ts";
import { templateTags } from "./template_tags.ts";

/** The longest text with syntax colors and folding, in characters; a longer one would take too long to parse. */
const MAX_COLORED_LENGTH = 1024 * 1024;

/** A text field on the page. */
export interface CodeView extends Disposable {
  /** Moves the caret to a position, counted from 1, and scrolls to it. */
  show(line: number, column?: number): void;
  /** Marks problems of the current text; those of an earlier text are ignored. */
  mark(checked: TextCheck): void;
  /** Adds assistance that was loaded later. */
  addAssist(assist: Assist): void;
}

/** Assistance for a field: syntax colors, problem marks, and keys. */
export interface Assist {
  readonly extension: Extension;
  /** The language: syntax colors and folding. */
  readonly language: Extension;
  marks(state: EditorState, checked: TextCheck): TransactionSpec;
}

/** Reports whether a text is short enough for syntax colors. */
export function isShortEnoughForColours({ length }: Doc): boolean {
  return length <= MAX_COLORED_LENGTH;
}

/** Shows the text in an element. */
export function showCode(element: HTMLElement, label: string, text: EditedText): CodeView {
  // A shadow root cannot be removed from an element, so it is reused.
  const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  const language = new Compartment();
  let assist: Assist | undefined;
  let hasLanguage = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text.now().toString(),
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        templateTags(),
        history(),
        CODE_THEME,
        EditorState.tabSize.of(2),
        keymap.of([...historyKeymap, ...defaultKeymap]),
        createTabRule(),
        // Dropped files are handled by the parent.
        EditorView.domEventHandlers({ drop: ({ dataTransfer }) => (dataTransfer?.files.length ?? 0) > 0 }),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-description": words.leaveHint, tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) text.changed(state.doc);
        }),
      ],
    }),
  });
  text.attach(view.state.doc, (next) => {
    const changes = changeBetween(view.state.doc.toString(), next);
    if (changes) view.dispatch({ changes, annotations: isolateHistory.of("full"), userEvent: "set" });
  });
  return {
    show(line, column = 1) {
      const offset = offsetOf(view.state, line, column);
      view.dispatch({ selection: { anchor: offset }, effects: EditorView.scrollIntoView(offset, { y: "center" }) });
      view.focus();
    },
    mark(checked) {
      if (!assist || checked.of !== view.state.doc) return;
      if (hasLanguage !== isShortEnoughForColours(checked.of)) {
        hasLanguage = !hasLanguage;
        view.dispatch({ effects: language.reconfigure(hasLanguage ? assist.language : []) });
      }
      view.dispatch(assist.marks(view.state, checked));
    },
    addAssist(addedAssist) {
      assist = addedAssist;
      hasLanguage = isShortEnoughForColours(view.state.doc);
      const added = [language.of(hasLanguage ? addedAssist.language : []), addedAssist.extension];
      view.dispatch({ effects: StateEffect.appendConfig.of(added) });
    },
    [Symbol.dispose]() {
      text.detach();
      view.destroy();
    },
  };
}

/** Returns the offset of a position, counted from 1, clamped to the text and to the line. */
export function offsetOf({ doc }: EditorState, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(from + column - 1, to);
}
