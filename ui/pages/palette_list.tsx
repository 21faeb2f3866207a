/** The list of the palette: actions of the page, and nodes, runs, templates and schedules by name. */
import { useLayoutEffect, useMemo } from "preact/hooks";
import { type Action, namedThings } from "../actions.ts";
import { useApp } from "../app.ts";
import { filterByLetters } from "../model/filter_by_letters.ts";
import {
  findNames,
  FOUND_KINDS,
  type FoundKind,
  indexNames,
  type NamedItem,
  type NameMatches,
} from "../model/palette.ts";
import { useFoundNames } from "./found_names.ts";
import type { PaletteField } from "./palette_field.ts";
import * as words from "../model/text/en/palette.ts";

/** The maximum number of items of a group that are shown; the rest is counted. */
const MAX_ITEMS = 8;

interface Item extends NamedItem {
  readonly key?: string | undefined;
  readonly run: () => void;
}

const HEADINGS: Readonly<Record<FoundKind, string>> = {
  actions: words.actionsGroup,
  nodes: words.nodesGroup,
  runs: words.runsGroup,
  templates: words.templatesGroup,
  "cluster-templates": words.clusterTemplatesGroup,
  schedules: words.schedulesGroup,
};

interface Props {
  readonly field: PaletteField;
  /** The actions available where the palette was opened. */
  readonly actions: readonly Action[];
  readonly onClose: () => void;
}

export function PaletteList({ field: { text, chosen, active, onKey }, actions, onClose }: Props) {
  const app = useApp();
  const word = text.value.trim();
  const things = useMemo(() => namedThings.peek(), []);
  const nodes = useMemo(() => indexNames(word === "" || !things ? [] : things.list()), [word === ""]);
  const found = useFoundNames(word, MAX_ITEMS);
  const doing = <T extends NamedItem>({ items, more }: NameMatches<T>, run: (item: T) => void): NameMatches<Item> => ({
    items: items.map((item) => ({ ...item, run: () => run(item) })),
    more,
  });
  const byKind: Readonly<Record<FoundKind, NameMatches<Item>>> = {
    actions: {
      items: filterByLetters(actions, word, ({ name }) => name).map((action) => ({ ...action, id: action.name })),
      more: 0,
    },
    nodes: doing(findNames(nodes, word, MAX_ITEMS), ({ id }) => things?.open(id)),
    runs: doing(found.runs, ({ page }) => app.go({ page, query: [] })),
    templates: doing(found.templates, ({ page }) => app.go({ page, query: [] })),
    "cluster-templates": doing(found["cluster-templates"], ({ page }) => app.go({ page, query: [] })),
    schedules: doing(found.schedules, ({ page }) => app.go({ page, query: [] })),
  };
  const groups = FOUND_KINDS.flatMap((kind) => byKind[kind].items.length > 0 ? [{ kind, ...byKind[kind] }] : []);
  const all = groups.flatMap(({ kind, items }) => items.map((item) => ({ item, place: `${kind} ${item.id}` })));
  // The selected item stays selected when results are inserted above it.
  const chosenIndex = Math.max(0, all.findIndex(({ place }) => place === chosen.value));
  useLayoutEffect(() => document.getElementById(`palette-${chosenIndex}`)?.scrollIntoView({ block: "nearest" }), [
    chosenIndex,
  ]);
  const choose = (next: number) => chosen.value = all[next]?.place;
  const act = (item: Item | undefined) => {
    if (!item) return;
    onClose();
    // Runs after the palette has returned the focus, because an action may move it.
    setTimeout(item.run);
  };
  useLayoutEffect(() => {
    active.value = all.length > 0 ? `palette-${chosenIndex}` : undefined;
    onKey.current = (event) => {
      if (event.key === "ArrowDown") choose(Math.min(all.length - 1, chosenIndex + 1));
      else if (event.key === "ArrowUp") choose(Math.max(0, chosenIndex - 1));
      else if (event.key === "Enter") act(all[chosenIndex]?.item);
      else return;
      event.preventDefault();
    };
  });
  return (
    <>
      <div id="palette-list" class="palette" role="listbox" aria-label={words.foundActionsLabel}>
        {groups.map(({ kind, items, more }) => (
          <div key={kind} role="group" aria-labelledby={`palette-${kind}`} data-group={kind}>
            <div id={`palette-${kind}`} class="palette-group" role="presentation">
              {more > 0 ? words.moreOfGroup(HEADINGS[kind], more) : HEADINGS[kind]}
            </div>
            <ul role="presentation">
              {items.map((item) => {
                const index = all.findIndex((candidate) =>
                  candidate.item === item
                );
                return (
                  <Option
                    key={item.id}
                    item={item}
                    index={index}
                    isChosen={index === chosenIndex}
                    onAct={() => act(item)}
                  />
                );
              })}
            </ul>
          </div>
        ))}
      </div>
      {all.length === 0 && <p class="muted">{words.nothingFound}</p>}
    </>
  );
}

interface OptionProps {
  readonly item: Item;
  readonly index: number;
  readonly isChosen: boolean;
  readonly onAct: () => void;
}

function Option({ item: { name, about, key }, index, isChosen, onAct }: OptionProps) {
  return (
    <li id={`palette-${index}`} role="option" aria-selected={isChosen ? "true" : "false"} onClick={onAct}>
      <span>{name}</span>
      {about && <span class="muted">{about}</span>}
      {key && <kbd>{key}</kbd>}
    </li>
  );
}
