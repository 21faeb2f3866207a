/** The list of cron workflows: when each comes next, and whether it does. */
import { useApp } from "../app.ts";
import { CronState } from "../components/cron_state.tsx";
import { Dialog } from "../components/dialog.tsx";
import { LineAbout, Title } from "../components/markdown.tsx";
import { Refused } from "./refused.tsx";
import { agoText } from "../model/duration.ts";
import { exampleOf } from "../model/examples.ts";
import { valueOf, withValues } from "../model/place.ts";
import { nextTimes } from "../model/schedule.ts";
import { useAnswer } from "./hooks.ts";
import { ManifestEditor } from "./manifest_editor.tsx";
import { NamespaceChoice } from "./namespace_choice.tsx";

/** The page. */
export function CronsPage({ namespace }: { namespace: string }) {
  const app = useApp();
  const { query } = app.place.value;
  const { answer, again } = useAnswer(
    (signal) => app.source.listTemplates("CronWorkflow", namespace, [], signal),
    [namespace],
  );
  const { value } = answer;
  const now = app.now.value;
  const change = (values: Parameters<typeof withValues>[1]) =>
    app.go({ ...app.place.value, query: withValues(query, values) });
  const where = namespace || app.info.value.managedNamespace || "default";
  const hrefOf = (into: string, name: string) =>
    app.hrefOf({ page: { kind: "cron", namespace: into, name }, query: [] });
  const newHref = app.hrefOf({ ...app.place.value, query: withValues(query, { sidePanel: "true" }) });
  return (
    <>
      <header class="page-head">
        <h1>Schedules</h1>
        <NamespaceChoice />
        <a
          class="button primary end"
          href={newHref}
        >
          New schedule
        </a>
      </header>
      {value.kind === "waiting" && <p class="muted">Loading …</p>}
      {value.kind === "refused" && <Refused refusal={value.refusal} onAgain={again} />}
      {value.kind === "here" && value.value.length === 0 && (
        <section class="card">
          <h2>No schedules yet</h2>
          <p>A cron workflow makes runs at set times. Write one here, or in a terminal:</p>
          <pre class="words">tiphys cron create my-schedule.yaml</pre>
          <a class="button" href={newHref}>Write one</a>
        </section>
      )}
      {value.kind === "here" && value.value.length > 0 && (
        <table class="crons">
          <thead>
            <tr>
              <th>Name</th>
              {namespace === "" && <th>Namespace</th>}
              <th>State</th>
              <th>Schedule</th>
              <th>Next</th>
              <th>Last</th>
            </tr>
          </thead>
          <tbody>
            {value.value.map(({ metadata, spec, status }) => {
              const [next] = nextTimes(spec.schedules, spec.timezone, new Date(now), 1).times;
              const isOff = spec.suspend || status?.phase === "Stopped";
              return (
                <tr key={metadata.uid} data-cron={metadata.name}>
                  <td class="name">
                    <a href={hrefOf(metadata.namespace ?? "", metadata.name ?? "")} title={metadata.name}>
                      <Title metadata={metadata} />
                    </a>
                    <LineAbout metadata={metadata} />
                  </td>
                  {namespace === "" && <td class="muted">{metadata.namespace}</td>}
                  <td>
                    <CronState isSuspended={spec.suspend ?? false} isStopped={status?.phase === "Stopped"} />
                  </td>
                  <td class="mono">{spec.schedules.join(" · ")} {spec.timezone}</td>
                  <td class="muted" data-head="Next">{isOff ? "" : agoText(next?.toISOString(), now)}</td>
                  <td class="muted" data-head="Last">{agoText(status?.lastScheduledTime, now)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {valueOf(query, "sidePanel") === "true" && (
        <Dialog
          title="New schedule"
          onClose={() => change({ sidePanel: undefined })}
          isWide
        >
          <ManifestEditor
            label="Manifest of the cron workflow"
            object={exampleOf("CronWorkflow", where)}
            action="Create"
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
