/** The table of runs: selectable rows with progress and message. */
import type { Workflow } from "@tiphys/model/api";
import type { RunOrder, RunOrderField } from "@tiphys/model/status";
import { durationText, elapsedMillis, momentText, whenText } from "../model/duration.ts";
import { lookOfRun } from "../model/phase.ts";
import { progressOf } from "../model/progress.ts";
import { columnValue, type RunColumns } from "../model/run_columns.ts";
import { type RowRange, windowOfLoadedRows } from "../model/row_window.ts";
import { keyOf } from "../model/run_list.ts";
import { runMessage } from "../model/run/cause.ts";
import { creatorOf, originsOf } from "../model/run/run_details.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
import { actionInProgressText, type ActionsInProgress } from "../model/actions_in_progress.ts";
import * as words from "../model/text/en/runs_page.ts";
import * as shared from "../model/text/en/shared.ts";
import { Component, type ComponentType } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BulkVerb } from "../model/bulk.ts";
import { PhaseGlyph } from "./glyph.tsx";
import { DescriptionLine } from "./markdown.tsx";
import { TitledName } from "./titled_name.tsx";
import type { RowMenuProps } from "./row_menu.tsx";
import { RowSpacer, SortedHead } from "./table_parts.tsx";
import { useRowWindow } from "./use_row_window.ts";

interface Props {
  readonly runs: readonly Workflow[];
  /** The number of rows before the loaded ones, and in total, for which the table reserves space. */
  readonly offset?: number;
  readonly length?: number;
  /** Called with the range of rows near the screen, whether loaded or not. */
  readonly onWindow?: (window: RowRange) => void;
  readonly now: number;
  readonly selected: ReadonlySet<string>;
  /** Actions that are not yet visible in their runs. */
  readonly acting: ActionsInProgress;
  /** Whether the runs may be of several namespaces. */
  readonly withNamespace: boolean;
  /** The columns; the same object while they are unchanged. */
  readonly columns: RunColumns;
  readonly onPeek: (run: Workflow) => void;
  /** The menu of a row, which loads after the list. */
  readonly RowMenu: ComponentType<RowMenuProps>;
  /** Called for an action from the menu of a row. */
  readonly onAct: (verb: BulkVerb, run: Workflow) => void;
  readonly onLabel: (label: string) => void;
  readonly hrefOf: (run: Workflow) => string;
  /** The order of the rows, and the address of the order of each column. */
  readonly order: RunOrder;
  readonly orderHref: (field: RunOrderField) => string;
  readonly onSelect: (keys: readonly string[], isSelected: boolean) => void;
}

export function RunTable(props: Props) {
  const {
    runs,
    offset = 0,
    length = runs.length,
    onWindow,
    now,
    selected,
    acting,
    withNamespace,
    columns,
    hrefOf,
    onSelect,
  } = props;
  // Rows are not rendered each time, so their callbacks read the latest props.
  const latest = useRef(props);
  latest.current = props;
  const calls = useMemo(() => ({
    onPeek: (run: Workflow) => latest.current.onPeek(run),
    onAct: (verb: BulkVerb, run: Workflow) => latest.current.onAct(verb, run),
    onMenu: (key: string | undefined) => setMenu(key),
    onLabel: (label: string) => latest.current.onLabel(label),
    onSelect: (keys: readonly string[], isSelected: boolean) => latest.current.onSelect(keys, isSelected),
  }), []);
  const [menu, setMenu] = useState<string | undefined>(undefined);
  const areAll = runs.length > 0 && runs.every((run) => selected.has(keyOf(run)));
  const body = useRef<HTMLTableSectionElement>(null);
  const near = useRowWindow(body, length, "tr[data-run]");
  const held = { from: offset, to: offset + runs.length };
  const { from, to, above, below } = runs.length === length ? near : windowOfLoadedRows(length, near, held, near.row);
  useLayoutEffect(() => onWindow?.(near), [near, offset, length]);
  const head = (field: RunOrderField, word: string) => (
    <SortedHead
      kind={field === "name" ? "name" : "time"}
      word={word}
      direction={props.order.field === field ? props.order.isDescending ? "descending" : "ascending" : undefined}
      href={props.orderHref(field)}
    />
  );
  const { usual, values } = columns;
  const isWhole = to - from >= length;
  return (
    <div class="table-room">
      <table class={isWhole ? "runs" : "runs windowed"} aria-rowcount={isWhole ? undefined : length + 1}>
        <thead>
          <tr>
            <th class="tick">
              <input
                type="checkbox"
                aria-label={words.selectAll}
                checked={areAll}
                onChange={(event) => onSelect(runs.map(keyOf), event.currentTarget.checked)}
              />
            </th>
            {head("name", shared.nameField)}
            {withNamespace && <th class="place">{shared.namespaceField}</th>}
            {usual.has("progress") && <th class="progress">{shared.progressField}</th>}
            {usual.has("duration") && head("duration", shared.durationField)}
            {usual.has("started") && head("started", shared.startedField)}
            {usual.has("finished") && head("finished", shared.finishedField)}
            {usual.has("source") && <th class="source">{words.sourceField}</th>}
            {usual.has("creator") && <th class="extra">{words.creatorField}</th>}
            {values.map(({ type, key, name }) => <th key={`${type}:${key}`} class="extra" title={name}>{name}</th>)}
            {usual.has("message") && <th class="message">{shared.messageField}</th>}
            <th class="tick">
              <span class="hidden">{words.moreColumn}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {above > 0 && <RowSpacer key="above" pixels={above} />}
          {runs.slice(from - offset, to - offset).map((run, index) => (
            <MemoRow
              key={keyOf(run)}
              run={run}
              position={isWhole ? undefined : from + index + 2}
              now={now}
              columns={columns}
              isSelected={selected.has(keyOf(run))}
              hasMenu={menu === keyOf(run)}
              RowMenu={props.RowMenu}
              underWay={actionInProgressText(run, acting.get(keyOf(run)))}
              withNamespace={withNamespace}
              href={hrefOf(run)}
              {...calls}
            />
          ))}
          {below > 0 && <RowSpacer key="below" pixels={below} />}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps
  extends Pick<Props, "now" | "withNamespace" | "columns" | "RowMenu" | "onPeek" | "onAct" | "onLabel" | "onSelect"> {
  readonly run: Workflow;
  /** The number of its row, including the header; undefined if all rows are loaded. */
  readonly position: number | undefined;
  readonly isSelected: boolean;
  /** Whether its menu is open. */
  readonly hasMenu: boolean;
  /** Called with the key of the row whose menu opens; undefined to close it. */
  readonly onMenu: (key: string | undefined) => void;
  /** The action in progress besides its phase. */
  readonly underWay: string | undefined;
  readonly href: string;
}

/** A row that renders only when its props changed, because few of hundreds of rows change per frame. */
class MemoRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const before = this.props;
    return (Object.keys(next) as (keyof RowProps)[]).some((name) => next[name] !== before[name]);
  }

  override render(props: RowProps) {
    return <Row {...props} />;
  }
}

