/** The live event flow: event sources, sensors and bindings, their triggers, and the runs that they started. */
import { useMemo } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { EventEntry, EventList, EventObject, LoggedEventList, Source } from "../api/source.ts";
import { keepUpdated } from "../api/live.ts";
import { Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import { EventFlowView } from "../components/event_flow_view.tsx";
import { Refused } from "./refused.tsx";
import {
  BINDING_RUNS_SELECTOR,
  type FlowNode,
  flowOf,
  keyLitBy,
  layFlow,
  newRuns,
  SENSOR_RUNS_SELECTOR,
} from "../model/event_flow.ts";
import { type PageAddress, valueOf, withValues } from "../model/place.ts";
import { runComparator } from "../model/run_list.ts";
import { DEFAULT_ORDER } from "@tiphys/model/status";
import { EventNodeDialog } from "./event_node_dialog.tsx";
import { EventTabs } from "./event_tabs.tsx";
import { useAnswer, useWhileShown } from "./hooks.ts";
import { useLiveRuns } from "./live_runs.ts";
import { NamespaceChoice } from "./namespace_choice.tsx";
import * as words from "../model/text/en/events.ts";
import * as shared from "../model/text/en/shared.ts";

/** The maximum number of runs of each kind that are read; the flow links to the others. */
const MAX_RUNS = "100";
/** The time for which a step stays highlighted. */
const LIT_MILLIS = 3_000;

export function EventFlowPage({ namespace }: { namespace: string }) {
  const app = useApp();
  const { place } = app;
  const { query } = place.value;
  const { answer, refetch } = useAnswer((signal) => readObjects(app.source, namespace, signal), [namespace]);
  const ofSensors = useLiveRuns(namespace, [["label", SENSOR_RUNS_SELECTOR], ["limit", MAX_RUNS]]).rows.value;
  const ofBindings = useLiveRuns(namespace, [["label", BINDING_RUNS_SELECTOR], ["limit", MAX_RUNS]]).rows.value;
  const hasRuns = valueOf(query, "showWorkflows") !== "false";
  const isExpanded = valueOf(query, "expanded") === "true";
  // Logs are per namespace, so they are not read for all namespaces.
  const isFlowing = valueOf(query, "showFlow") !== "false" && namespace !== "";
  const { value } = answer;
  const facts = value.kind === "here" ? value.value : undefined;
  const runs = useMemo(
    () =>
      [...ofSensors?.rows ?? [], ...ofBindings?.rows ?? []].sort(runComparator({ order: DEFAULT_ORDER, loadedAt: 0 })),
    [ofSensors, ofBindings],
  );
  const flow = useMemo(() => facts && layFlow(flowOf({ ...facts, runs }, { hasRuns, isExpanded })), [
    facts,
    runs,
    hasRuns,
    isExpanded,
  ]);
  const lit = useHighlightedKeys(namespace, isFlowing && (facts?.isInstalled ?? false));
  const now = app.now.value;
  const shining = new Set([
    ...[...lit.value].filter(([, time]) => now - time < LIT_MILLIS).map(([key]) => key),
    ...newRuns(runs, now),
  ]);
  const withQuery = (values: Parameters<typeof withValues>[1]): PageAddress => ({
    page: { kind: "event-flow", namespace },
    query: withValues(query, values),
  });
  const selectedKey = valueOf(query, "selectedNode");
  const selected = flow?.nodes.find(({ key, object }) => key === selectedKey && object !== undefined);
  const hrefOf = (node: FlowNode) => app.hrefOf(node.place ?? withQuery({ selectedNode: node.key, tab: undefined }));
  const toggle = (word: string, name: string, isOn: boolean, defaultValue: boolean) => (
    <button
      type="button"
      class="button toggle"
      aria-pressed={isOn}
      onClick={() => app.go(withQuery({ [name]: isOn === defaultValue ? String(!isOn) : undefined }))}
    >
      {word}
    </button>
  );
  return (
    <>
      <header class="page-head">
        <h1>{words.heading}</h1>
        <NamespaceChoice />
      </header>
      <EventTabs shown="event-flow" namespace={namespace} />
      {value.kind === "waiting" && <p class="coming">{shared.loading}</p>}
      {value.kind === "refused" && <Refused refusal={value.refusal} onAgain={refetch} />}
      {facts && flow && flow.nodes.length === 0 && <Empty isInstalled={facts.isInstalled} />}
      {facts && flow && flow.nodes.length > 0 && (
        <>
          <div class="flow-tools">
            {toggle(words.runsToggle, "showWorkflows", hasRuns, true)}
            {hasRuns && toggle(words.allRunsToggle, "expanded", isExpanded, false)}
            {namespace !== "" && facts.isInstalled && toggle(words.followToggle, "showFlow", isFlowing, true)}
          </div>
          <EventFlowView flow={flow} lit={shining} selected={selectedKey} hrefOf={hrefOf} />
        </>
      )}
      {selected && (
        <EventNodeDialog
          key={selected.key}
          node={selected}
          placeOf={(tab) => withQuery({ tab })}
          onClose={() => app.go(withQuery({ selectedNode: undefined, tab: undefined }))}
        />
      )}
      {flow && selectedKey !== undefined && !selected && (
        <p class="note" role="status">
          {words.objectNotFound(selectedKey)}
        </p>
      )}
    </>
  );
}

function Empty({ isInstalled }: { isInstalled: boolean }) {
  return (
    <section class="card">
      <h2>{words.noneYet}</h2>
      <p>
        {isInstalled ? words.aboutInstalled : words.aboutUninstalled}
      </p>
      <pre class="words">kubectl apply -f workflow-event-binding.yaml</pre>
    </section>
  );
}

interface Objects extends Record<"sources" | "sensors" | "bindings", readonly EventObject[]> {
  readonly isInstalled: boolean;
}

/** Reads the objects of a flow. The kinds of Argo Events are missing if it is not installed. @throws {Refusal} */
async function readObjects(source: Source, namespace: string, signal: AbortSignal): Promise<Objects> {
  const list = (kind: EventList) => source.listEventObjects(kind, namespace, signal);
  const ifInstalled = (kind: EventList) =>
    list(kind).catch((error) => {
      if (error instanceof Refusal && error.kind === "absent") return undefined;
      throw error;
    });
  const [sources, sensors, bindings] = await Promise.all([
    ifInstalled("event-sources"),
    ifInstalled("sensors"),
    list("workflow-event-bindings"),
  ]);
  return { sources: sources ?? [], sensors: sensors ?? [], bindings, isInstalled: sources !== undefined };
}

/** Returns the last highlighted keys with their times, from the logs of a namespace. */
function useHighlightedKeys(namespace: string, isWanted: boolean) {
  const { source } = useApp();
  const lit = useSignal<ReadonlyMap<string, number>>(new Map());
  useWhileShown((signal) => {
    if (!isWanted) return;
    for (const list of ["event-sources", "sensors"] as const satisfies readonly LoggedEventList[]) {
      void keepUpdated<readonly EventEntry[]>({
        list: () => Promise.resolve(undefined),
        watch: (_from, both, watcher) => source.eventLogs(list, namespace, { tailLines: 0 }, both, watcher),
        apply(batches) {
          const now = Date.now();
          const keys = batches.flat().map(keyLitBy).filter((key) => key !== undefined);
          if (keys.length > 0) lit.value = new Map([...lit.value, ...keys.map((key) => [key, now] as const)]);
        },
        // Without the right to read logs, the flow is still highlighted by new runs.
        tell: () => {},
      }, signal);
    }
  }, [namespace, isWanted]);
  return lit;
}
