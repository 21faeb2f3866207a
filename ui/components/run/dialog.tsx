/** A modal dialog based on the browser's own, which traps the focus, starts at the heading, and returns the focus. */
import type { ComponentChildren } from "preact";
import * as shared from "../../model/text/en/shared.ts";
import { DocsLink } from "../docs_link.tsx";
import { useModal } from "../use_modal.ts";

interface Props {
  readonly title: string;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** The rights that are missing to confirm it. */
  readonly lack?: string | undefined;
  readonly children: ComponentChildren;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The dialog; it is open while it is rendered. */
export function Dialog(
  { title, confirm, isDangerous = false, isDisabled = false, lack, children, onConfirm, onClose }: Props,
) {
  const isOff = isDisabled || lack !== undefined;
  return (
    <dialog ref={useModal(onClose)} class="dialog" aria-labelledby="dialog-title">
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOff) onConfirm();
        }}
      >
        <header>
          <h2 id="dialog-title" tabIndex={-1}>{title}</h2>
          <DocsLink />
          <button type="button" class="button plain" aria-label={shared.closeButton} onClick={onClose}>✕</button>
        </header>
        <div class="dialog-body">{children}</div>
        {lack && <p class="note">{lack}.</p>}
        <footer>
          <button type="button" class="button" onClick={onClose}>{shared.cancelButton}</button>
          <button type="submit" class={`button ${isDangerous ? "danger" : "primary"}`} disabled={isOff}>
            {confirm}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
