/** The tabs of events: the flow, and a list for each kind of object. */
import type { EventList } from "../api/source.ts";
import { useApp } from "../app.ts";
import { Tabs } from "../components/tabs.tsx";
import * as words from "../model/text/en/events.ts";

type EventTab = "event-flow" | EventList;

const WORDS: Readonly<Record<EventTab, string>> = {
  "event-flow": words.flowTab,
  "workflow-event-bindings": words.bindingsTab,
  "event-sources": words.sourcesTab,
  sensors: words.sensorsTab,
};

export function EventTabs({ shown, namespace }: { shown: EventTab; namespace: string }) {
  const app = useApp();
  return (
    <Tabs
      label={words.kindsLabel}
      words={WORDS}
      current={shown}
      hrefOf={(tab) =>
        app.hrefOf({
          page: tab === "event-flow"
            ? { kind: "event-flow", namespace }
            : { kind: "events", list: tab, namespace, name: undefined },
          query: [],
        })}
    />
  );
}
