/** A menu: a button, and the content that it opens. Escape closes it. */
import type { ComponentChildren } from "preact";

interface Props {
  readonly button: string;
  /** An additional class. */
  readonly class?: string;
  /** Whether a click inside closes it, for menus of actions. */
  readonly closesOnClick?: boolean;
  readonly children: ComponentChildren;
}

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
        // If the click opened a dialog, the dialog returns the focus to the button.
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary class="button">{button}</summary>
      <div class="menu-body">{children}</div>
    </details>
  );
}
