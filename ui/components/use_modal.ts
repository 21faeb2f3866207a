/** The life of a modal dialog: it is open while it is there, and gives the focus back to what had it. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Opens the dialog that the reference is given to. `onClose` is called where the browser closes it: by Esc. */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  // Before the next frame: what is typed at once belongs to the dialog.
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    const told = () => latest.current();
    current?.addEventListener("close", told);
    current?.showModal();
    // It begins at its heading where no field asks for what is typed: nobody closes it, or changes a value, unawares.
    if (!current?.querySelector("[autofocus]")) current?.querySelector("h2")?.focus();
    return () => {
      // It is told of later, when another dialog may be open.
      current?.removeEventListener("close", told);
      current?.close();
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
    };
  }, []);
  return dialog;
}
