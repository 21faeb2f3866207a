/** The table of runs: a row each, which can be selected, with how far it came and what it says. */
import { useMemo, useRef } from "preact/hooks";
import type { Workflow } from "../../lib/api/mod.ts";
import type { ColumnSetting } from "../api/source.ts";
import { agoText, durationText, elapsed } from "../model/duration.ts";
import { lookOfRun } from "../model/phase.ts";
import { progressOf } from "../model/progress.ts";
import { keyOf } from "../model/run_list.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
import { PhaseGlyph } from "./glyph.tsx";

interface Props {
  readonly runs: readonly Workflow[];
  readonly now: number;
  readonly selected: ReadonlySet<string>;
  /** Whether runs of several namespaces may stand here. */
  readonly withNamespace: boolean;
  /** Columns of the installation. */
  readonly columns: readonly ColumnSetting[];
  readonly onPeek: (run: Workflow) => void;
  readonly onLabel: (label: string) => void;
  readonly hrefOf: (run: Workflow) => string;
  readonly onSelect: (keys: readonly string[], isSelected: boolean) => void;
}

/** The annotation by which a run has a title of its own. */
const TITLE = "workflows.argoproj.io/title";

/** The table. */
export function RunTable({ runs, now, selected, withNamespace, columns, hrefOf, onSelect, onPeek, onLabel }: Props) {
  const acts = useRef<Acts>({ onSelect, onPeek, onLabel });
  acts.current = { onSelect, onPeek, onLabel };
  const areAll = runs.length > 0 && runs.every((run) => selected.has(keyOf(run)));
  return (
    <table class="runs">
      <thead>
        <tr>
          <th class="tick">
            <input
              type="checkbox"
              aria-label="Select all rows"
              checked={areAll}
              onChange={(event) => onSelect(runs.map(keyOf), event.currentTarget.checked)}
            />
          </th>
          <th>Name</th>
          {withNamespace && <th>Namespace</th>}
          <th>Progress</th>
          <th>Duration</th>
          <th>Started</th>
          {columns.map(({ name }) => <th key={name}>{name}</th>)}
          <th>Message</th>
          <th class="tick">
            <span class="hidden">More</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row
            key={keyOf(run)}
            run={run}
            now={now}
            columns={columns}
            isSelected={selected.has(keyOf(run))}
            withNamespace={withNamespace}
            href={hrefOf(run)}
            acts={acts}
          />
        ))}
      </tbody>
    </table>
  );
}

type Acts = Pick<Props, "onPeek" | "onLabel" | "onSelect">;

interface RowProps extends Pick<Props, "now" | "withNamespace" | "columns"> {
  readonly run: Workflow;
  readonly isSelected: boolean;
  readonly href: string;
  /** The newest ways to act, which a row that did not change finds here. */
  readonly acts: { readonly current: Acts };
}

/** A row. Of many runs that change all the time each row is made anew for its own changes only. */
function Row({ run, now, isSelected, withNamespace, columns, href, acts }: RowProps) {
  const { status = {} } = run;
  const took = elapsed(status.startedAt, status.finishedAt, now);
  const duration = took === undefined ? "" : durationText(Math.floor(took / 1000) * 1000);
  const ago = agoText(status.startedAt, now);
  return useMemo(cells, [run, duration, ago, isSelected, withNamespace, columns, href]);

  function cells() {
    const { metadata } = run;
    const look = lookOfRun(run);
    return (
      <tr data-run={metadata.name} aria-selected={isSelected ? "true" : undefined}>
        <td class="tick">
          <input
            type="checkbox"
            aria-label={`Select ${metadata.name}`}
            checked={isSelected}
            onChange={(event) => acts.current.onSelect([keyOf(run)], event.currentTarget.checked)}
          />
        </td>
        <td class="name">
          <PhaseGlyph look={look} />
          <a href={href}>{metadata.annotations?.[TITLE] ?? metadata.name}</a>
          {isArchivedOnly(run) && <span class="badge">archived</span>}
        </td>
        {withNamespace && <td class="muted">{metadata.namespace}</td>}
        <td class="progress">
          <Progress text={status.progress} family={look.family} />
        </td>
        <td class="number">{duration}</td>
        <td class="muted" title={status.startedAt}>{ago}</td>
        {columns.map(({ name, type, key }) => {
          const value = (type === "label" ? metadata.labels : metadata.annotations)?.[key];
          return (
            <td key={name}>
              {value !== undefined && type === "label"
                ? (
                  <button type="button" class="label" onClick={() => acts.current.onLabel(`${key}=${value}`)}>
                    {value}
                  </button>
                )
                : value}
            </td>
          );
        })}
        <td class="message" title={status.message}>{status.message?.slice(0, 180)}</td>
        <td class="tick">
          <button
            type="button"
            class="button plain"
            aria-label={`More about ${metadata.name}`}
            onClick={() => acts.current.onPeek(run)}
          >
            ⋯
          </button>
        </td>
      </tr>
    );
  }
}

function Progress({ text, family }: { text: string | undefined; family: string }) {
  const { done, all } = progressOf(text);
  if (all === 0) return null;
  return (
    <span class="bar-with-count">
      <progress class={`bar bar-${family}`} max={all} value={done} aria-label={`${done} of ${all} nodes`} />
      <span class="number muted">{done}/{all}</span>
    </span>
  );
}
