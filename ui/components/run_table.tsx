/** The table of runs: a row each, which can be selected, with how far it came and what it says. */
import type { Workflow } from "../../lib/api/mod.ts";
import { agoText, durationText, elapsed } from "../model/duration.ts";
import { lookOfRun } from "../model/phase.ts";
import { progressOf } from "../model/progress.ts";
import { keyOf } from "../model/run_list.ts";
import { PhaseGlyph } from "./glyph.tsx";

interface Props {
  readonly runs: readonly Workflow[];
  readonly now: number;
  readonly selected: ReadonlySet<string>;
  /** Whether runs of several namespaces may stand here. */
  readonly withNamespace: boolean;
  readonly hrefOf: (run: Workflow) => string;
  readonly onSelect: (keys: readonly string[], isSelected: boolean) => void;
}

/** The table. */
export function RunTable({ runs, now, selected, withNamespace, hrefOf, onSelect }: Props) {
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
          <th>Message</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row
            key={keyOf(run)}
            run={run}
            now={now}
            isSelected={selected.has(keyOf(run))}
            withNamespace={withNamespace}
            href={hrefOf(run)}
            onSelect={onSelect}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<Props, "now" | "withNamespace" | "onSelect"> {
  readonly run: Workflow;
  readonly isSelected: boolean;
  readonly href: string;
}

function Row({ run, now, isSelected, withNamespace, href, onSelect }: RowProps) {
  const { metadata, status = {} } = run;
  const look = lookOfRun(run);
  const took = elapsed(status.startedAt, status.finishedAt, now);
  return (
    <tr data-run={metadata.name} aria-selected={isSelected ? "true" : undefined}>
      <td class="tick">
        <input
          type="checkbox"
          aria-label={`Select ${metadata.name}`}
          checked={isSelected}
          onChange={(event) => onSelect([keyOf(run)], event.currentTarget.checked)}
        />
      </td>
      <td class="name">
        <PhaseGlyph look={look} />
        <a href={href}>{metadata.name}</a>
      </td>
      {withNamespace && <td class="muted">{metadata.namespace}</td>}
      <td class="progress">
        <Progress text={status.progress} family={look.family} />
      </td>
      <td class="number">{took === undefined ? "" : durationText(Math.floor(took / 1000) * 1000)}</td>
      <td class="muted" title={status.startedAt}>{agoText(status.startedAt, now)}</td>
      <td class="message" title={status.message}>{status.message?.slice(0, 180)}</td>
    </tr>
  );
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
