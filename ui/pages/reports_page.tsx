/** Reports: durations, failures and resource use of the latest runs of a filter, as bars, a table and CSV. */
import { useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { LABEL } from "@tiphys/base/constants";
import { COMPLETED_PHASES } from "@tiphys/model/status";
import { PhaseGlyph } from "../components/glyph.tsx";
import { Refused } from "./refused.tsx";
import { durationText, momentText, whenText } from "../model/duration.ts";
import { lookOfRun } from "../model/phase.ts";
import { type PageAddress, valueOf, valuesOf, withValues } from "../model/place.ts";
import type { Prices } from "../api/source.ts";
import { moneyText } from "../model/cost.ts";
import { csvOf, type Report, reportOf, type ReportRow, type Sum, templatesOf } from "../model/reports.ts";
import { keyOf } from "../model/run_list.ts";
import { useAnswer } from "./hooks.ts";
import { NamespaceChoice } from "./namespace_choice.tsx";
import { download } from "./run/download.ts";
import { StepsOfRuns } from "./steps_of_runs.tsx";
import * as words from "../model/text/en/reports_page.ts";
import * as shared from "../model/text/en/shared.ts";

/** The label of the runs of a template, before its name. */
const OF_TEMPLATE = `${LABEL.workflowTemplate}=`;

/** The number of runs that a report covers, the newest ones. */
const COUNT = 100;

export function ReportsPage({ namespace }: { namespace: string }) {
  const app = useApp();
  const { query } = app.place.value;
  const labels = valuesOf(query, "labels");
  const withSteps = valueOf(query, "steps") !== undefined;
  const { prices } = app.info.value;
  const input = useRef<HTMLInputElement>(null);
  const { answer, refetch } = useAnswer(
    (signal) =>
      app.source.listRuns({ namespace, phases: COMPLETED_PHASES, labels }, { offset: 0, limit: COUNT }, signal),
    [namespace, labels.join(",")],
  );
  const { value } = answer;
  const report = value.kind === "here" ? reportOf(value.value.items, prices) : undefined;
  const template = labels.find((label) => label.startsWith(OF_TEMPLATE))?.slice(OF_TEMPLATE.length);
  const templates = report ? templatesOf(report, template) : [];
  return (
    <>
      <header class="page-head">
        <h1>{words.heading}</h1>
        <NamespaceChoice />
        {report && report.rows.length > 0 && (
          <button
            type="button"
            class="button end"
            onClick={() => download("runs.csv", "text/csv", [csvOf(report)])}
          >
            {words.csvButton}
          </button>
        )}
      </header>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = input.current?.value.trim().split(/[\s,]+/).filter((part) => part !== "") ?? [];
          app.go({
            ...app.place.value,
            query: withValues(query, { labels: wanted.length > 0 ? wanted.join(",") : undefined }),
          });
        }}
      >
        <input
          ref={input}
          key={labels.join(",")}
          class="find"
          type="search"
          aria-label={words.labelsLabel}
          placeholder={words.labelsPlaceholder}
          defaultValue={labels.join(", ")}
        />
        {report && (templates.length > 0) && (
          <select
            aria-label={words.templateField}
            onChange={(event) => {
              const { value } = event.currentTarget;
              const others = labels.filter((label) => !label.startsWith(OF_TEMPLATE));
              const next = value === "" ? others : [...others, OF_TEMPLATE + value];
              app.go({ ...app.place.value, query: withValues(query, { labels: next.join(",") || undefined }) });
            }}
          >
            <option value="">{words.allTemplates}</option>
            {templates.map((name) => <option key={name} value={name} selected={name === template}>{name}</option>)}
          </select>
        )}
        <span class="muted">{words.whichRuns(COUNT)}</span>
        <a
          class="button toggle"
          aria-current={withSteps ? "true" : undefined}
          href={app.hrefOf({
            ...app.place.value,
            query: withValues(query, { steps: withSteps ? undefined : "slowest" }),
          })}
        >
          {words.stepsToggle}
        </a>
      </form>
      {value.kind === "waiting" && <p class="coming">{shared.loading}</p>}
      {value.kind === "refused" && <Refused refusal={value.refusal} onAgain={refetch} />}
      {report && report.rows.length === 0 && (
        <section class="card">
          <h2>{words.noneYet}</h2>
          <p>
            {labels.length > 0 ? words.aboutLabelled : words.about}
          </p>
          <a class="button" href={app.hrefOf({ page: { kind: "runs", namespace }, query: [] })}>{words.runsLink}</a>
        </section>
      )}
      {report && report.rows.length > 0 && <Bars report={report} placeOf={placeOf} />}
      {report && report.days.length > 1 && <Days report={report} />}
      {withSteps && report && report.rows.length > 0 && (
        <StepsOfRuns runs={{ namespace, phases: COMPLETED_PHASES, labels }} />
      )}
      {report && report.rows.length > 0 && <Rows report={report} prices={prices} now={app.now.value} hrefOf={hrefOf} />}
    </>
  );

  function hrefOf(row: ReportRow): string {
    return app.hrefOf(placeOf(row));
  }
}

