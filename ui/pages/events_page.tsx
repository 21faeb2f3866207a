/** The objects that make runs from events: bindings of this API, event sources and sensors of Argo Events, each with its manifest. */
import { useApp } from "../app.ts";
import { Refused } from "./refused.tsx";
import { whenText } from "../model/duration.ts";
import type { EventList, EventObject } from "../api/source.ts";
import { type EventEffect, namedObject, summaryOf } from "../model/event_objects.ts";
import { manifestText } from "../model/manifest.ts";
import { type Page, type Place, valueOf } from "../model/place.ts";
import { Dialog } from "../components/dialog.tsx";
import { EventTabs } from "./event_tabs.tsx";
import { useAnswer } from "./hooks.ts";
import { NamespaceChoice } from "./namespace_choice.tsx";
import * as words from "../model/text/en/events_page.ts";
import * as pages from "../model/text/en/event_pages.ts";
import * as objects from "../model/text/en/object_pages.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly list: EventList;
  readonly namespace: string;
  /** The object whose manifest is shown. */
  readonly name: string | undefined;
}

const WORDS: Readonly<Record<EventList, { readonly none: string; readonly cause: string; readonly about: string }>> = {
  "workflow-event-bindings": {
    none: words.noBindingsYet,
    cause: words.waitsForField,
    about: pages.aboutBindings,
  },
  "event-sources": {
    none: words.noSourcesYet,
    cause: words.eventsField,
    about: words.aboutSources,
  },
  sensors: {
    none: words.noSensorsYet,
    cause: words.waitsForField,
    about: words.aboutSensors,
  },
};

/** The page. */
export function EventsPage({ list, namespace, name }: Props) {
  const app = useApp();
  const { query } = app.place.value;
  const { answer, again } = useAnswer<readonly EventObject[]>(
    (signal) => app.source.listEventObjects(list, namespace, signal),
    [list, namespace],
  );
  const { value } = answer;
  const wanted = namedObject(
    value.kind === "here" ? value.value : [],
    name ?? valueOf(query, "selected") ?? valueOf(query, "selectedWorkflowEventBinding"),
  );
  const shown = wanted?.object;
  const listPlace: Place = { page: { kind: "events", list, namespace, name: undefined }, query: [] };
  const isAbsent = value.kind === "refused" && value.refusal.kind === "absent";
  return (
    <>
      <header class="page-head">
        <h1>{pages.heading}</h1>
        <NamespaceChoice />
      </header>
      <EventTabs shown={list} namespace={namespace} />
      {value.kind === "waiting" && <p class="muted">{shared.loading}</p>}
      {value.kind === "refused" && !isAbsent && <Refused refusal={value.refusal} onAgain={again} />}
      {(isAbsent || value.kind === "here" && value.value.length === 0) && (
        <section class="card">
          <h2>{isAbsent ? words.notInstalled : WORDS[list].none}</h2>
          <p>{WORDS[list].about}</p>
          <pre class="words">{isAbsent ? "kubectl get crd eventsources.argoproj.io" : `kubectl apply -f ${list}.yaml`}</pre>
        </section>
      )}
      {value.kind === "here" && value.value.length > 0 && (
        <table class="events">
          <thead>
            <tr>
              <th>{shared.nameField}</th>
              {namespace === "" && <th>{shared.namespaceField}</th>}
              <th>{WORDS[list].cause}</th>
              {list !== "event-sources" && <th>{words.thenField}</th>}
              <th>{words.createdField}</th>
            </tr>
          </thead>
          <tbody>
            {value.value.map((object) => {
              const { metadata } = object;
              const { causes, effects } = summaryOf(list, object);
              return (
                <tr key={`${metadata.namespace}/${metadata.name}`}>
                  <td class="name">
                    <a href={app.hrefOf(placeOf(list, namespace, object))}>{metadata.name}</a>
                  </td>
                  {namespace === "" && <td class="muted">{metadata.namespace}</td>}
                  <td class="mono" data-head={WORDS[list].cause}>{causes.map((one) => <div key={one}>{one}</div>)}</td>
                  {list !== "event-sources" && (
                    <td data-head={words.thenField}>
                      {effects.map((effect) => (
                        <div key={effect.words}>
                          <Effect effect={effect} namespace={metadata.namespace} />
                        </div>
                      ))}
                    </td>
                  )}
                  <td class="muted number" data-head={words.createdField}>
                    {whenText(metadata.creationTimestamp, app.now.value)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {shown && (
        <Dialog title={shown.metadata.name} onClose={() => app.go(listPlace)} isWide>
          {list === "workflow-event-bindings" && (
            <p>
              <a
                href={app.hrefOf({
                  page: { kind: "runs", namespace: shown.metadata.namespace },
                  query: [["label", `workflows.argoproj.io/workflow-event-binding=${shown.metadata.name}`]],
                })}
              >
                {words.itsRunsLink}
              </a>
            </p>
          )}
          <pre class="artifact-text" tabIndex={0} aria-label={objects.manifestOf(shown.metadata.name)}>
            {manifestText(shown.whole)}
          </pre>
        </Dialog>
      )}
      {value.kind === "here" && wanted !== undefined && !shown && (
        <p class="note" role="status">{pages.isNotHere(wanted.name)}</p>
      )}
    </>
  );
}

function Effect({ effect: { words: done, template }, namespace }: { effect: EventEffect; namespace: string }) {
  const app = useApp();
  if (!template) return <>{done}</>;
  const page: Page = template.isCluster
    ? { kind: "cluster-template", name: template.name }
    : { kind: "template", namespace, name: template.name };
  return <a href={app.hrefOf({ page, query: [] })}>{done}</a>;
}

/** The place of an object in a list: that of all namespaces stays what it is when the object is closed. */
function placeOf(list: EventList, listed: string, { metadata: { namespace, name } }: EventObject): Place {
  return listed === ""
    ? { page: { kind: "events", list, namespace: "", name: undefined }, query: [["selected", `${namespace}/${name}`]] }
    : { page: { kind: "events", list, namespace, name }, query: [] };
}
