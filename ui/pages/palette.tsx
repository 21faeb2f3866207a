/** The palette: everything that can be done here, and the runs whose names hold what is typed. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { type Action, allActions } from "../actions.ts";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { matching } from "../model/matching.ts";
import { useAnswer } from "./hooks.ts";
import * as words from "../model/text/en/frame.ts";

const MOST_RUNS = 8;

/** The palette, which is open as long as it is there. */
export function Palette({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const text = useSignal("");
  const chosen = useSignal(0);
  const word = text.value.trim();
  // What can be done where the palette was opened: it has the focus itself afterwards.
  const actions = useMemo(() => allActions().filter(({ isHere }) => isHere?.() !== false), []);
  const { answer } = useAnswer(
    async (signal) =>
      word === "" ? [] : (await app.source.listRuns(
        { namespace: "", phases: [], labels: [], name: { match: "Contains", text: word } },
        { offset: 0, limit: MOST_RUNS },
        signal,
      )).items,
    [word],
  );
  const runs = answer.value.kind === "here" ? answer.value.value : [];
  const found: readonly Action[] = [
    ...matching(actions, word, ({ name }) => name),
    ...runs.map(({ metadata }) => ({
      name: `${metadata.namespace} / ${metadata.name}`,
      run: () =>
        app.go({ page: { kind: "run", namespace: metadata.namespace ?? "", name: metadata.name ?? "" }, query: [] }),
    })),
  ];
  const at = Math.min(chosen.value, found.length - 1);
  const act = (action: Action | undefined) => {
    if (!action) return;
    onClose();
    // The palette gives the focus back as it goes; an action may want it for something else.
    setTimeout(action.run);
  };
  return (
    <Dialog title={words.paletteLabel} onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        aria-label={words.paletteLabel}
        autocomplete="off"
        autofocus
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") chosen.value = Math.min(found.length - 1, at + 1);
          else if (event.key === "ArrowUp") chosen.value = Math.max(0, at - 1);
          else if (event.key === "Enter") act(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <ul id="palette-list" class="palette" role="listbox" aria-label={words.foundActionsLabel}>
        {found.map((action, index) => (
          <li
            key={action.name}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at ? "true" : "false"}
            onClick={() => act(action)}
          >
            <span>{action.name}</span>
            {action.key && <kbd>{action.key}</kbd>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="muted">{words.nothingFound}</p>}
    </Dialog>
  );
}
