/** Actions on the runs that are selected: asked first where something ends, and deleted after a time to think again. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Workflow } from "../../lib/api/mod.ts";
import { Refusal } from "../api/refusal.ts";
import type { RunQuery, Source } from "../api/source.ts";
import { useApp } from "../app.ts";
import { BulkBar } from "../components/bulk_bar.tsx";
import { Dialog } from "../components/dialog.tsx";
import {
  ASKED_FIRST,
  BULK_WORDS,
  type BulkVerb,
  chosenRuns,
  inTurns,
  meantBy,
  MOST_SELECTED,
  type Outcome,
  summaryOf,
} from "../model/bulk.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
import { keyOf } from "../model/run_list.ts";
import { progressOf } from "../model/progress.ts";
import { unsettled } from "../settled.ts";

/** The time in which a delete can be taken back; closing the page takes it back, too. */
const UNDO_MILLIS = 8000;
/** Runs that are acted on at a time: the browser has six connections for all that the page asks. */
const AT_A_TIME = 5;
/** Runs that are asked for at a time where all of a filter are selected. */
const WINDOW = 500;

interface Pending {
  readonly runs: readonly Workflow[];
  readonly timer: ReturnType<typeof setTimeout>;
}

interface Props {
  readonly rows: readonly Workflow[];
  /** The number of runs that the filter means, shown or not. */
  readonly total: number;
  readonly query: RunQuery;
  readonly selected: Signal<ReadonlySet<string>>;
}

/** The bar, its dialog, and what came of the last action. */
export function BulkActions({ rows, total, query, selected }: Props) {
  const { source } = useApp();
  const asked = useSignal<BulkVerb | undefined>(undefined);
  const isBusy = useSignal(false);
  const told = useSignal<ReturnType<typeof summaryOf> | undefined>(undefined);
  const pending = useSignal<Pending | undefined>(undefined);
  useEffect(() => () => clearTimeout(pending.value?.timer), []);
  const progress = useSignal("");
  // Runs that were selected in another window of the list, or through the filter.
  const known = useRef(new Map<string, Workflow>()).current;
  if (selected.value.size === 0) known.clear();
  for (const run of rows) if (selected.value.has(keyOf(run))) known.set(keyOf(run), run);
  const chosen = chosenRuns(selected.value, rows, total, [...known.values()]);
  const meant = Math.min(total, MOST_SELECTED);
  const areAllShown = rows.length > 0 && rows.every((run) => selected.value.has(keyOf(run)));

  async function selectEveryone(): Promise<void> {
    using _waiting = unsettled();
    isBusy.value = true;
    try {
      for (let offset = 0, count = WINDOW; count === WINDOW && offset < MOST_SELECTED; offset += WINDOW) {
        progress.value = `reading ${known.size.toLocaleString("en")} of ${meant.toLocaleString("en")}`;
        const { items } = await source.listRuns(query, { offset, limit: WINDOW });
        for (const run of items) known.set(keyOf(run), run);
        count = items.length;
      }
      selected.value = new Set(known.keys());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      told.value = { text: error.message, refused: [], stillSelected: selected.value };
    } finally {
      progress.value = "";
      isBusy.value = false;
    }
  }

  async function act(verb: BulkVerb, runs: readonly Workflow[]): Promise<void> {
    using _waiting = unsettled();
    isBusy.value = true;
    const tell = (done: number) => progress.value = runs.length > AT_A_TIME ? `${done} of ${runs.length}` : "";
    const outcomes = await inTurns(runs, AT_A_TIME, (run) => actOnOne(source, verb, run), tell);
    isBusy.value = false;
    progress.value = "";
    for (const { run } of outcomes) known.set(keyOf(run), run);
    const summary = summaryOf(verb, outcomes);
    told.value = summary;
    selected.value = summary.stillSelected;
  }

  function choose(verb: BulkVerb): void {
    told.value = undefined;
    if (ASKED_FIRST.has(verb)) asked.value = verb;
    else void act(verb, meantBy(verb, chosen));
  }

  function confirm(verb: BulkVerb): void {
    const runs = meantBy(verb, chosen);
    asked.value = undefined;
    if (verb !== "delete") return void act(verb, runs);
    const timer = setTimeout(() => {
      pending.value = undefined;
      void act("delete", runs);
    }, UNDO_MILLIS);
    pending.value = { runs, timer };
    selected.value = new Set();
  }

  function undo(): void {
    const { value } = pending;
    if (!value) return;
    clearTimeout(value.timer);
    pending.value = undefined;
    for (const run of value.runs) known.set(keyOf(run), run);
    selected.value = new Set(value.runs.map(keyOf));
  }

  return (
    <div class="bulk-place">
      {told.value && (
        <div class="told" role="status">
          <span>{told.value.text}</span>
          {told.value.refused.map(({ run, refusal }) => <p key={keyOf(run)}>{run.metadata.name}: {refusal}</p>)}
          <button type="button" class="button plain" onClick={() => told.value = undefined}>Dismiss</button>
        </div>
      )}
      {pending.value && (
        <div class="told" role="status">
          <span>{runsText(pending.value.runs.length)} will be deleted in a few seconds</span>
          <button type="button" class="button" onClick={undo}>Undo</button>
        </div>
      )}
      {chosen.length > 0 && (
        <BulkBar
          selected={chosen}
          isBusy={isBusy.value}
          doing={progress.value}
          everyone={areAllShown && chosen.length < meant
            ? `Select ${total > MOST_SELECTED ? "the first" : "all"} ${meant.toLocaleString("en")}`
            : undefined}
          onEveryone={() => void selectEveryone()}
          onAct={choose}
          onClear={() => selected.value = new Set()}
        />
      )}
      {asked.value && (
        <Confirm
          verb={asked.value}
          runs={meantBy(asked.value, chosen)}
          onClose={() => asked.value = undefined}
          onConfirm={confirm}
        />
      )}
    </div>
  );
}

