/** The list of cron workflows with their state and next time. */
import { useMemo, useRef } from "preact/hooks";
import type { CronWorkflow, Workflow } from "@tiphys/model/api";
import { useApp } from "../app.ts";
import { CronState } from "../components/cron_state.tsx";
import { Dialog } from "../components/dialog.tsx";
import { DescriptionLine } from "../components/markdown.tsx";
import { TitledName } from "../components/titled_name.tsx";
import { RowSpacer } from "../components/table_parts.tsx";
import { useRowWindow } from "../components/use_row_window.ts";
import { ListFilters, ListHead, NoneFound, RowRuns, useLastRuns } from "./object_list.tsx";
import { Refused } from "./refused.tsx";
import { whenText } from "../model/duration.ts";
import { exampleOf } from "../model/examples.ts";
import { filterAndSort, isFailing, LIST_STATES, type ListState, readList } from "../model/object_list.ts";
import { valueOf, withValues } from "../model/place.ts";
import { nextTimes } from "../model/schedule.ts";
import { scheduleWords } from "../model/schedule_words.ts";
import { useAnswer } from "./hooks.ts";
import { ManifestEditor } from "./editor_part.tsx";
import { NamespaceChoice } from "./namespace_choice.tsx";
import * as words from "../model/text/en/crons_page.ts";
import * as objectPages from "../model/text/en/object_pages.ts";
import * as shared from "../model/text/en/shared.ts";

const NONE: readonly CronWorkflow[] = [];

/** The next time of an active schedule. */
function nextOf({ spec, status }: CronWorkflow, now: number): Date | undefined {
  if (spec.suspend || status?.phase === "Stopped") return undefined;
  return nextTimes(spec.schedules, spec.timezone, new Date(now), 1).times[0];
}

function statesOf({ spec, status }: CronWorkflow, runs: readonly Workflow[]): ListState[] {
  const state = status?.phase === "Stopped" ? "stopped" : spec.suspend ? "suspended" : "active";
  return isFailing(runs) ? [state, "failing"] : [state];
}

export function CronsPage({ namespace }: { namespace: string }) {
  const app = useApp();
  const { query } = app.place.value;
  const choice = readList(query);
  const { labels } = choice;
  const { answer, refetch } = useAnswer(
    (signal) => app.source.listTemplates("CronWorkflow", namespace, labels, signal),
    [namespace, labels.join(",")],
  );
  const { value } = answer;
  const now = app.now.value;
  const runs = useLastRuns(namespace, "workflows.argoproj.io/cron-workflow", false);
  const all = value.kind === "here" ? value.value : NONE;
  // Computed once a minute rather than every second, because there may be thousands of schedules.
  const minute = Math.floor(now / 60_000) * 60_000;
  const nexts = useMemo(() => new Map(all.map((cron) => [cron, nextOf(cron, minute)])), [all, minute]);
  const shown = useMemo(
    () =>
      filterAndSort(all, choice, {
        nextOf: (cron) => nexts.get(cron)?.getTime(),
        statesOf: (cron) => statesOf(cron, runs.get(`${cron.metadata.namespace}/${cron.metadata.name}`) ?? []),
      }),
    [nexts, runs, choice.text, choice.sort.by, choice.sort.isDescending, choice.states.join()],
  );
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to, above, below } = useRowWindow(body, shown.length, "tr[data-cron]");
  const change = (values: Parameters<typeof withValues>[1]) =>
    app.go({ ...app.place.value, query: withValues(query, values) });
  const where = namespace || app.info.value.managedNamespace || "default";
  const hrefOf = (into: string, name: string) =>
    app.hrefOf({ page: { kind: "cron", namespace: into, name }, query: [] });
  const newHref = app.hrefOf({ ...app.place.value, query: withValues(query, { sidePanel: "true" }) });
  return (
    <>
      <header class="page-head">
        <h1>{words.heading}</h1>
        <span class="muted number count">{value.kind === "here" && objectPages.shownOf(shown.length, all.length)}</span>
        <NamespaceChoice />
        <a
          class="button primary end"
          href={newHref}
        >
          {words.newButton}
        </a>
      </header>
      <ListFilters choice={choice} states={LIST_STATES} />
      {value.kind === "waiting" && <p class="coming">{shared.loading}</p>}
      {value.kind === "refused" && <Refused refusal={value.refusal} onAgain={refetch} />}
      {value.kind === "here" && all.length === 0 && labels.length === 0 && (
        <section class="card">
          <h2>{words.noneYet}</h2>
          <p>{words.about}</p>
          <pre class="words">tiphys cron create my-schedule.yaml</pre>
          <a class="button" href={newHref}>{shared.createOneButton}</a>
        </section>
      )}
      {value.kind === "here" && shown.length === 0 && all.length + labels.length > 0 && <NoneFound />}
      {shown.length > 0 && (
        <table class="crons">
          <thead>
            <tr>
              <ListHead choice={choice} by="name" word={shared.nameField} />
              {namespace === "" && <th>{shared.namespaceField}</th>}
              <th>{words.stateField}</th>
              <th>{words.scheduleField}</th>
              <ListHead choice={choice} by="next" word={words.nextField} />
              <th>{words.lastField}</th>
              <th>{objectPages.lastRunsField}</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {above > 0 && <RowSpacer key="above" pixels={above} />}
            {shown.slice(from, to).map((cron) => {
              const { metadata, spec, status } = cron;
              return (
                <tr key={metadata.uid} data-cron={metadata.name}>
                  <td class="name">
                    <TitledName metadata={metadata} href={hrefOf(metadata.namespace ?? "", metadata.name ?? "")} />
                    <DescriptionLine metadata={metadata} />
                  </td>
                  {namespace === "" && <td class="muted">{metadata.namespace}</td>}
                  <td>
                    <CronState isSuspended={spec.suspend ?? false} isStopped={status?.phase === "Stopped"} />
                  </td>
                  <td class="schedule">
                    {spec.schedules.map((schedule) => (
                      <div key={schedule} title={schedule}>
                        {scheduleWords(schedule) ?? <code>{schedule}</code>}
                      </div>
                    ))}
                    <span class="muted">{spec.timezone || words.usualZone}</span>
                  </td>
                  <td class="muted number" data-head={words.nextField}>
                    {whenText(nexts.get(cron)?.toISOString(), now)}
                  </td>
                  <td class="muted number" data-head={words.lastField}>{whenText(status?.lastScheduledTime, now)}</td>
                  <td>
                    <RowRuns runs={runs.get(`${metadata.namespace}/${metadata.name}`)} />
                  </td>
                </tr>
              );
            })}
            {below > 0 && <RowSpacer key="below" pixels={below} />}
          </tbody>
        </table>
      )}
      {valueOf(query, "sidePanel") === "true" && (
        <Dialog
          title={words.newButton}
          onClose={() => change({ sidePanel: undefined })}
          isWide
        >
          <ManifestEditor
            label={words.manifestLabel}
            object={exampleOf("CronWorkflow", where)}
            action={objectPages.createButton}
            onSend={async (object) => {
              const { metadata } = object as { metadata?: { namespace?: string; name?: string } };
              const into = metadata?.namespace ?? where;
              await app.source.createTemplate("CronWorkflow", into, object);
              app.go({ page: { kind: "cron", namespace: into, name: metadata?.name ?? "" }, query: [] });
            }}
          />
        </Dialog>
      )}
    </>
  );
}
