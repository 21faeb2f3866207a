/** The dialog of one item of the event flow: its manifest, its logs, and its Kubernetes events. */
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { keepUpdated } from "../api/live.ts";
import { Refusal } from "../api/refusal.ts";
import type { EventEntry, KubeEvent, LoggedEventList } from "../api/source.ts";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { LinkList } from "../components/link_list.tsx";
import { Refused } from "./refused.tsx";
import { Tabs } from "../components/tabs.tsx";
import { momentText, whenText } from "../model/duration.ts";
import type { FlowNode } from "../model/event_flow.ts";
import { objectLinks } from "../model/links.ts";
import { manifestText } from "../model/manifest.ts";
import { type PageAddress, valueOf } from "../model/place.ts";
import { useWhileShown } from "./hooks.ts";
import * as words from "../model/text/en/events.ts";
import * as objects from "../model/text/en/object_pages.ts";
import * as shared from "../model/text/en/shared.ts";

const TABS = { summary: words.summaryTab, logs: words.logsTab, events: words.eventsTab } as const;
/** The name of a tab in addresses. */
export type EventTabName = keyof typeof TABS;

/** The maximum number of entries that are kept; the oldest are dropped first. */
const MAX_ITEMS = 500;
const FIRST = 50;

interface Props {
  readonly node: FlowNode;
  readonly placeOf: (tab: EventTabName) => PageAddress;
  /** Shown instead of its manifest. */
  readonly summary?: ComponentChildren;
  /** Shown above its log: a selector of parts. */
  readonly parts?: ComponentChildren;
  readonly onClose: () => void;
}

export function EventNodeDialog({ node, placeOf, summary, parts, onClose }: Props) {
  const app = useApp();
  const { query } = app.place.value;
  // Argo's page has the log and its events in separate panels.
  const tabNamed = valueOf(query, "tab") ?? valueOf(query, "logTab") ??
    (valueOf(query, "selectedLogNode") === undefined ? undefined : "logs");
  const tab = (Object.keys(TABS) as EventTabName[]).find((candidate) => candidate === tabNamed) ?? "summary";
  const { list, object } = node.object!;
  const { name, namespace } = object.metadata;
  return (
    <Dialog title={node.label} onClose={onClose} isWide>
      <p class="muted">{node.secondLine}</p>
      <Tabs
        label={words.aboutLabel(node.label)}
        words={TABS}
        current={tab}
        hrefOf={(name) => app.hrefOf(placeOf(name))}
      />
      {tab === "logs" && (
        <LinkList
          links={objectLinks(
            app.info.value.links,
            list === "sensors" ? "sensor-logs" : "event-source-logs",
            object.metadata,
          )}
        />
      )}
      {tab === "summary" &&
        (summary ?? (
          <pre
            class="artifact-text"
            tabIndex={0}
            aria-label={objects.manifestOf(name)}
          >{manifestText(object.whole)}</pre>
        ))}
      {tab === "logs" && parts}
      {tab === "logs" && (list === "workflow-event-bindings"
        ? <p class="muted">{words.bindingsHaveNoLog}</p>
        : <Entries list={list} namespace={namespace} name={name} part={node.part} />)}
      {tab === "events" && <KubeEvents namespace={namespace} name={name} />}
    </Dialog>
  );
}

function Entries({ list, namespace, name, part }: {
  readonly list: LoggedEventList;
  readonly namespace: string;
  readonly name: string;
  readonly part: string | undefined;
}) {
  const app = useApp();
  const entries = useSignal<readonly EventEntry[]>([]);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const isOpen = useSignal(false);
  useWhileShown((signal) => {
    entries.value = [];
    isOpen.value = false;
    void keepUpdated<readonly EventEntry[]>({
      list: () => Promise.resolve(undefined),
      watch(_from, both, watcher) {
        // The stream restarts from the beginning.
        entries.value = [];
        return app.source.eventLogs(list, namespace, { name, part, tailLines: FIRST }, both, {
          ...watcher,
          onOpen() {
            isOpen.value = true;
            watcher.onOpen?.();
          },
        });
      },
      apply: (batches) => void (entries.value = [...entries.value, ...batches.flat()].slice(-MAX_ITEMS)),
      tell: (state) => void (refusal.value = state.kind === "refused" ? state.refusal : undefined),
    }, signal);
  }, [list, namespace, name, part]);
  if (refusal.value) return <Refused refusal={refusal.value} />;
  if (entries.value.length === 0) {
    return <p class="muted">{isOpen.value ? words.logIsEmpty : words.readingLog}</p>;
  }
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={words.logLabel}>
      <table class="events">
        <thead>
          <tr>
            <th>{words.timeField}</th>
            <th>{words.levelField}</th>
            <th>{shared.messageField}</th>
          </tr>
        </thead>
        <tbody>
          {entries.value.map(({ time, level, message }, index) => (
            <tr key={index}>
              <td class="muted number" title={time}>{momentText(time) || time}</td>
              <td class="entry-level">{level}</td>
              <td class="foreign">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KubeEvents({ namespace, name }: { namespace: string; name: string }) {
  const app = useApp();
  const events = useSignal<readonly KubeEvent[]>([]);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const isOpen = useSignal(false);
  useWhileShown((signal) => {
    isOpen.value = false;
    const watcher = { onOpen: () => void (isOpen.value = true) };
    void (async () => {
      while (!signal.aborted) {
        events.value = [];
        try {
          for await (const event of app.source.events(namespace, name, signal, watcher)) {
            events.value = [event, ...events.value].slice(0, MAX_ITEMS);
          }
          return;
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof Refusal)) throw error;
          // The last version is too old to continue: everything is requested again.
          if (error.status === 410) continue;
          refusal.value = error;
          return;
        }
      }
    })();
  }, [namespace, name]);
  if (refusal.value) return <Refused refusal={refusal.value} />;
  if (events.value.length === 0) {
    return (
      <p class="muted">
        {isOpen.value ? words.noEventKnown : words.readingEvents}
      </p>
    );
  }
  return (
    <ul class="plain-list">
      {events.value.map(({ reason, message, lastTimestamp }, index) => (
        <li key={index}>
          <strong>{reason}</strong> <span class="foreign">{message}</span>{" "}
          <span class="muted number">{whenText(lastTimestamp, app.now.value)}</span>
        </li>
      ))}
    </ul>
  );
}
