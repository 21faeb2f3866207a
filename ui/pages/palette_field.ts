/** The field of the palette, as its list sees it: what is typed, what is chosen, and who takes keys. */
import type { Signal } from "@preact/signals";

/** What the field and the list know of each other. */
export interface PaletteField {
  readonly text: Signal<string>;
  /** What somebody walked to in the list; nothing is, as soon as something else is typed. */
  readonly chosen: Signal<string | undefined>;
  /** The id of the element of the list that is chosen. */
  readonly active: Signal<string | undefined>;
  /** What the list does with a key. */
  readonly onKey: { current: ((event: KeyboardEvent) => void) | undefined };
}
