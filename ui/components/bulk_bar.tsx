/** The toolbar of actions on the selected runs. */
import type { Workflow } from "@tiphys/model/api";
import { MissingRightLines } from "./missing_right_lines.tsx";
import { BULK_NAMES, BULK_VERBS, BULK_WORDS, type BulkVerb, runsForAction } from "../model/bulk.ts";
import * as words from "../model/text/en/after_list.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly selected: readonly Workflow[];
  readonly isBusy: boolean;
  /** The progress of an action on several runs. */
  readonly doing: string;
  /** Describes the missing rights for an action on some runs. */
  readonly lackOf: (verb: BulkVerb, runs: readonly Workflow[]) => string | undefined;
  /** The text of the button that selects all runs of the filter; undefined if all are selected. */
  readonly everyone: string | undefined;
  readonly onEveryone: () => void;
  readonly onAct: (verb: BulkVerb) => void;
  readonly onClear: () => void;
}

export function BulkBar({ selected, isBusy, doing, lackOf, everyone, onEveryone, onAct, onClear }: Props) {
  const offered = BULK_VERBS.map((verb) => {
    const meant = runsForAction(verb, selected);
    return { verb, count: meant.length, lack: lackOf(verb, meant) };
  });
  return (
    <div class="bulk" role="toolbar" aria-label={words.bulkBarLabel}>
      <strong>{shared.selectedRuns(selected.length)}</strong>
      {doing !== "" && <span class="muted number" role="status">{doing}</span>}
      {everyone !== undefined && (
        <button type="button" class="button" disabled={isBusy} onClick={onEveryone}>{everyone}</button>
      )}
      {offered.map(({ verb, count, lack }) => (
        <button
          key={verb}
          type="button"
          class={verb === "delete" || verb === "terminate" ? "button danger" : "button"}
          disabled={isBusy || count === 0 || lack !== undefined}
          title={count === 0 ? words.actionNotApplicable : lack}
          onClick={() => onAct(verb)}
        >
          {BULK_WORDS[verb]}
          {count > 0 && count < selected.length && <span class="number">{count}</span>}
        </button>
      ))}
      <button type="button" class="button plain" onClick={onClear}>{words.clearButton}</button>
      <MissingRightLines texts={Object.fromEntries(offered.map(({ verb, lack }) => [BULK_NAMES[verb], lack]))} />
    </div>
  );
}
