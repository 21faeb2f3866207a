/** The Tab key: it indents a line; after Escape it leaves the field, so that keyboard users are not trapped. */
import { indentLess, indentMore } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/** Creates the rule for one field. The field handles the first Escape; the next one goes to its parent. */
export function createTabRule(): Extension {
  let isLeaving = false;
  const stay = () => {
    isLeaving = false;
    return false;
  };
  return [
    EditorView.domEventHandlers({
      keydown: ({ key }) => ["Escape", "Tab", "Shift"].includes(key) ? false : stay(),
      mousedown: stay,
      blur: stay,
    }),
    keymap.of([
      { key: "Tab", run: (view) => !isLeaving && indentMore(view), shift: (view) => !isLeaving && indentLess(view) },
      {
        key: "Escape",
        run: () => {
          const isFirst = !isLeaving;
          isLeaving = true;
          return isFirst;
        },
      },
    ]),
  ];
}
