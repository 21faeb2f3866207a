/** Keys of a page: single letters and digits that act while nobody types. */
import { useEffect } from "preact/hooks";
import { singleKeys } from "../../settings.ts";

/** The action of each key. */
export type Keys = Readonly<Record<string, () => void>>;

/** Lets keys act as long as the page is shown; not while somebody types, in dialogs, or with Ctrl, Alt or Cmd, nor where single letters are switched off. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (event.key.length === 1 && !singleKeys.value) return;
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog") !== null;
}
