/** Actions on the selected runs: some need confirmation, and deletions can be undone for some seconds. */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { Refusal } from "../api/refusal.ts";
import type { RunQuery, Source } from "../api/source.ts";
import { useApp } from "../app.ts";
import { BulkBar } from "../components/bulk_bar.tsx";
import { Dialog } from "../components/dialog.tsx";
import { UNDO_MILLIS, UndoBar } from "../components/undo_bar.tsx";
import {
  type BulkVerb,
  type ConfirmedVerb,
  mapConcurrently,
  MAX_SELECTED,
  needsConfirmation,
  type Outcome,
  runsForAction,
  selectedRuns,
  selectionAfter,
  type Summary,
  summaryOf,
  type UndoAction,
  undoActionOf,
} from "../model/bulk.ts";
import { isArchived, isArchivedOnly } from "../model/run/archived.ts";
import type { BulkPlanResult } from "../model/run/bulk_plan.ts";
import { needsAnswer, resumeRun, waitingSteps } from "../model/run/resume_run.ts";
import { keyOf, type RunRows } from "../model/run_list.ts";
import { progressOf } from "../model/progress.ts";
import { ACTION_NAMES, type ActionsInProgress } from "../model/actions_in_progress.ts";
import { trackPending } from "../settled.ts";
import { lazy } from "./lazy.tsx";
import { useMissingRightsOfMany } from "./use_missing_rights.ts";
import * as words from "../model/text/en/after_list.ts";
import * as shared from "../model/text/en/shared.ts";

const BulkPlan = lazy(async () => (await import("./bulk_plan.tsx")).BulkPlan);

/**
 * The maximum number of runs that are changed at a time: the browser has six connections for all requests of the page.
 */
const AT_A_TIME = 5;
/** The maximum number of runs that are requested at a time to select all runs of a filter. */
const WINDOW = 500;

interface Pending {
  readonly runs: readonly Workflow[];
  /** Whether archived copies are deleted too. */
  readonly withArchive: boolean;
  readonly timer: ReturnType<typeof setTimeout>;
  /** Aborted if these runs must not be selected again. */
  readonly selection: AbortSignal;
}

interface Props {
  readonly shown: RunRows;
  readonly query: RunQuery;
  readonly selected: Signal<ReadonlySet<string>>;
  /** The last known state of the selected runs, including those selected on other pages or through the filter. */
  readonly knownRuns: RefObject<ReadonlyMap<string, Workflow>>;
  /** Actions in progress, which rows show immediately. */
  readonly acting: Signal<ActionsInProgress>;
  /** Called after archived runs were changed, which no stream reports. */
  readonly onArchiveChanged: () => void;
  /** The action that the menu of a row requests. */
  readonly requested: Signal<RowRequest | undefined>;
}

/** An action on one run, from the menu of its row. */
export interface RowRequest {
  readonly verb: BulkVerb;
  readonly run: Workflow;
}

/** The result of an action. */
interface ActionResult extends Summary {
  readonly takeBack?: UndoAction | undefined;
}

