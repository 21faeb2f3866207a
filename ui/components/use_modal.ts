/** A modal dialog that is open while it is rendered, and returns the focus. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Opens the dialog element of the ref. `onClose` is called when the user presses Escape; the dialog stays open until it
 * is removed, so that no key stroke reaches the page between its end and its removal.
 */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  // Before the next frame, so that immediate key strokes go to the dialog.
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    const told = () => latest.current();
    const asked = (event: Event) => {
      // The choice of a file in the dialog can be canceled too, and its event bubbles.
      if (event.target !== current) return;
      event.preventDefault();
      latest.current();
    };
    current?.addEventListener("cancel", asked);
    // Browsers close a dialog without asking if its Escape was prevented before.
    current?.addEventListener("close", told);
    current?.showModal();
    // Without an autofocus field the heading has the focus, so that key strokes neither close it nor change a value.
    if (!current?.querySelector("[autofocus]")) current?.querySelector("h2")?.focus();
    return () => {
      // The event arrives later, when another dialog may be open.
      current?.removeEventListener("close", told);
      current?.close();
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
    };
  }, []);
  return dialog;
}
