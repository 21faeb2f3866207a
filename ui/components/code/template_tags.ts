/** Template tags (`{{inputs.parameters.day}}`) in visible lines. */
import type { Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

const TAGS = new MatchDecorator({
  regexp: /\{\{[^{}\n]{1,500}\}\}/g,
  decoration: Decoration.mark({ class: "tag" }),
});

/** Marks tags with the class `tag`. */
export function templateTags(): Extension {
  return ViewPlugin.fromClass(
    class {
      marks: DecorationSet;
      constructor(view: EditorView) {
        this.marks = TAGS.createDeco(view);
      }
      update(update: ViewUpdate): void {
        this.marks = TAGS.updateDeco(update, this.marks);
      }
    },
    { decorations: ({ marks }) => marks },
  );
}
