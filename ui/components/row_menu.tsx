/** The menu of a row of the list of runs: its details, its log, and the actions that its phase allows. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { BULK_VERBS, BULK_WORDS, type BulkVerb, runsForAction } from "../model/bulk.ts";
import * as words from "../model/text/en/after_list.ts";

/** A run, and what its menu does. */
export interface RowMenuProps {
  readonly run: Workflow;
  /** The address of the run. */
  readonly href: string;
  readonly onClose: () => void;
  readonly onPeek: () => void;
  readonly onAct: (verb: BulkVerb) => void;
}

/** The menu, next to the button before it. It closes with Escape, with a choice, and when the focus leaves it. */
export function RowMenu({ run, href, onClose, onPeek, onAct }: RowMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const { current } = menu;
    const button = current?.previousElementSibling;
    if (!current || !(button instanceof HTMLElement)) return;
    // The table scrolls sideways and would clip a menu inside it, so the menu is placed on the screen.
    const { right, top, bottom } = button.getBoundingClientRect();
    // On a small screen the navigation is at the bottom.
    const bar = document.querySelector(".nav")?.getBoundingClientRect();
    const end = bar && bar.top > 0 ? bar.top : innerHeight;
    const isBelow = bottom + current.offsetHeight <= end;
    current.style.right = `${document.documentElement.clientWidth - right}px`;
    current.style.top = `${isBelow ? bottom : Math.max(0, top - current.offsetHeight)}px`;
    current.querySelector<HTMLElement>("button, a")?.focus();
    const left = new AbortController();
    addEventListener("scroll", () => close.current(), { signal: left.signal, passive: true });
    addEventListener("pointerdown", ({ target }) => {
      if (target instanceof Node && !current.parentElement?.contains(target)) close.current();
    }, { signal: left.signal });
    return () => left.abort();
  }, []);
  const leave = (back: boolean) => {
    const button = menu.current?.previousElementSibling;
    onClose();
    // A dialog that a choice opens returns the focus to the button.
    if (back && button instanceof HTMLElement) button.focus();
  };
  return (
    <div
      ref={menu}
      class="row-menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        leave(true);
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.parentElement?.contains(relatedTarget)) leave(false);
      }}
      onClick={() => leave(true)}
    >
      <button type="button" class="button plain" onClick={onPeek}>{words.detailsButton}</button>
      <a class="button plain" href={`${href}${href.includes("?") ? "&" : "?"}tab=logs`}>{words.logLink}</a>
      {BULK_VERBS.filter((verb) => runsForAction(verb, [run]).length > 0).map((verb) => (
        <button
          key={verb}
          type="button"
          class={`button plain${verb === "delete" || verb === "terminate" ? " danger" : ""}`}
          onClick={() => onAct(verb)}
        >
          {BULK_WORDS[verb]}
        </button>
      ))}
    </div>
  );
}
