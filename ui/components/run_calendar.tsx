/** The calendar of a schedule: five weeks, with a mark for each past run and the number of runs to come. */
import { momentText } from "../model/duration.ts";
import { lookOfRun, type RunFacts } from "../model/phase.ts";
import type { CalendarDay } from "../model/run_calendar.ts";
import * as words from "../model/text/en/cron_page.ts";
import * as shared from "../model/text/en/shared.ts";
import { PhaseGlyph } from "./glyph.tsx";

/** A run with the fields that are shown. */
export interface CalendarRun extends RunFacts {
  readonly metadata: { readonly name?: string | undefined };
  readonly status?: { readonly phase?: string | undefined; readonly startedAt?: string | undefined } | undefined;
}

/** The maximum number of runs of a day that are marked; more are counted. */
const MAX_MARKS = 6;

export function RunCalendar<R extends CalendarRun>({ days, hrefOf }: {
  readonly days: readonly CalendarDay<R>[];
  readonly hrefOf: (run: R) => string;
}) {
  const weeks = Array.from({ length: days.length / 7 }, (_, index) => days.slice(7 * index, 7 * index + 7));
  return (
    <div class="calendar">
      <table>
        <caption class="hidden">{words.calendarHeading}</caption>
        <thead>
          <tr>{words.weekdays.map((day) => <th key={day} scope="col">{day}</th>)}</tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]!.date}>
              {week.map(({ date, isToday, runs, planned, isMore }) => (
                <td key={date} aria-current={isToday ? "date" : undefined}>
                  <time dateTime={date} class="muted">{Number(date.slice(8))}</time>
                  <span class="calendar-runs">
                    {runs.slice(0, MAX_MARKS).map((run) => (
                      <a
                        key={`${run.metadata.name} ${run.status?.startedAt}`}
                        href={hrefOf(run)}
                        title={`${run.metadata.name}, ${momentText(run.status?.startedAt)}`}
                        aria-label={run.metadata.name}
                      >
                        <PhaseGlyph look={lookOfRun(run)} />
                      </a>
                    ))}
                    {runs.length > MAX_MARKS && <span class="muted">{shared.andMore(runs.length - MAX_MARKS)}</span>}
                  </span>
                  {planned > 0 && <span class="muted calendar-planned">{words.planned(planned, isMore)}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
