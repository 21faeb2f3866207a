/** A notification about an action, with a button to undo it. */
import * as shared from "../model/text/en/shared.ts";

/** The time for which a deletion can be undone. */
export const UNDO_MILLIS = 8_000;

export function UndoBar({ text, onUndo }: { readonly text: string; readonly onUndo: () => void }) {
  return (
    <div class="told" role="status">
      <span>{text}</span>
      <button type="button" class="button" onClick={onUndo}>{shared.undoButton}</button>
    </div>
  );
}
