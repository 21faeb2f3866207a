/** Actions that can be called by name and by key: those of the frame, and those of the page that is shown. */
import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Named } from "./model/palette.ts";
import { singleKeys } from "./settings.ts";

/** Something that a person can do here. */
export interface Action {
  readonly name: string;
  /** A letter, or two in a row: `g r`; a blank is the space bar, where that belongs to nothing else; or `Escape`. */
  readonly key?: string | undefined;
  /** Whether there is what it is about; it does nothing else, and its key belongs to the browser. */
  readonly isHere?: (() => boolean) | undefined;
  readonly run: () => void;
}

const groups = signal<readonly (readonly Action[])[]>([]);

/** All actions that there are now, those of the page that is shown before those of the frame. */
export function allActions(): Action[] {
  return groups.value.toReversed().flat();
}

/** Offers actions as long as a component is shown; those of the frame stand behind all others, whichever came first. */
export function useActions(actions: readonly Action[], keys: readonly unknown[], { isFrame = false } = {}): void {
  useLayoutEffect(() => {
    groups.value = isFrame ? [actions, ...groups.value] : [...groups.value, actions];
    return () => {
      groups.value = groups.value.filter((one) => one !== actions);
    };
  }, [...keys]);
}

/** The things of the page that is shown which the palette finds by their names: the nodes of a run. */
export interface NamedThings {
  /** Read when the palette is opened and something is typed. */
  list(): readonly Named[];
  open(id: string): void;
}

/** The things of the page that is shown; undefined where it has none. */
export const namedThings = signal<NamedThings | undefined>(undefined);

/** Offers things as long as a component is shown; they stay the same ones. */
export function useNamedThings(things: NamedThings): void {
  useLayoutEffect(() => {
    namedThings.value = things;
    return () => {
      namedThings.value = undefined;
    };
  }, []);
}

const SECOND_KEY_MILLIS = 1200;

/** Listens to keys: one acts unless somebody types, a dialog is open, or a key is held that belongs to the browser. */
export function startKeys(): void {
  let first = "";
  let firstAt = 0;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key.length === 1 ? !singleKeys.value : event.key !== "Escape") return;
    if (isTyping(event)) return;
    if (event.key === " " && takesSpace(event)) return;
    const now = performance.now();
    const pair = now - firstAt < SECOND_KEY_MILLIS ? `${first} ${event.key}` : "";
    const actions = allActions();
    const action = actions.find(({ key }) => key === pair) ?? actions.find(({ key }) => key === event.key);
    first = event.key;
    firstAt = now;
    if (!action || action.isHere?.() === false) return;
    event.preventDefault();
    first = "";
    action.run();
  });
}

/** Whether the element that has the focus is pressed by the space bar. */
function takesSpace(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof Element && target.closest("button, input, summary, [tabindex]:not(main)") !== null;
}

function isTyping(event: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]")) return true;
  const target = event.composedPath()[0];
  return target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));
}
