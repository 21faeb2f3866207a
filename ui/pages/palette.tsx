/** The palette: a field for what somebody wants to do or to find. The list of what there is comes when it is opened. */
import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { allActions } from "../actions.ts";
import { Dialog } from "../components/dialog.tsx";
import * as words from "../model/text/en/frame.ts";
import { lazy } from "./lazy.tsx";

// The field is there at once: what is typed while the list comes is typed into it.
const PaletteList = lazy(async () => (await import("./palette_list.tsx")).PaletteList);

/** Begins to load the list of the palette, where somebody is about to open it. */
export const preparePalette = PaletteList.load;

/** The palette, which is open as long as it is there. */
export function Palette({ onClose }: { onClose: () => void }) {
  const text = useSignal("");
  const chosen = useSignal<string | undefined>(undefined);
  const active = useSignal<string | undefined>(undefined);
  const onKey = useRef<((event: KeyboardEvent) => void) | undefined>(undefined);
  // What can be done where the palette was opened: it has the focus itself afterwards.
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
