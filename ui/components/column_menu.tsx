/** The menu of columns: each can be shown or hidden, and labels and annotations can be added. */
import { useRef } from "preact/hooks";
import { type ColumnChoice, parseColumnId } from "../model/run_columns.ts";
import * as words from "../model/text/en/after_list.ts";
import { columnsButton } from "../model/text/en/runs_page.ts";
import { Menu } from "./menu.tsx";

interface Props {
  readonly columns: readonly ColumnChoice[];
  readonly isUsual: boolean;
  readonly onColumn: (id: string, isOn: boolean) => void;
  /** Called to restore the default columns. */
  readonly onUsual: () => void;
}

export function ColumnMenu({ columns, isUsual, onColumn, onUsual }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Menu button={columnsButton} class="columns">
      {columns.map(({ id, word, isOn }) => (
        <label key={id} class="toggle">
          <input type="checkbox" checked={isOn} onChange={(event) => onColumn(id, event.currentTarget.checked)} />
          {word}
        </label>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const id = parseColumnId(input.current?.value ?? "");
          if (id === undefined || !input.current) return;
          onColumn(id, true);
          input.current.value = "";
        }}
      >
        <input
          ref={input}
          aria-label={words.keyLabel}
          placeholder={words.keyExample}
          maxLength={328}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" class="button">{words.addButton}</button>
      </form>
      <button type="button" class="button" disabled={isUsual} onClick={onUsual}>{words.resetButton}</button>
    </Menu>
  );
}
