/** The lists of objects that create runs from events: event bindings, and event sources and sensors of Argo Events. */
import { useApp } from "../app.ts";
import { Refused } from "./refused.tsx";
import { whenText } from "../model/duration.ts";
import type { EventList, EventObject, LoggedEventList } from "../api/source.ts";
import type { FlowNode } from "../model/event_flow.ts";
import { eventExampleOf } from "../model/examples.ts";
import { type EventEffect, loggedParts, namedObject, summaryOf } from "../model/event_objects.ts";
import { manifestText } from "../model/manifest.ts";
import { type Page, type PageAddress, valueOf, withValues } from "../model/place.ts";
import { Dialog } from "../components/dialog.tsx";
import { EventNodeDialog } from "./event_node_dialog.tsx";
import { EventTabs } from "./event_tabs.tsx";
import { useAnswer } from "./hooks.ts";
import { ManifestEditor } from "./editor_part.tsx";
import { NamespaceChoice } from "./namespace_choice.tsx";
import { useDeleting } from "./use_deleting.tsx";
import * as objectPages from "../model/text/en/object_pages.ts";
import * as words from "../model/text/en/events.ts";
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
    about: words.aboutBindings,
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

const NEW = { "event-sources": words.newSourceButton, sensors: words.newSensorButton } as const;

