/** The menu that filters and groups the parts of a graph. */
import { useMemo, useState } from "preact/hooks";
import type { Part } from "../../model/graph/part.ts";
import {
  type GraphShape,
  isFiltered,
  isUnchanged,
  SHAPE_FILTERS,
  type ShapeFilter,
  UNCHANGED_SHAPE,
} from "../../model/graph/graph_shape.ts";
import { offeredFilterWords, wordsOfFilter } from "../../model/graph/shape.ts";
import { grouped } from "../../model/text/en.ts";
import * as words from "../../model/text/en/graph.ts";

interface Props {
  /** The graph with all its parts. */
  readonly whole: Part;
  readonly shape: GraphShape;
  /** Whether it filters rows, which have no artifacts and groups. */
  readonly filtersRows?: boolean;
  readonly onShape: (shape: GraphShape) => void;
}

const TITLES: Readonly<Record<ShapeFilter, string>> = {
  phases: words.phasesHeading,
  types: words.typesHeading,
  templates: words.templatesHeading,
};

const FILTERS: Readonly<Record<ShapeFilter, string>> = {
  phases: words.phasesFilter,
  types: words.typesFilter,
  templates: words.templatesFilter,
};

/** The maximum number of values of a filter that are offered. */
const MAX_WORDS = 100;

/** The menu; its values are counted while it is open. */
export function PartsMenu(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="menu graph-menu"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.currentTarget.open = false;
        event.stopPropagation();
      }}
    >
      <summary class="button">{words.partsButton}</summary>
      <div class="menu-body" tabIndex={-1}>{isOpen && <GraphMenu {...props} />}</div>
    </details>
  );
}

/** The content of the menu. */
function GraphMenu({ whole, shape, filtersRows: ofRows = false, onShape }: Props) {
  return (
    <>
      {!ofRows && (
        <>
          <label class="toggle">
            <input
              type="checkbox"
              checked={shape.withArtifacts}
              onChange={(event) => onShape({ ...shape, withArtifacts: event.currentTarget.checked })}
            />
            {words.artifactsChoice}
          </label>
          <label class="toggle">
            <input
              type="checkbox"
              checked={shape.isGrouped}
              onChange={(event) => onShape({ ...shape, isGrouped: event.currentTarget.checked })}
            />
            {words.groupsChoice}
          </label>
        </>
      )}
      {SHAPE_FILTERS.map((filter) => (
        <Words key={filter} filter={filter} whole={whole} shape={shape} onShape={onShape} />
      ))}
      <button
        type="button"
        class="button quiet"
        disabled={isUnchanged(shape)}
        onClick={() =>
          onShape(UNCHANGED_SHAPE)}
      >
        {words.allButton}
      </button>
    </>
  );
}

function Words({ filter, whole, shape, onShape }: Props & { readonly filter: ShapeFilter }) {
  const chosen = shape[filter];
  // Cached, so that a large graph is not counted every second.
  const all = useMemo(() => wordsOfFilter(whole, filter), [whole, filter]);
  const offered = offeredFilterWords(all, chosen, MAX_WORDS);
  if (offered.length === 0) return null;
  return (
    <fieldset class="words-choice">
      <legend>{TITLES[filter]}</legend>
      {offered.map(({ word, count }) => (
        <label key={word} class="toggle">
          <input
            type="checkbox"
            checked={chosen.includes(word)}
            onChange={(event) =>
              onShape({
                ...shape,
                [filter]: event.currentTarget.checked
                  ? [...chosen, word]
                  : chosen.filter((candidate) => candidate !== word),
              })}
          />
          <span>{word}</span>
          <span class="number muted">{grouped(count)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The active filters of the graph, with links that remove them. */
export function ShapeChips({ shape, hrefOf }: {
  readonly shape: GraphShape;
  readonly hrefOf: (shape: GraphShape) => string;
}) {
  if (!isFiltered(shape)) return null;
  return (
    <ul class="chips graph-chips" aria-label={words.chipsLabel}>
      {shape.text !== "" && (
        <li>
          <a
            class="chip"
            href={hrefOf({ ...shape, text: "" })}
            aria-label={words.removeButton(words.textFilter, shape.text)}
          >
            {words.chip(words.textFilter, shape.text)} <span aria-hidden="true">✕</span>
          </a>
        </li>
      )}
      {SHAPE_FILTERS.filter((filter) => shape[filter].length > 0).map((filter) => (
        <li key={filter}>
          <a
            class="chip"
            href={hrefOf({ ...shape, [filter]: [] })}
            aria-label={words.removeButton(FILTERS[filter], shape[filter].join(", "))}
          >
            {words.chip(FILTERS[filter], shape[filter].join(", "))} <span aria-hidden="true">✕</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
