/** The word on something that was done, with the way to take it back. */
import * as shared from "../model/text/en/shared.ts";

/** The time for which a deletion can be taken back. */
export const UNDO_MILLIS = 8_000;

/** The bar. */
export function UndoBar({ text, onUndo }: { readonly text: string; readonly onUndo: () => void }) {
  return (
    <div class="told" role="status">
      <span>{text}</span>
      <button type="button" class="button" onClick={onUndo}>{shared.undoButton}</button>
    </div>
  );
}