/** The toolbar, its dialog, and the result of the last action. */
export function BulkActions({ shown, query, selected, knownRuns, acting, onArchiveChanged, requested }: Props) {
  const { source } = useApp();
  const { rows, total } = shown;
  const asked = useSignal<{ readonly verb: ConfirmedVerb; readonly runs: readonly Workflow[] } | undefined>(undefined);
  const underWay = useSignal(0);
  const told = useSignal<ActionResult | undefined>(undefined);
  const pending = useSignal<Pending | undefined>(undefined);
  useEffect(() => () => clearTimeout(pending.value?.timer), []);
  const progress = useSignal("");
  // Aborted when the filter changes or "Clear" is pressed: pending results then select nothing.
  const meaning = useRef(new AbortController());
  const forget = () => {
    meaning.current.abort();
    meaning.current = new AbortController();
  };
  useEffect(() => forget, [JSON.stringify(query)]);
  // Runs after the next frame: runs selected since this rendering are not known yet, and must not be dropped.
  const gone = [...selected.value].filter((key) => !knownRuns.current.has(key));
  useEffect(() => {
    if (gone.length > 0) selected.value = new Set(selected.value).difference(new Set(gone));
  });
  const chosen = selectedRuns(selected.value, rows, total, [...knownRuns.current.values()]);
  const lackOf = useMissingRightsOfMany(chosen);
  const meant = Math.min(total, MAX_SELECTED);
  const areAllShown = rows.length > 0 && rows.every((run) => selected.value.has(keyOf(run)));

  useEffect(() => {
    const { value } = requested;
    if (!value) return;
    requested.value = undefined;
    startAction(value.verb, [value.run]);
  }, [requested.value]);

  async function selectAllMatches(): Promise<void> {
    using _waiting = trackPending();
    const { signal } = meaning.current;
    const found = new Map<string, Workflow>();
    underWay.value++;
    try {
      for (let offset = 0, count = WINDOW; count === WINDOW && offset < MAX_SELECTED; offset += WINDOW) {
        progress.value = words.readingRuns(found.size, meant);
        const { items } = await source.listRuns(query, { offset, limit: WINDOW }, signal);
        for (const run of items) found.set(keyOf(run), run);
        count = items.length;
      }
      if (signal.aborted) return;
      knownRuns.current = found;
      selected.value = new Set(found.keys());
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      told.value = { text: error.message, refused: [], others: 0 };
    } finally {
      progress.value = "";
      underWay.value--;
    }
  }

  async function performAction(
    verb: BulkVerb,
    runs: readonly Workflow[],
    { selection = meaning.current.signal, planned = UNPLANNED, canUndo = true, withArchive = false }: {
      readonly selection?: AbortSignal;
      readonly planned?: BulkPlanResult;
      readonly canUndo?: boolean;
      readonly withArchive?: boolean;
    } = {},
  ): Promise<void> {
    using _waiting = trackPending();
    underWay.value++;
    const tell = (done: number) =>
      progress.value = runs.length > AT_A_TIME ? words.progressText(done, runs.length) : "";
    // Only visible rows show the action; ten thousand runs may be selected.
    const begun = new Set(runs.map(keyOf)).intersection(new Set(rows.map(keyOf)));
    acting.value = new Map([...acting.value, ...[...begun].map((key) => [key, { word: ACTION_NAMES[verb] }] as const)]);
    const outcomes = await mapConcurrently(
      runs,
      AT_A_TIME,
      async (run) => {
        const refusal = planned.unknown.get(keyOf(run));
        const outcome = refusal === undefined
          ? await actOnOne(source, verb, run, {
            resourceVersion: planned.versions.get(keyOf(run)),
            withArchive,
            isUndo: !canUndo,
          })
          : { run, refusal };
        announceResult(verb, outcome);
        return outcome;
      },
      tell,
    );
    underWay.value--;
    progress.value = "";
    told.value = { ...summaryOf(verb, outcomes), takeBack: canUndo ? undoActionOf(verb, outcomes) : undefined };
    if (outcomes.some(({ run, refusal }) => refusal === undefined && isArchivedOnly(run))) onArchiveChanged();
    if (selection.aborted) return;
    const refused = outcomes.flatMap(({ run, refusal }) => refusal === undefined ? [] : [run]);
    rememberRefusals(refused);
    selected.value = selectionAfter(selected.value, outcomes);
  }

  /**
   * Announces the result. The marker of an action disappears if it is refused, else when the run arrives in its new
   * state.
   */
  function announceResult(verb: BulkVerb, { run, refusal, version }: Outcome): void {
    const next = new Map(acting.value);
    const key = keyOf(run);
    if (!next.has(key)) return;
    if (refusal === undefined && verb === "delete" && !isArchivedOnly(run)) return;
    if (refusal !== undefined || version === undefined) next.delete(key);
    else next.set(key, { word: ACTION_NAMES[verb], until: version });
    acting.value = next;
  }

  /** Stores runs that will be selected although they may not be visible. */
  function rememberRefusals(runs: readonly Workflow[]): void {
    knownRuns.current = new Map([...runs.map((run) => [keyOf(run), run] as const), ...knownRuns.current]);
  }

  function startAction(verb: BulkVerb, of: readonly Workflow[]): void {
    told.value = undefined;
    const runs = runsForAction(verb, of);
    if (needsConfirmation(verb)) asked.value = { verb, runs };
    else void performAction(verb, runs);
  }

  function confirm(planned: BulkPlanResult, withArchive: boolean): void {
    if (!asked.value) return;
    const { verb, runs } = asked.value;
    asked.value = undefined;
    if (verb !== "delete") return void performAction(verb, runs, { planned });
    const { signal: selection } = meaning.current;
    const timer = setTimeout(() => {
      pending.value = undefined;
      void performAction("delete", runs, { selection, withArchive });
    }, UNDO_MILLIS);
    pending.value = { runs, withArchive, timer, selection };
    selected.value = new Set();
  }

  function undo(): void {
    const { value } = pending;
    if (!value) return;
    clearTimeout(value.timer);
    pending.value = undefined;
    if (value.selection.aborted) return;
    rememberRefusals(value.runs);
    selected.value = new Set(value.runs.map(keyOf));
  }

  return (
    <div class="bulk-place">
      {told.value && (
        <div class="told">
          <span role="status">{told.value.text}</span>
          {told.value.refused.map(({ words: reason, names, more }) => (
            <p key={reason}>{words.refusedRuns(names, more, reason)}</p>
          ))}
          {told.value.others > 0 && <p>{words.refusedOtherwise(told.value.others)}</p>}
          {told.value.takeBack && (
            <button
              type="button"
              class="button"
              onClick={() => {
                const { verb, runs } = told.value!.takeBack!;
                told.value = undefined;
                void performAction(verb, runs, { canUndo: false });
              }}
            >
              {shared.undoButton}
            </button>
          )}
          <button type="button" class="button plain" onClick={() => told.value = undefined}>
            {shared.dismissButton}
          </button>
        </div>
      )}
      {pending.value && (
        <UndoBar
          text={(pending.value.withArchive ? words.willBeDeletedWhole : words.willBeDeleted)(pending.value.runs.length)}
          onUndo={undo}
        />
      )}
      {chosen.length > 0 && (
        <BulkBar
          selected={chosen}
          isBusy={underWay.value > 0}
          doing={progress.value}
          lackOf={lackOf}
          everyone={areAllShown && chosen.length < meant
            ? (total > MAX_SELECTED ? words.selectFirstButton : words.selectAllButton)(meant)
            : undefined}
          onEveryone={() => void selectAllMatches()}
          onAct={(verb) => startAction(verb, chosen)}
          onClear={() => {
            forget();
            selected.value = new Set();
          }}
        />
      )}
      {asked.value && (
        <Confirm
          {...asked.value}
          onClose={() => asked.value = undefined}
          onConfirm={confirm}
        />
      )}
    </div>
  );
}

