/** The palette: a field to search for actions and objects. Its list loads when it is opened. */
import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { allActions } from "../actions.ts";
import { Dialog } from "../components/dialog.tsx";
import * as words from "../model/text/en/frame.ts";
import { lazy } from "./lazy.tsx";

// The field appears immediately, so that typing can start while the list is loading.
const PaletteList = lazy(async () => (await import("./palette_list.tsx")).PaletteList);

/** Loads the list in advance, when the user is about to open the palette. */
export const preparePalette = PaletteList.load;

/** The palette; it is open while it is rendered. */
export function Palette({ onClose }: { onClose: () => void }) {
  const text = useSignal("");
  const chosen = useSignal<string | undefined>(undefined);
  const active = useSignal<string | undefined>(undefined);
  const onKey = useRef<((event: KeyboardEvent) => void) | undefined>(undefined);
  // Computed before the palette takes the focus, because actions depend on it.
  const actions = useMemo(() => allActions().filter(({ isHere }) => isHere?.() !== false), []);
  return (
    <Dialog title={words.paletteLabel} onClose={onClose}>
      <input
        role="combobox"
        aria-expanded={active.value === undefined ? "false" : "true"}
        aria-controls="palette-list"
        aria-activedescendant={active.value}
        aria-label={words.paletteLabel}
        autocomplete="off"
        autofocus
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          chosen.value = undefined;
        }}
        onKeyDown={(event) => onKey.current?.(event)}
      />
      <PaletteList field={{ text, chosen, active, onKey }} actions={actions} onClose={onClose} />
    </Dialog>
  );
}