interface ConfirmProps {
  readonly verb: BulkVerb;
  readonly runs: readonly Workflow[];
  readonly onClose: () => void;
  readonly onConfirm: (verb: BulkVerb) => void;
}

function Confirm({ verb, runs, onClose, onConfirm }: ConfirmProps) {
  const word = BULK_WORDS[verb].replace("…", "");
  const open = runs.reduce((sum, { status }) => {
    const { done, all } = progressOf(status?.progress);
    return sum + all - done;
  }, 0);
  return (
    <Dialog title={`${word} ${runsText(runs.length)}?`} onClose={onClose}>
      <ul class="names">
        {runs.slice(0, 10).map((run) => <li key={keyOf(run)}>{run.metadata.name}</li>)}
        {runs.length > 10 && <li>and {runs.length - 10} more</li>}
      </ul>
      <p class="muted">{CONSEQUENCES[verb]?.(open)}</p>
      <footer>
        <button type="button" class="button" onClick={onClose}>Keep</button>
        <button type="button" class="button danger" onClick={() => onConfirm(verb)}>
          {word} {runsText(runs.length)}
        </button>
      </footer>
    </Dialog>
  );
}

const CONSEQUENCES: Readonly<Partial<Record<BulkVerb, (open: number) => string>>> = {
  stop: (open) => `Up to ${open} pods end; exit handlers still run.`,
  terminate: (open) => `Up to ${open} pods end at once; exit handlers do not run.`,
  delete: () => "Their pods and logs go with them. For eight seconds you can undo it.",
};

function runsText(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}

async function actOnOne(source: Source, verb: BulkVerb, run: Workflow): Promise<Outcome> {
  const { namespace = "", name = "" } = run.metadata;
  try {
    const { uid = "" } = run.metadata;
    if (isArchivedOnly(run)) {
      if (verb === "delete") await source.deleteArchived(namespace, uid);
      else await source.actOnArchived(namespace, name, uid, { verb });
    } else if (verb === "delete") await source.deleteRun(namespace, name);
    else await source.actOnRun(namespace, name, { verb });
    return { run };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { run, refusal: error.message };
  }
}