interface ConfirmProps {
  readonly verb: ConfirmedVerb;
  readonly runs: readonly Workflow[];
  readonly onClose: () => void;
  readonly onConfirm: (planned: BulkPlanResult, withArchive: boolean) => void;
}

/** Actions without a plan. */
const UNPLANNED: BulkPlanResult = { versions: new Map(), unknown: new Map() };

function Confirm({ verb, runs, onClose, onConfirm }: ConfirmProps) {
  const open = runs.reduce((sum, { status }) => {
    const { done, all } = progressOf(status?.progress);
    return sum + all - done;
  }, 0);
  const planned = useSignal<BulkPlanResult | undefined>(verb === "retry" ? undefined : UNPLANNED);
  // Reset for each dialog, so that deleting copies once does not apply to later deletions.
  const withArchive = useSignal(false);
  const copies = verb === "delete" ? runs.filter((run) => isArchived(run) && !isArchivedOnly(run)).length : 0;
  const meant = runs.length - (planned.value?.unknown.size ?? 0);
  const endsSomething = verb !== "retry" && verb !== "resubmit" && verb !== "resume";
  return (
    <Dialog title={words.confirmTitle(ACTIONS[verb](runs.length))} onClose={onClose}>
      {verb === "retry" ? <BulkPlan runs={runs} onPlanned={(made) => planned.value = made} /> : (
        <ul class="names">
          {runs.slice(0, 10).map((run) => <li key={keyOf(run)}>{run.metadata.name}</li>)}
          {runs.length > 10 && <li>{shared.andMore(runs.length - 10)}</li>}
        </ul>
      )}
      <p class="muted">{CONSEQUENCES[verb]?.(open)}</p>
      {copies > 0 && (
        <label class="choice">
          <input
            type="checkbox"
            checked={withArchive.value}
            onChange={(event) => withArchive.value = event.currentTarget.checked}
          />
          {words.alsoArchivedField(copies)}
        </label>
      )}
      <footer>
        <button type="button" class="button" onClick={onClose}>{shared.cancelButton}</button>
        <button
          type="button"
          class={`button ${endsSomething ? "danger" : "primary"}`}
          disabled={planned.value === undefined}
          onClick={() => planned.value && onConfirm(planned.value, withArchive.value)}
        >
          {ACTIONS[verb](meant)}
        </button>
      </footer>
    </Dialog>
  );
}

