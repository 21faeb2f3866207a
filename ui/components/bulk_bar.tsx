/** The bar of actions on the runs that are selected. */
import type { Workflow } from "../../lib/api/mod.ts";
import { BULK_VERBS, BULK_WORDS, type BulkVerb, meantBy } from "../model/bulk.ts";

interface Props {
  readonly selected: readonly Workflow[];
  readonly isBusy: boolean;
  readonly onAct: (verb: BulkVerb) => void;
  readonly onClear: () => void;
}

/** The bar. */
export function BulkBar({ selected, isBusy, onAct, onClear }: Props) {
  return (
    <div class="bulk" role="toolbar" aria-label="Actions on the selected runs">
      <strong>{selected.length} selected</strong>
      {BULK_VERBS.map((verb) => {
        const count = meantBy(verb, selected).length;
        return (
          <button
            key={verb}
            type="button"
            class={verb === "delete" || verb === "terminate" ? "button danger" : "button"}
            disabled={isBusy || count === 0}
            title={count === 0 ? "None of the selected runs is in a state for this" : undefined}
            onClick={() => onAct(verb)}
          >
            {BULK_WORDS[verb]}
            {count > 0 && count < selected.length && <span class="number">{count}</span>}
          </button>
        );
      })}
      <button type="button" class="button plain" onClick={onClear}>Clear</button>
    </div>
  );
}
