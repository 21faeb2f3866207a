/** The menu of saved views: links, and a field that saves the current view. */
import { useRef } from "preact/hooks";
import * as words from "../model/text/en/after_list.ts";
import { viewsButton } from "../model/text/en/runs_page.ts";
import { Menu } from "./menu.tsx";

interface Props {
  readonly views: readonly { readonly name: string; readonly href: string; readonly isOn: boolean }[];
  readonly onSave: (name: string) => void;
  readonly onRemove: (name: string) => void;
}

export function ViewMenu({ views, onSave, onRemove }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const current = views.find(({ isOn }) => isOn);
  return (
    <Menu button={current ? words.currentButton(current.name) : viewsButton} class="views">
      {views.length > 0 && (
        <ul aria-label={words.viewsLabel}>
          {views.map(({ name, href, isOn }) => (
            <li key={name}>
              <a href={href} aria-current={isOn ? "true" : undefined}>{name}</a>
              <button
                type="button"
                class="button plain"
                aria-label={words.removeButton(name)}
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
          aria-label={words.nameLabel}
          placeholder={words.nameLabel}
          maxLength={60}
          autocomplete="off"
        />
        <button type="submit" class="button">{words.saveButton}</button>
      </form>
      <p class="muted">{words.storageNote}</p>
    </Menu>
  );
}
