/** The latest runs of a template or schedule, selected by label. */
import { useApp } from "../app.ts";
import { PhaseGlyph } from "../components/glyph.tsx";
import { LongName, nameForScreenReaders } from "../components/long_name.tsx";
import { Refused } from "./refused.tsx";
import { durationText, elapsedMillis, whenText } from "../model/duration.ts";
import { lookOfRun } from "../model/phase.ts";
import { keyOf } from "../model/run_list.ts";
import { useAnswer } from "./hooks.ts";
import * as words from "../model/text/en/submission.ts";
import * as shared from "../model/text/en/shared.ts";

const COUNT = 50;

/** The runs, newest first, with a link to all. */
export function LastRuns({ namespace, label }: { namespace: string; label: string }) {
  const app = useApp();
  const { answer, refetch } = useAnswer(
    (signal) => app.source.listRuns({ namespace, phases: [], labels: [label] }, { offset: 0, limit: COUNT }, signal),
    [namespace, label],
  );
  const { value } = answer;
  if (value.kind === "waiting") return <p class="coming">{shared.loading}</p>;
  if (value.kind === "refused") {
    return <Refused refusal={value.refusal} onAgain={refetch} />;
  }
  if (value.value.items.length === 0) return <p class="muted">{words.noRunsYet}</p>;
  return (
    <>
      <ul class="strip" aria-label={words.durationsLabel}>
        {durationBarsOf(value.value.items, app.now.value).map(({ run, share, text }) => (
          <li key={keyOf(run)}>
            <a
              class={`strip-bar strip-${lookOfRun(run).family}`}
              ref={(element) => element?.style.setProperty("--share", String(share))}
              href={app.hrefOf(placeOf(run))}
              aria-label={`${run.metadata.name}, ${lookOfRun(run).word}, ${text}`}
              title={`${run.metadata.name}: ${lookOfRun(run).word}, ${text}`}
            />
          </li>
        ))}
      </ul>
      <table>
        <tbody>
          {value.value.items.map((run) => (
            <tr key={keyOf(run)}>
              <td class="name">
                <PhaseGlyph look={lookOfRun(run)} />{" "}
                <a
                  href={app.hrefOf(placeOf(run))}
                  title={run.metadata.name}
                  aria-label={nameForScreenReaders(run.metadata.name ?? "")}
                >
                  <LongName text={run.metadata.name ?? ""} />
                </a>
              </td>
              <td class="number">
                {durationText(elapsedMillis(run.status?.startedAt, run.status?.finishedAt, app.now.value) ?? NaN)}
              </td>
              <td class="muted">{whenText(run.status?.startedAt, app.now.value)}</td>
              <td class="message" title={run.status?.message}>{run.status?.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a href={app.hrefOf({ page: { kind: "runs", namespace }, query: [["label", label]] })}>
          {words.allLink(value.value.total)}
        </a>
      </p>
    </>
  );
}

type Run = Parameters<typeof lookOfRun>[0] & Parameters<typeof keyOf>[0] & {
  readonly status?: { readonly startedAt?: string | undefined; readonly finishedAt?: string | undefined } | undefined;
};

function placeOf({ metadata }: Run) {
  const page = { kind: "run" as const, namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
  return { page, query: metadata.uid ? [["uid", metadata.uid] as const] : [] };
}

function durationBarsOf<R extends Run>(runs: readonly R[], now: number) {
  const spans = runs.map((run) => elapsedMillis(run.status?.startedAt, run.status?.finishedAt, now) ?? 0);
  const longest = Math.max(1, ...spans);
  return runs.map((run, index) => ({
    run,
    share: Math.max(0.06, (spans[index] ?? 0) / longest),
    text: durationText(spans[index] ?? 0),
  })).reverse();
}
