/** The activity above the list of runs: a bar per span of time, and the totals by phase. A click on either filters. */
import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { RunActivity } from "../api/source.ts";
import { Refusal } from "../api/refusal.ts";
import { waitUntilVisible } from "../api/visibility.ts";
import { useApp } from "../app.ts";
import { PhaseGlyph } from "../components/glyph.tsx";
import {
  type ActivityBar,
  barsOf,
  barTime,
  periodChoices,
  periodOf,
  spansOf,
  successRate,
  totalsOf,
} from "../model/activity.ts";
import { lookOfPhase } from "../model/phase.ts";
import { runQueryOf } from "../model/run_query.ts";
import { grouped } from "../model/text/en.ts";
import * as words from "../model/text/en/after_list.ts";
import { trackPending } from "../settled.ts";
import { useWhileShown } from "./hooks.ts";

/** The interval at which the counts are requested while the page is visible. */
const REFRESH_MILLIS = 60_000;

/** The height of the bar area, and the smallest height of a part in the same unit. */
const HEIGHT = 100;
const MIN_PART_HEIGHT = 6;

/** The activity of the runs that match the filters, whatever their phase and start. */
export function Activity({ namespace, total }: { readonly namespace: string; readonly total: number | undefined }) {
  const app = useApp();
  const { query } = app.place.value;
  const period = periodOf(query);
  const spans = spansOf(period, app.now.value);
  const found = useSignal<RunActivity | undefined>(undefined);
  const asked = { ...runQueryOf(namespace, query), phases: [], startedFrom: undefined, startedUntil: undefined };
  useWhileShown((signal) => {
    let isWaiting = false;
    const request = async () => {
      if (isWaiting) return;
      isWaiting = true;
      await waitUntilVisible(signal);
      isWaiting = false;
      if (signal.aborted) return;
      using _waiting = trackPending();
      try {
        const value = await app.source.activity(asked, spans, signal);
        if (!signal.aborted) found.value = value;
      } catch (error) {
        // The list below shows the refusal.
        if (!signal.aborted && !(error instanceof Refusal)) throw error;
      }
    };
    void request();
    const timer = setInterval(() => void request(), REFRESH_MILLIS);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }, [JSON.stringify([asked, spans]), total === 0]);
  const activity = found.value;
  const bars = useMemo(() => activity ? barsOf(activity, spans, query) : [], [activity, spans.since, period, query]);
  const totals = activity ? totalsOf(activity, spans, query) : [];
  const rate = successRate(totals);
  const hrefOf = (next: typeof query) => app.hrefOf({ ...app.place.value, query: next });
  return (
    <section class="activity" aria-label={words.activityLabel}>
      <ul class="periods">
        {periodChoices(query).map(({ period, isOn, next }) => (
          <li key={period}>
            <a href={hrefOf(next)} title={words.periodNames[period]} aria-current={isOn ? "true" : undefined}>
              {words.periods[period]}
            </a>
          </li>
        ))}
      </ul>
      <Bars bars={bars} hrefOf={hrefOf} />
      <ul class="totals">
        {totals.map(({ phase, count, isOn, next }) => (
          <li key={phase}>
            <a
              class={isOn ? "phase-switch on" : "phase-switch"}
              href={hrefOf(next)}
              aria-label={words.totalLabel(count, phase)}
              aria-current={isOn ? "true" : undefined}
            >
              <span aria-hidden="true">
                <PhaseGlyph look={lookOfPhase(phase)} />
              </span>
              <span class="number">{grouped(count)}</span>
            </a>
          </li>
        ))}
        {rate !== undefined && <li class="muted number">{words.succeededShare(rate)}</li>}
        {activity && totals.length === 0 && <li class="muted">{words.nothingStarted}</li>}
      </ul>
    </section>
  );
}

interface BarsProps {
  readonly bars: readonly ActivityBar[];
  readonly hrefOf: (next: NonNullable<ActivityBar["next"]>) => string;
}

/** The bars. They are one tab stop; arrow keys move between them. */
function Bars({ bars, hrefOf }: BarsProps) {
  const list = useRef<HTMLOListElement>(null);
  const max = Math.max(1, ...bars.map(({ total }) => total));
  const last = bars.findLast(({ next }) => next !== undefined);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const links = [...list.current?.querySelectorAll("a") ?? []];
    const next = step && links[links.indexOf(document.activeElement as HTMLAnchorElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div class="activity-chart">
      <ol ref={list} class="activity-bars" onKeyDown={move}>
        {bars.map((bar) => (
          <li key={bar.from}>
            {bar.next && (
              <a
                href={hrefOf(bar.next)}
                tabIndex={bar === last ? 0 : -1}
                title={labelOf(bar)}
                aria-label={labelOf(bar)}
                aria-current={bar.isOn ? "true" : undefined}
              >
                <Parts bar={bar} max={max} />
              </a>
            )}
          </li>
        ))}
      </ol>
      <p class="activity-axis muted" aria-hidden="true">
        <span>{bars[0] && barTime(bars[0].from)}</span>
        <span>{bars.length > 0 && words.axisEndLabel}</span>
      </p>
    </div>
  );
}

function Parts({ bar: { parts }, max }: { readonly bar: ActivityBar; readonly max: number }) {
  // Keeps a single failure among thousands of runs visible.
  const heights = parts.map(({ count }) => Math.max(MIN_PART_HEIGHT, HEIGHT * count / max));
  const sum = heights.reduce((sum, height) => sum + height, 0);
  const scale = Math.min(1, HEIGHT / (sum || 1));
  let top = HEIGHT;
  return (
    <svg viewBox={`0 0 10 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ phase, family }, index) => {
        const height = heights[index]! * scale;
        top -= height;
        return <rect key={phase} class={`phase-${family}`} x={0} y={top} width={10} height={height} />;
      })}
    </svg>
  );
}

function labelOf({ from, to, parts }: ActivityBar): string {
  return words.phaseBarLabel(barTime(from), barTime(to), parts.map(({ phase, count }) => [phase, count]));
}
