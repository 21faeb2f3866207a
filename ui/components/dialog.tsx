/** A dialog over the page. It takes the focus, returns it, and closes with Escape. */
import type { ComponentChildren } from "preact";
import * as shared from "../model/text/en/shared.ts";
import { DocsLink } from "./docs_link.tsx";
import { useModal } from "./use_modal.ts";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** A wide one at the side, for forms and editors. */
  readonly isWide?: boolean;
}

/** The dialog; it is open while it is rendered. */
export function Dialog({ title, onClose, children, isWide = false }: Props) {
  return (
    <dialog ref={useModal(onClose)} class={isWide ? "dialog wide" : "dialog"} aria-labelledby="dialog-title">
      <header>
        <h2 id="dialog-title" tabIndex={-1}>{title}</h2>
        <DocsLink />
        <button type="button" class="button plain" aria-label={shared.closeButton} onClick={onClose}>✕</button>
      </header>
      {children}
    </dialog>
  );
}
