/** A menu: a button, and what it opens below itself. Escape closes it. */
import type { ComponentChildren } from "preact";

interface Props {
  readonly button: string;
  /** Another class. */
  readonly class?: string;
  /** Whether a click in it closes it: for menus of actions. */
  readonly closesOnClick?: boolean;
  readonly children: ComponentChildren;
}

/** The menu. */
export function Menu({ button, class: own = "", closesOnClick = false, children }: Props) {
  return (
    <details
      class={`menu ${own}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
        event.stopPropagation();
      }}
      onClick={(event) => {
        const isInside = (event.target as Element).closest(".menu-body") !== null;
        if (!closesOnClick || !isInside) return;
        event.currentTarget.open = false;
        // A dialog that the click opens returns the focus to where it was.
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary class="button">{button}</summary>
      <div class="menu-body">{children}</div>
    </details>
  );
}
