/** The menu of saved views: each as a link, and the field that saves what is shown under a name. */
import { useRef } from "preact/hooks";

interface Props {
  readonly views: readonly { readonly name: string; readonly href: string; readonly isOn: boolean }[];
  readonly onSave: (name: string) => void;
  readonly onRemove: (name: string) => void;
}

/** The menu. */
export function ViewMenu({ views, onSave, onRemove }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const current = views.find(({ isOn }) => isOn);
  return (
    <details
      class="menu views"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.currentTarget.open = false;
        event.stopPropagation();
      }}
    >
      <summary class="button">{current ? `View: ${current.name}` : "Views"}</summary>
      <div class="menu-body">
        {views.length > 0 && (
          <ul aria-label="Saved views">
            {views.map(({ name, href, isOn }) => (
              <li key={name}>
                <a href={href} aria-current={isOn ? "true" : undefined}>{name}</a>
                <button
                  type="button"
                  class="button plain"
                  aria-label={`Remove the view ${name}`}
                  onClick={() => onRemove(name)}
                >
                  ✕
                </button>
              </li>
            ))}
          </ul>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!input.current?.value.trim()) return;
            onSave(input.current.value);
            input.current.value = "";
          }}
        >
          <input
            ref={input}
            aria-label="Name of this view"
            placeholder="Name of this view"
            maxLength={60}
            autocomplete="off"
          />
          <button type="submit" class="button">Save</button>
        </form>
        <p class="muted">Views stay in this browser; each is an address that can be handed on.</p>
      </div>
    </details>
  );
}
