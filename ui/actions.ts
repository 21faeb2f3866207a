/** Actions that can be called by name and by key: those of the frame, and those of the current page. */
import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { NamedItem } from "./model/palette.ts";
import { singleKeys } from "./settings.ts";

/** An action of the user. */
export interface Action {
  readonly name: string;
  /** A letter, or two in sequence: `g r`; a blank is the space bar, unless the focused element uses it; or `Escape`. */
  readonly key?: string | undefined;
  /** Whether the action applies. Otherwise it does nothing, and the browser handles its key. */
  readonly isHere?: (() => boolean) | undefined;
  readonly run: () => void;
}

const groups = signal<readonly (readonly Action[])[]>([]);

/** Returns all current actions, those of the page before those of the frame. */
export function allActions(): Action[] {
  return groups.value.toReversed().flat();
}

/** Registers actions while a component is shown; those of the frame come last, whichever were registered first. */
export function useActions(actions: readonly Action[], keys: readonly unknown[], { isFrame = false } = {}): void {
  useLayoutEffect(() => {
    groups.value = isFrame ? [actions, ...groups.value] : [...groups.value, actions];
    return () => {
      groups.value = groups.value.filter((group) => group !== actions);
    };
  }, [...keys]);
}

/** Items of the current page that the palette finds by name: the nodes of a run. */
export interface NamedThings {
  /** Called when something is typed into the palette. */
  list(): readonly NamedItem[];
  open(id: string): void;
}

/** The items of the current page, if any. */
export const namedThings = signal<NamedThings | undefined>(undefined);

/** Registers items while a component is shown; the object must stay the same. */
export function useNamedThings(things: NamedThings): void {
  useLayoutEffect(() => {
    namedThings.value = things;
    return () => {
      namedThings.value = undefined;
    };
  }, []);
}

const SECOND_KEY_MILLIS = 1200;

/** Handles keys, unless the user is typing, a dialog is open, or a modifier of the browser is pressed. */
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

/** Reports whether the space bar activates the focused element. */
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