export function EventsPage({ list, namespace, name }: Props) {
  const app = useApp();
  const { query } = app.place.value;
  const { answer, refetch } = useAnswer<readonly EventObject[]>(
    (signal) => app.source.listEventObjects(list, namespace, signal),
    [list, namespace],
  );
  const { value } = answer;
  // Argo's page names the selected object, and the part whose log is shown, as `NAMESPACE/Type/NAME/PART`.
  const [inNamespace, , inName, part] = (valueOf(query, "selectedLogNode") ?? valueOf(query, "selectedNode") ?? "")
    .split("/");
  const selectedNode = inName && `${inNamespace}/${inName}`;
  const wanted = namedObject(
    value.kind === "here" ? value.value : [],
    name ?? valueOf(query, "selected") ?? valueOf(query, "selectedWorkflowEventBinding") ?? selectedNode,
  );
  const shown = wanted?.object;
  const listPlace: PageAddress = { page: { kind: "events", list, namespace, name: undefined }, query: [] };
  const where = namespace || app.info.value.managedNamespace || "default";
  const isAbsent = value.kind === "refused" && value.refusal.kind === "absent";
  return (
    <>
      <header class="page-head">
        <h1>{words.heading}</h1>
        <NamespaceChoice />
        {list !== "workflow-event-bindings" && !isAbsent && (
          <a
            class="button primary end"
            href={app.hrefOf({ ...app.place.value, query: withValues(query, { sidePanel: "true" }) })}
          >
            {NEW[list]}
          </a>
        )}
      </header>
      <EventTabs shown={list} namespace={namespace} />
      {value.kind === "waiting" && <p class="coming">{shared.loading}</p>}
      {value.kind === "refused" && !isAbsent && <Refused refusal={value.refusal} onAgain={refetch} />}
      {(isAbsent || value.kind === "here" && value.value.length === 0) && (
        <section class="card">
          <h2>{isAbsent ? words.notInstalled : WORDS[list].none}</h2>
          <p>{WORDS[list].about}</p>
          <pre class="words">
            {isAbsent
              ? "kubectl get crd eventsources.argoproj.io"
              : `kubectl apply -f - <<EOF\n${manifestText(eventExampleOf(list, where))}EOF`}
          </pre>
        </section>
      )}
      {value.kind === "here" && value.value.length > 0 && (
        <table class="events">
          <thead>
            <tr>
              <th>{shared.nameField}</th>
              {namespace === "" && <th>{shared.namespaceField}</th>}
              <th>{WORDS[list].cause}</th>
              {list !== "event-sources" && <th>{words.actionsField}</th>}
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
                  <td class="mono" data-head={WORDS[list].cause}>
                    {causes.map((cause) => <div key={cause}>{cause}</div>)}
                  </td>
                  {list !== "event-sources" && (
                    <td data-head={words.actionsField}>
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
      {shown && (list === "workflow-event-bindings"
        ? (
          <Dialog title={shown.metadata.name} onClose={() => app.go(listPlace)} isWide>
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
            <pre class="artifact-text" tabIndex={0} aria-label={objectPages.manifestOf(shown.metadata.name)}>
              {manifestText(shown.whole)}
            </pre>
          </Dialog>
        )
        : (
          <EventObjectDialog
            key={`${shown.metadata.namespace}/${shown.metadata.name}`}
            list={list}
            object={shown}
            part={part}
            onChange={refetch}
            onClose={() => app.go(listPlace)}
          />
        ))}
      {list !== "workflow-event-bindings" && valueOf(query, "sidePanel") === "true" && (
        <Dialog
          title={NEW[list]}
          onClose={() => app.go(listPlace)}
          isWide
        >
          <ManifestEditor
            label={words.manifestLabel}
            object={eventExampleOf(list, where)}
            action={objectPages.createButton}
            onSend={async (object) => {
              const { metadata } = object as { metadata?: { namespace?: string } };
              await app.source.saveEventObject(list, metadata?.namespace ?? where, undefined, object);
              app.go(listPlace);
              refetch();
            }}
          />
        </Dialog>
      )}
      {value.kind === "here" && wanted !== undefined && !shown && (
        <p class="note" role="status">{words.objectNotFound(wanted.name)}</p>
      )}
    </>
  );
}

/** The dialog of an event source or a sensor: its editable manifest, its log by parts, and its events. */
function EventObjectDialog({ list, object, part, onChange, onClose }: {
  readonly list: LoggedEventList;
  readonly object: EventObject;
  readonly part: string | undefined;
  readonly onChange: () => void;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const { value: place } = app.place;
  const { name, namespace } = object.metadata;
  const key = `${namespace}/${list === "sensors" ? "Sensor" : "EventSource"}/${name}`;
  const deleting = useDeleting({
    key,
    name,
    about: objectPages.ofEvents,
    async remove() {
      await app.source.deleteEventObject(list, namespace, name);
      onClose();
      onChange();
    },
  });
  const node: FlowNode = {
    key,
    kind: list === "sensors" ? "sensor" : "event",
    label: name,
    secondLine: summaryOf(list, object).causes.join(" · "),
    object: { list, object },
    ...(part ? { part } : {}),
  };
  return (
    <EventNodeDialog
      node={node}
      placeOf={(tab) => ({ ...place, query: withValues(place.query, { tab, logTab: undefined }) })}
      onClose={onClose}
      summary={
        <>
          <div class="row editor-tools">
            <button type="button" class="button danger end" onClick={deleting.ask}>
              {objectPages.askDeleteButton}
            </button>
          </div>
          {deleting.shown}
          <ManifestEditor
            key={manifestText(object.whole)}
            label={objectPages.manifestOf(name)}
            object={object.whole}
            action={objectPages.saveButton}
            newest={async () =>
              namedObject(await app.source.listEventObjects(list, namespace), `${namespace}/${name}`)?.object?.whole}
            onSend={async (sent) => {
              await app.source.saveEventObject(list, namespace, name, sent);
              onChange();
            }}
          />
        </>
      }
      parts={
        <label class="row">
          {words.logOf}
          <select
            onChange={({ currentTarget: { value } }) =>
              app.go({
                ...place,
                query: withValues(place.query, { tab: "logs", selectedLogNode: value && `${key}/${value}` }),
              })}
          >
            <option value="">{words.allParts}</option>
            {loggedParts(list, object).map((loggedPart) => (
              <option key={loggedPart} value={loggedPart} selected={loggedPart === part}>{loggedPart}</option>
            ))}
          </select>
        </label>
      }
    />
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

/** Returns the address of an object in a list; a list of all namespaces stays one when the object is closed. */
function placeOf(list: EventList, listed: string, { metadata: { namespace, name } }: EventObject): PageAddress {
  return listed === ""
    ? { page: { kind: "events", list, namespace: "", name: undefined }, query: [["selected", `${namespace}/${name}`]] }
    : { page: { kind: "events", list, namespace, name }, query: [] };
}
