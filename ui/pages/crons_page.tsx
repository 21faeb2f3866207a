/** The list of cron workflows: when each comes next, and whether it does. */
import { useApp } from "../app.ts";
import { CronState } from "../components/cron_state.tsx";
import { Dialog } from "../components/dialog.tsx";
import { LineAbout } from "../components/markdown.tsx";
import { TitledName } from "../components/titled_name.tsx";
import { Refused } from "./refused.tsx";
import { whenText } from "../model/duration.ts";
import { exampleOf } from "../model/examples.ts";
import { valueOf, withValues } from "../model/place.ts";
import { nextTimes } from "../model/schedule.ts";
import { useAnswer } from "./hooks.ts";
import { ManifestEditor } from "./editor_part.tsx";
import { NamespaceChoice } from "./namespace_choice.tsx";
import { grouped } from "../model/text/en.ts";
import * as words from "../model/text/en/crons_page.ts";
import * as objects from "../model/text/en/object_pages.ts";
import * as shared from "../model/text/en/shared.ts";

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
        <h1>{words.heading}</h1>
        <span class="muted number count">{value.kind === "here" && grouped(value.value.length)}</span>
        <NamespaceChoice />
        <a
          class="button primary end"
          href={newHref}
        >
          {words.newButton}
        </a>
      </header>
      {value.kind === "waiting" && <p class="muted">{shared.loading}</p>}
      {value.kind === "refused" && <Refused refusal={value.refusal} onAgain={again} />}
      {value.kind === "here" && value.value.length === 0 && (
        <section class="card">
          <h2>{words.noneYet}</h2>
          <p>{words.about}</p>
          <pre class="words">tiphys cron create my-schedule.yaml</pre>
          <a class="button" href={newHref}>{shared.writeOneButton}</a>
        </section>
      )}
      {value.kind === "here" && value.value.length > 0 && (
        <table class="crons">
          <thead>
            <tr>
              <th>{shared.nameField}</th>
              {namespace === "" && <th>{shared.namespaceField}</th>}
              <th>{words.stateField}</th>
              <th>{words.scheduleField}</th>
              <th>{words.nextField}</th>
              <th>{words.lastField}</th>
            </tr>
          </thead>
          <tbody>
            {value.value.map(({ metadata, spec, status }) => {
              const [next] = nextTimes(spec.schedules, spec.timezone, new Date(now), 1).times;
              const isOff = spec.suspend || status?.phase === "Stopped";
              return (
                <tr key={metadata.uid} data-cron={metadata.name}>
                  <td class="name">
                    <TitledName metadata={metadata} href={hrefOf(metadata.namespace ?? "", metadata.name ?? "")} />
                    <LineAbout metadata={metadata} />
                  </td>
                  {namespace === "" && <td class="muted">{metadata.namespace}</td>}
                  <td>
                    <CronState isSuspended={spec.suspend ?? false} isStopped={status?.phase === "Stopped"} />
                  </td>
                  <td class="mono">{spec.schedules.join(" · ")} {spec.timezone}</td>
                  <td class="muted number" data-head={words.nextField}>
                    {isOff ? "" : whenText(next?.toISOString(), now)}
                  </td>
                  <td class="muted number" data-head={words.lastField}>{whenText(status?.lastScheduledTime, now)}</td>
                </tr>
              );
            })}
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
            action={objects.createButton}
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
