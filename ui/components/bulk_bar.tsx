/** The bar of actions on the runs that are selected. */
import type { Workflow } from "../../lib/api/mod.ts";
import { BULK_VERBS, BULK_WORDS, type BulkVerb, meantBy } from "../model/bulk.ts";

interface Props {
  readonly selected: readonly Workflow[];
  readonly isBusy: boolean;
  /** How far an action on many came. */
  readonly doing: string;
  /** The words of the button that selects every run of the filter; undefined where all that are meant are selected. */
  readonly everyone: string | undefined;
  readonly onEveryone: () => void;
  readonly onAct: (verb: BulkVerb) => void;
  readonly onClear: () => void;
}

/** The bar. */
export function BulkBar({ selected, isBusy, doing, everyone, onEveryone, onAct, onClear }: Props) {
  return (
    <div class="bulk" role="toolbar" aria-label="Actions on the selected runs">
      <strong>{selected.length.toLocaleString("en")} selected</strong>
      {doing !== "" && <span class="muted number" role="status">{doing}</span>}
      {everyone !== undefined && (
        <button type="button" class="button" disabled={isBusy} onClick={onEveryone}>{everyone}</button>
      )}
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