function placeOf({ run: { metadata } }: ReportRow): PageAddress {
  const page = { kind: "run" as const, namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
  return { page, query: metadata.uid ? [["uid", metadata.uid]] : [] };
}

function Bars({ report, placeOf }: { report: Report; placeOf: (row: ReportRow) => PageAddress }) {
  const app = useApp();
  const { rows, mean, median, p95, failed, scale, cpu, memory, cost } = report;
  const { prices } = app.info.value;
  const top = Math.max(1, scale);
  const longer = rows.filter(({ durationMillis: took }) => took > top);
  const line = (share: number) => (element: HTMLElement | null) =>
    element?.style.setProperty("--share", String(Math.min(1, share)));
  return (
    <section class="report" aria-label={words.durationsLabel}>
      <dl class="report-facts">
        <Fact name={words.runsField} value={String(rows.length)} />
        <Fact name={words.succeededField} value={words.percent(successOf(report))} />
        <Fact name={words.failedField} value={words.failedShare(failed, Math.round(failed / rows.length * 100))} />
        <Fact name={words.meanField} value={durationText(mean)} />
        <Fact name={words.medianField} value={durationText(median)} />
        <Fact name={words.percentileField} value={durationText(p95)} />
        {isUsed(cpu) && <Fact name={words.cpuField} value={sumText(cpu, rows.length)} />}
        {isUsed(memory) && <Fact name={words.memoryField} value={sumText(memory, rows.length)} />}
        {cost !== undefined && prices && <Fact name={shared.costField} value={moneyText(cost, prices)} />}
      </dl>
      <div class="report-bars">
        <ul class="strip" aria-label={words.barsLabel}>
          {rows.map((row) => {
            const look = lookOfRun(row.run);
            const text = `${row.run.metadata.name}, ${look.word}, ${durationText(row.durationMillis)}`;
            return (
              <li key={keyOf(row.run)}>
                <a
                  class={`strip-bar strip-${look.family}${row.durationMillis > top ? " clipped" : ""}`}
                  ref={line(Math.max(0.03, row.durationMillis / top))}
                  href={app.hrefOf(placeOf(row))}
                  aria-label={text}
                  title={text}
                />
              </li>
            );
          })}
        </ul>
        <span
          class="report-mean"
          ref={line(mean / top)}
          aria-hidden="true"
        >
          <span>{words.meanLine(durationText(mean))}</span>
        </span>
        <span class="report-scale" ref={line(1)} aria-hidden="true">{durationText(top)}</span>
        <span class="report-scale" ref={line(0.5)} aria-hidden="true">{durationText(top / 2)}</span>
      </div>
      <p class="report-axis muted" aria-hidden="true">
        <span>{momentText(rows[0]?.run.status?.startedAt, { isShort: true })}</span>
        <span>{momentText(rows.at(-1)?.run.status?.startedAt, { isShort: true })}</span>
      </p>
      {longer.length > 0 && (
        <p class="muted">
          {words.longerThanScale(
            longer.length,
            durationText(Math.max(...longer.map(({ durationMillis: took }) => took))),
          )}
        </p>
      )}
    </section>
  );
}

function successOf({ rows, failed }: Report): number {
  return Math.floor((rows.length - failed) / rows.length * 100);
}

/** The success rate and the durations of each day. */
function Days({ report: { days } }: { readonly report: Report }) {
  return (
    <details class="report-days" open>
      <summary>{words.daysHeading}</summary>
      <table>
        <thead>
          <tr>
            <th>{words.dayColumn}</th>
            <th class="end-cell">{words.runsField}</th>
            <th>{words.succeededField}</th>
            <th class="end-cell">{words.medianField}</th>
            <th class="end-cell">{words.percentileField}</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, runs, succeeded, median, p95 }) => (
            <tr key={day}>
              <td class="number">{day}</td>
              <td class="number end-cell" data-head={words.runsField}>{runs}</td>
              <td class="number" data-head={words.succeededField}>
                <meter class="share" min={0} max={100} value={succeeded} aria-label={words.successOn(day)} />{" "}
                {words.percent(succeeded)}
              </td>
              <td class="number end-cell" data-head={words.medianField}>{durationText(median)}</td>
              <td class="number end-cell" data-head={words.percentileField}>{durationText(p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Reports whether at least a second of a resource was used. */
function isUsed({ seconds }: Sum): boolean {
  return Math.round(seconds) > 0;
}

/** Formats the use of one run; it is empty if it is unknown, or less than a second. */
function useText(seconds = 0): string {
  return Math.round(seconds) === 0 ? "" : durationText(Math.round(seconds) * 1000);
}

/** Formats a sum, with the number of runs if only some report it. */
function sumText({ seconds, runs }: Sum, all: number): string {
  const text = durationText(seconds * 1000);
  return runs === all ? text : words.ofSomeRuns(text, runs);
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt class="muted">{name}</dt>
      <dd class="number">{value}</dd>
    </div>
  );
}

function Rows({ report, prices, now, hrefOf }: {
  readonly report: Report;
  readonly prices: Prices | undefined;
  readonly now: number;
  readonly hrefOf: (row: ReportRow) => string;
}) {
  const hasCost = prices !== undefined && report.cost !== undefined;
  const hasCpu = report.rows.some(({ cpu }) => useText(cpu) !== "");
  const hasMemory = report.rows.some(({ memory }) => useText(memory) !== "");
  return (
    <table class="report-rows">
      <thead>
        <tr>
          <th>{shared.nameField}</th>
          <th>{shared.namespaceField}</th>
          <th>{shared.startedField}</th>
          <th class="end-cell">{shared.durationField}</th>
          {hasCpu && <th class="end-cell">{words.cpuField}</th>}
          {hasMemory && <th class="end-cell">{words.memoryField}</th>}
          {hasCost && <th class="end-cell">{shared.costField}</th>}
        </tr>
      </thead>
      <tbody>
        {report.rows.toReversed().map((row) => (
          <tr key={keyOf(row.run)}>
            <td class="name">
              <PhaseGlyph look={lookOfRun(row.run)} />{" "}
              <a href={hrefOf(row)} title={row.run.metadata.name}>{row.run.metadata.name}</a>
            </td>
            <td class="muted">{row.run.metadata.namespace}</td>
            <td class="muted" title={momentText(row.run.status?.startedAt)}>
              {whenText(row.run.status?.startedAt, now)}
            </td>
            <td class="number end-cell">{durationText(row.durationMillis)}</td>
            {hasCpu && <td class="number muted spare end-cell">{useText(row.cpu)}</td>}
            {hasMemory && <td class="number muted spare end-cell">{useText(row.memory)}</td>}
            {hasCost && <td class="number end-cell">{row.cost === undefined ? "" : moneyText(row.cost, prices)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
