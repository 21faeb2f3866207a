/** The page of one cron workflow: its next times in its own and the user's time zone, its latest runs, its manifest. */
import { useMemo } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { CronWorkflow } from "@tiphys/model/api";
import { Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import { CronState } from "../components/cron_state.tsx";
import { MissingRightLines } from "../components/missing_right_lines.tsx";
import { Description } from "../components/markdown.tsx";
import { RunCalendar } from "../components/run_calendar.tsx";
import { SubmitLink } from "../components/submit_link.tsx";
import { Tabs } from "../components/tabs.tsx";
import { UndoBar } from "../components/undo_bar.tsx";
import { Refused } from "./refused.tsx";
import { agoText, defaultZone, momentText } from "../model/duration.ts";
import { valueOf, withValues } from "../model/place.ts";
import { tabOf } from "../model/object_tabs.ts";
import { missingRightsText, missingRightsTexts } from "../model/run/missing_rights.ts";
import { calendarOf } from "../model/run_calendar.ts";
import { clockChanges, missedTimes, nextTimes, shownZone } from "../model/schedule.ts";
import { scheduleWords } from "../model/schedule_words.ts";
import { trackPending } from "../settled.ts";
import { useAnswer } from "./hooks.ts";
import { lazy, lazyDialog } from "./lazy.tsx";
import { LastRuns } from "./last_runs.tsx";
import { ManifestEditor } from "./editor_part.tsx";
import { StepsOfRuns } from "./steps_of_runs.tsx";
import { SubmitTemplate } from "./submit_template.tsx";
import { useDeleting } from "./use_deleting.tsx";
import { useSaving } from "./use_saving.tsx";
import { useMissingRights } from "./use_missing_rights.ts";
import * as words from "../model/text/en/cron_page.ts";
import * as objectPages from "../model/text/en/object_pages.ts";
import * as share from "../model/text/en/share_dialog.ts";
import * as shared from "../model/text/en/shared.ts";

const TemplateGraph = lazy(async () => (await import("./template_graph.tsx")).TemplateGraph);

const ShareDialog = lazyDialog(async () => (await import("./share_dialog.tsx")).ShareDialog);
const ObjectForm = lazy(async () => (await import("./object_form.tsx")).ObjectForm);

const TABS = ["summary", "graph", "cron", "workflow", "metadata", "manifest", "runs", "steps"] as const;
const SPEC_WAY = ["spec", "workflowSpec"] as const;
const PARTS = { cron: "cron", workflow: "parameters", metadata: "metadata" } as const;
const WORDS: Readonly<Record<typeof TABS[number], string>> = {
  summary: objectPages.summaryTab,
  graph: objectPages.graphTab,
  cron: words.scheduleTab,
  workflow: shared.parametersField,
  metadata: objectPages.metadataTab,
  manifest: objectPages.manifestTab,
  runs: objectPages.lastRunsTab,
  steps: objectPages.stepsTab,
};

export function CronPage({ namespace, name }: { namespace: string; name: string }) {
  const app = useApp();
  const { query } = app.place.value;
  const { answer, refetch, setAnswer } = useAnswer(
    (signal) => app.source.getTemplate("CronWorkflow", namespace, name, signal),
    [namespace, name],
  );
  const deleting = useDeleting({
    key: `${namespace}/${name}`,
    name,
    about: objectPages.ofSchedule,
    async remove() {
      await app.source.deleteTemplate("CronWorkflow", namespace, name);
      app.go({ page: { kind: "crons", namespace }, query: [] });
    },
  });
  const saving = useSaving("CronWorkflow", namespace, name, setAnswer);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const undo = useSignal<boolean | undefined>(undefined);
  const { value: lacks } = useMissingRights("CronWorkflow", namespace, name);
  const { value } = answer;
  if (value.kind === "waiting") return <p class="coming">{shared.loadingNamed(name)}</p>;
  if (value.kind === "refused") {
    return <Refused refusal={value.refusal} onAgain={refetch} isPage />;
  }
  const cron = value.value;
  const isSuspended = cron.spec.suspend ?? false;
  const tab = tabOf(TABS, valueOf(query, "tab"));
  const toggle = isSuspended
    ? { verb: "resume", word: words.resumeButton }
    : { verb: "suspend", word: words.suspendButton };
  const noToggle = missingRightsText(lacks, toggle.verb);
  const label = `workflows.argoproj.io/cron-workflow=${name}`;
  const hrefOf = (values: Parameters<typeof withValues>[1]) =>
    app.hrefOf({ ...app.place.value, query: withValues(query, values) });

  async function setSuspended(next: boolean, canUndo: boolean): Promise<void> {
    using _waiting = trackPending();
    refusal.value = undefined;
    try {
      const changed = await app.source.setCronSuspended(namespace, name, next);
      setAnswer(changed);
      undo.value = canUndo ? !next : undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal.value = error;
    }
  }

  return (
    <article>
      <nav class="crumbs" aria-label={shared.crumbsLabel}>
        <a href={app.hrefOf({ page: { kind: "crons", namespace }, query: [] })}>{words.listLink}</a>
        <span class="muted">{namespace}</span>
      </nav>
      <header class="page-head">
        <h1>{name}</h1>
        <CronState isSuspended={isSuspended} isStopped={cron.status?.phase === "Stopped"} />
        <span class="row end">
          <SubmitLink
            word={words.runNowButton}
            href={hrefOf({ sidePanel: "submit" })}
            lack={missingRightsText(lacks, "submit")}
          />
          <button
            type="button"
            class="button"
            disabled={noToggle !== undefined}
            title={noToggle}
            onClick={() => void setSuspended(!isSuspended, true)}
          >
            {toggle.word}
          </button>
          <a class="button" href={hrefOf({ sidePanel: "share" })}>{share.shareButton}</a>
          {deleting.button(missingRightsText(lacks, "delete"))}
        </span>
      </header>
      <MissingRightLines
        texts={missingRightsTexts(lacks, {
          submit: words.runNowButton,
          [toggle.verb]: toggle.word,
          delete: shared.deleteButton,
          update: objectPages.saveButton,
        })}
      />
      {undo.value !== undefined && (
        <UndoBar
          text={isSuspended ? words.nowSuspended : words.nowResumed}
          onUndo={() => void setSuspended(undo.value ?? false, false)}
        />
      )}
      {refusal.value && <Refused refusal={refusal.value} />}
      {saving.bar}
      {deleting.shown}
      <Tabs label={words.partsLabel} words={WORDS} current={tab} hrefOf={(name) => hrefOf({ tab: name })} />
      {tab === "summary" && <Description metadata={cron.metadata} />}
      {tab === "summary" && <Summary cron={cron} now={Math.floor(app.now.value / 60_000) * 60_000} />}
      {tab === "graph" && (
        <TemplateGraph
          object={cron}
          namespace={namespace}
          lineHref={(line) => hrefOf({ tab: "manifest", line: String(line), node: undefined })}
        />
      )}
      {(tab === "cron" || tab === "workflow" || tab === "metadata") && (
        <ObjectForm
          key={tab}
          part={PARTS[tab]}
          object={cron}
          specWay={SPEC_WAY}
          lack={missingRightsText(lacks, "update")}
          onSave={(object) => saving.save(object, cron)}
          onAgain={refetch}
        />
      )}
      {tab === "manifest" && (
        <ManifestEditor
          label={objectPages.manifestOf(name)}
          object={cron}
          action={objectPages.saveButton}
          lack={missingRightsText(lacks, "update")}
          newest={() => app.source.getTemplate("CronWorkflow", namespace, name)}
          onSend={async (object) => {
            await saving.save(object, cron);
          }}
        />
      )}
      {tab === "runs" && <LastRuns namespace={namespace} label={label} />}
      {tab === "steps" && <StepsOfRuns runs={{ namespace, phases: [], labels: [label] }} />}
      {valueOf(query, "sidePanel") === "submit" && (
        <SubmitTemplate
          kind="CronWorkflow"
          namespace={namespace}
          name={name}
          spec={cron.spec.workflowSpec}
          lack={missingRightsText(lacks, "submit")}
          onClose={() => app.go({ ...app.place.value, query: withValues(query, { sidePanel: undefined }) })}
        />
      )}
      {valueOf(query, "sidePanel") === "share" && (
        <ShareDialog
          link={hrefOf({ sidePanel: undefined })}
          name={name}
          namespace={namespace}
          runs={{ label }}
          onClose={() => app.go({ ...app.place.value, query: withValues(query, { sidePanel: undefined }) })}
        />
      )}
    </article>
  );
}

function Summary({ cron, now }: { cron: CronWorkflow; now: number }) {
  const { metadata, spec, status } = cron;
  const app = useApp();
  const { times, problem } = nextTimes(spec.schedules, spec.timezone, new Date(now), 5);
  const zone = shownZone(spec.timezone);
  const own = defaultZone();
  const isOff = spec.suspend || status?.phase === "Stopped";
  const missed = isOff ? undefined : missedTimes(spec.schedules, spec.timezone, status?.lastScheduledTime, now);
  const changes = useMemo(
    () => clockChanges(spec.schedules, spec.timezone, new Date(now)),
    [spec.schedules, spec.timezone, now],
  );
  const moment = (time: Date) => momentText(time.toISOString(), { zone });
  return (
    <>
      <dl class="facts">
        <dt>{words.schedulesField}</dt>
        <dd>
          {spec.schedules.map((schedule) => (
            <div key={schedule}>
              <code>{schedule}</code> <span class="muted">{scheduleWords(schedule)}</span>
            </div>
          ))}
        </dd>
        <dt>{words.concurrencyPolicyField}</dt>
        <dd>{POLICIES[spec.concurrencyPolicy ?? "Allow"]}</dd>
        {spec.when && <dt>{words.conditionField}</dt>}
        {spec.when && (
          <dd>
            <code>{spec.when}</code>
          </dd>
        )}
        {spec.stopStrategy && <dt>{words.stopsWhenField}</dt>}
        {spec.stopStrategy && (
          <dd>
            <code>{spec.stopStrategy.expression}</code>
          </dd>
        )}
        <dt>{words.missedTimesField}</dt>
        <dd>{words.startingDeadline(spec.startingDeadlineSeconds ?? 0)}</dd>
        <dt>{words.historyLimitsField}</dt>
        <dd>{words.historyLimits(spec.successfulJobsHistoryLimit ?? 3, spec.failedJobsHistoryLimit ?? 1)}</dd>
        <dt>{words.runCountsField}</dt>
        <dd>{words.runCounts(status?.succeeded ?? 0, status?.failed ?? 0)}</dd>
        {status?.active && status.active.length > 0 && <dt>{words.activeRunsField}</dt>}
        {status?.active && status.active.length > 0 && (
          <dd>
            {status.active.map(({ name = "", namespace = metadata.namespace ?? "" }) => (
              <div key={name}>
                <a href={app.hrefOf({ page: { kind: "run", namespace, name }, query: [] })}>{name}</a>
              </div>
            ))}
          </dd>
        )}
        <dt>{words.lastTimeField}</dt>
        <dd>{status?.lastScheduledTime ? moment(new Date(status.lastScheduledTime)) : words.noLastTime}</dd>
        {missed && <dt>{words.missedField}</dt>}
        {missed && <dd>{words.missed(missed.count, missed.isMore, moment(missed.first), moment(missed.last))}</dd>}
        {status?.conditions?.filter((condition) => condition.status !== "False").map((condition) => [
          <dt key={`${condition.type} name`}>{condition.type}</dt>,
          <dd key={condition.type} class="foreign">{condition.message}</dd>,
        ])}
      </dl>
      <h2>{words.nextTimesHeading}</h2>
      {problem && <p class="note" role="alert">{problem}</p>}
      {times.length > 0 && (
        <table class="times">
          <thead>
            <tr>
              <th>{zone}</th>
              {own !== zone && <th>{words.userZone(own)}</th>}
              <th>{words.fromNowField}</th>
            </tr>
          </thead>
          <tbody>
            {times.map((time) => (
              <tr key={time.getTime()}>
                <td class="number">
                  <time dateTime={time.toISOString()}>{momentText(time.toISOString(), { zone })}</time>
                </td>
                {own !== zone && <td class="number muted">{momentText(time.toISOString())}</td>}
                <td class="muted">{agoText(time.toISOString(), now)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>{words.calendarHeading}</h2>
      <Calendar cron={cron} now={now} />
      {changes.length > 0 && (
        <ul class="plain-list clock-changes">
          {changes.map(({ at, kind, times, isMore }) => (
            <li key={at.getTime()}>
              {kind === "skipped"
                ? words.skippedTimes(moment(at), times, isMore)
                : words.repeatedTimes(moment(at), times, isMore)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The maximum number of past runs that are requested for the calendar. */
const MAX_RUNS = 200;

/**
 * The last runs and the next times by day. Shows only the times until the runs are known, or if they may not be listed.
 */
function Calendar({ cron: { metadata: { name = "", namespace = "" }, spec, status }, now }: {
  readonly cron: CronWorkflow;
  readonly now: number;
}) {
  const app = useApp();
  const { answer } = useAnswer(
    (signal) =>
      app.source.listRuns(
        { namespace, phases: [], labels: [`workflows.argoproj.io/cron-workflow=${name}`] },
        { offset: 0, limit: MAX_RUNS },
        signal,
      ),
    [namespace, name],
  );
  const { value } = answer;
  const days = calendarOf({
    runs: value.kind === "here" ? value.value.items : [],
    schedules: spec.suspend || status?.phase === "Stopped" ? [] : spec.schedules,
    timezone: spec.timezone,
    zone: shownZone(spec.timezone),
    now: new Date(now),
  });
  return (
    <>
      {value.kind === "refused" && <Refused refusal={value.refusal} />}
      <RunCalendar
        days={days}
        hrefOf={({ metadata }) =>
          app.hrefOf({
            page: { kind: "run", namespace: metadata.namespace ?? namespace, name: metadata.name ?? "" },
            query: metadata.uid ? [["uid", metadata.uid]] : [],
          })}
      />
    </>
  );
}

const POLICIES = {
  Allow: words.allowPolicy,
  Forbid: words.forbidPolicy,
  Replace: words.replacePolicy,
} as const;
