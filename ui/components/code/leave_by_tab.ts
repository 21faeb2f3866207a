/** The rule of the Tab key: it moves a line in, and after Escape it leaves the field, so that keys alone get out again. */
import { indentLess, indentMore } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/** The rule for one field. The first Escape is the field's, the next one belongs to what the field stands in. */
export function leaveByTab(): Extension {
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