const ACTIONS: Readonly<Record<ConfirmedVerb, (runs: number) => string>> = {
  retry: words.retryRuns,
  resubmit: words.resubmitRuns,
  resume: words.resumeRuns,
  stop: words.stopRuns,
  terminate: words.terminateRuns,
  delete: words.deleteRuns,
};

const CONSEQUENCES: Readonly<Partial<Record<ConfirmedVerb, (open: number) => string>>> = {
  resubmit: () => words.resubmitConsequence,
  resume: () => words.resumeConsequence,
  stop: words.stopConsequence,
  terminate: words.terminateConsequence,
  delete: () => words.deleteConsequence,
};

async function actOnOne(
  source: Source,
  verb: BulkVerb,
  run: Workflow,
  { resourceVersion, withArchive, isUndo }: {
    readonly resourceVersion: string | undefined;
    readonly withArchive: boolean;
    readonly isUndo: boolean;
  },
): Promise<Outcome> {
  const { namespace = "", name = "" } = run.metadata;
  try {
    const { uid = "" } = run.metadata;
    if (isArchivedOnly(run)) {
      if (verb === "delete") await source.deleteArchived(namespace, uid);
      else await source.actOnArchived(namespace, name, uid, { verb });
    } else if (verb === "delete") {
      await source.deleteRun(namespace, name, uid);
      if (withArchive && isArchived(run)) await source.deleteArchived(namespace, uid);
    } else if (verb === "resume") {
      return await resumeOne(source, run, isUndo);
    } else {
      const { metadata } = await source.actOnRun(
        namespace,
        name,
        verb === "retry" ? { verb, resourceVersion } : { verb },
      );
      return { run, version: verb === "resubmit" ? undefined : metadata.resourceVersion };
    }
    return { run };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { run, refusal: error.message };
  }
}

/**
 * Resumes a run unless a step needs a value. As an undo it passes no waiting step. Lists have no nodes, so the run is
 * read first.
 */
async function resumeOne(source: Source, run: Workflow, isUndo: boolean): Promise<Outcome> {
  const { namespace = "", name = "" } = run.metadata;
  const whole = await source.getRun(namespace, name);
  const steps = waitingSteps(whole);
  if (steps.some(needsAnswer)) return { run, refusal: words.needsAnswer };
  if (isUndo && steps.length > 0) return { run, refusal: words.hasWaitingStep };
  let { resourceVersion: version } = whole.metadata;
  for (const action of resumeRun(whole, new Map(steps.map(({ id }) => [id, {}])))) {
    version = (await source.actOnRun(namespace, name, action)).metadata.resourceVersion;
  }
  return { run, version };
}
