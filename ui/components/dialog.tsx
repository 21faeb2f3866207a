/** A dialog in front of the page: it takes the focus, gives it back, and closes by Esc. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** A wide one beside the page, for forms and editors. */
  readonly isWide?: boolean;
}

/** The dialog; it is open as long as it is there. */
export function Dialog({ title, onClose, children, isWide = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  // Before the next frame: what is typed at once belongs to the dialog.
  useLayoutEffect(() => {
    const { current } = element;
    const before = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={isWide ? "dialog wide" : "dialog"}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="button plain" aria-label="Close" onClick={onClose}>✕</button>
      </header>
      {children}
    </dialog>
  );
}
