/** The state that the palette's field and its list share. */
import type { Signal } from "@preact/signals";

/** The shared state. */
export interface PaletteField {
  readonly text: Signal<string>;
  /** The item selected with the keyboard; reset when the text changes. */
  readonly chosen: Signal<string | undefined>;
  /** The ID of the element of the selected item. */
  readonly active: Signal<string | undefined>;
  /** Handles a key in the list. */
  readonly onKey: { current: ((event: KeyboardEvent) => void) | undefined };
}