function Row(props: RowProps) {
  const { run, position, now, isSelected, hasMenu, underWay, withNamespace, columns, href } = props;
  const { RowMenu, onPeek, onAct, onMenu, onLabel, onSelect } = props;
  const { metadata, status = {} } = run;
  const { usual, values } = columns;
  const look = lookOfRun(run);
  const took = elapsedMillis(status.startedAt, status.finishedAt, now);
  // If the creator has no column, it is next to the source.
  const source = [originsOf(run)[0]?.name, usual.has("creator") ? undefined : creatorOf(run)].filter(Boolean).join(
    " · ",
  );
  return (
    <tr
      data-run={metadata.name}
      data-key={keyOf(run)}
      aria-rowindex={position}
      aria-selected={isSelected ? "true" : undefined}
    >
      <td class="tick">
        <input
          type="checkbox"
          aria-label={words.select(metadata.name ?? "")}
          checked={isSelected}
          onChange={(event) => onSelect([keyOf(run)], event.currentTarget.checked)}
        />
      </td>
      <td class="name">
        <PhaseGlyph look={look} />
        <TitledName metadata={metadata} href={href} />
        {underWay !== undefined && <span class="badge">{underWay}</span>}
        {isArchivedOnly(run) && <span class="badge">{words.archivedBadge}</span>}
        <DescriptionLine metadata={metadata} />
      </td>
      {withNamespace && <td class="muted place" title={metadata.namespace}>{metadata.namespace}</td>}
      {usual.has("progress") && (
        <td class="progress">
          <Progress text={status.progress} family={look.family} />
        </td>
      )}
      {usual.has("duration") && (
        <td class="number">{took === undefined ? "" : durationText(Math.floor(took / 1000) * 1000)}</td>
      )}
      {usual.has("started") && (
        <td class="muted" title={momentText(status.startedAt)}>{whenText(status.startedAt, now)}</td>
      )}
      {usual.has("finished") && (
        <td class="muted" title={momentText(status.finishedAt)}>{whenText(status.finishedAt, now)}</td>
      )}
      {usual.has("source") && <td class="source" title={source}>{source}</td>}
      {usual.has("creator") && <td class="extra">{creatorOf(run)}</td>}
      {values.map((column) => {
        const { type, key } = column;
        const value = columnValue(column, metadata);
        return (
          <td key={`${type}:${key}`} class="extra" title={value}>
            {value !== undefined && type === "label"
              ? (
                <button type="button" class="label" onClick={() => onLabel(`${key}=${value}`)}>
                  {value}
                </button>
              )
              : value}
          </td>
        );
      })}
      {usual.has("message") && (
        <td class="message" title={status.message}>{runMessage(status.message).slice(0, 180)}</td>
      )}
      <td class="tick">
        <button
          type="button"
          class="button plain"
          aria-label={words.menuButton(metadata.name ?? "")}
          aria-expanded={hasMenu}
          onClick={() => onMenu(hasMenu ? undefined : keyOf(run))}
        >
          ⋯
        </button>
        {hasMenu && (
          <RowMenu
            run={run}
            href={href}
            onClose={() => onMenu(undefined)}
            onPeek={() => onPeek(run)}
            onAct={(verb) => onAct(verb, run)}
          />
        )}
      </td>
    </tr>
  );
}

function Progress({ text, family }: { text: string | undefined; family: string }) {
  const { done, all } = progressOf(text);
  if (all === 0) return null;
  // Programs report their own progress, and may end before they report all of it.
  const isEarlyEnd = family === "done" && done < all;
  return (
    <span class="bar-with-count">
      <progress
        class={`bar bar-${family}`}
        max={all}
        value={isEarlyEnd ? all : done}
        aria-label={isEarlyEnd ? words.progressDone : words.progressLabel(done, all)}
      />
      <span class="number muted">{isEarlyEnd ? words.progressDone : `${done}/${all}`}</span>
    </span>
  );
}
