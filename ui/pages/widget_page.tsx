/**
 * Widgets: the newest run with a name or label as a graph or badge, embedded in another page. Links open outside the
 * frame.
 */
import { useEffect, useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { isCompletedPhase } from "@tiphys/model/status";
import { useApp } from "../app.ts";
import { PhaseGlyph } from "../components/glyph.tsx";
import { RefusalCard } from "../components/refusal_card.tsx";
import { GraphView } from "../components/run/graph_view.tsx";
import { durationText, elapsedMillis } from "../model/duration.ts";
import type { FoldChoices } from "../model/graph/fold.ts";
import { lookOfRun } from "../model/phase.ts";
import type { Query, Widget } from "../model/place.ts";
import { type WidgetQuery, widgetQuery } from "../model/widget_query.ts";
import { useLiveRun } from "./live_run.ts";
import { useLiveRuns } from "./live_runs.ts";
import { useGraph, useLayout } from "./run/use_graph.ts";
import * as words from "../model/text/en/widget_page.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly widget: Widget;
  readonly namespace: string;
}

/** The widget page. */
export function WidgetPage({ widget, namespace }: Props) {
  const app = useApp();
  const wish = widgetQuery(app.place.value.query);
  useEffect(() => {
    document.title = words.documentTitle;
  }, []);
  return (
    <main id="main" class={`widget widget-${widget}`}>
      {wish.runs
        ? <Newest widget={widget} namespace={namespace} wish={wish} runs={wish.runs} />
        : <Words text={words.addressNeeded} />}
    </main>
  );
}

/** A text shown instead of a run; every page has one heading. */
function Words({ text }: { text: string }) {
  return <h1 class="widget-words muted">{text}</h1>;
}

function Newest({ widget, namespace, wish, runs }: Props & { readonly wish: WidgetQuery; readonly runs: Query }) {
  const app = useApp();
  const { rows, state } = useLiveRuns(namespace, runs);
  const run = rows.value?.rows[0];
  if (!run && state.value.kind === "refused") {
    return (
      <>
        <h1 class="hidden">{words.refused}</h1>
        <RefusalCard refusal={state.value.refusal} login={app.session.login} />
      </>
    );
  }
  if (!rows.value) return <Words text={shared.loading} />;
  if (!run) return <Words text={words.noMatchingRun} />;
  return (
    <>
      <RunLine run={run} target={wish.target} />
      {widget === "workflow-graphs" && <RunGraph key={run.metadata.uid} run={run} wish={wish} />}
    </>
  );
}

/** Returns the link attributes of a target; a new tab cannot access the page that opened it. */
function linkTo(target: string) {
  return target === "_blank" ? { target, rel: "noopener" } : { target };
}

function useRunHref(run: Workflow): (query: Query) => string {
  const app = useApp();
  const { namespace = "", name = "", uid } = run.metadata;
  return (query) =>
    app.hrefOf({ page: { kind: "run", namespace, name }, query: [...(uid ? [["uid", uid] as const] : []), ...query] });
}

function RunLine({ run, target }: { run: Workflow; target: string }) {
  const app = useApp();
  const { status = {}, metadata } = run;
  const href = useRunHref(run);
  const took = elapsedMillis(status.startedAt, status.finishedAt, app.now.value);
  return (
    <h1 class="widget-line">
      <a href={href([])} {...linkTo(target)}>
        <PhaseGlyph look={lookOfRun(run)} withWord />
        <span class="widget-name">{metadata.name}</span>
      </a>
      {took !== undefined && <span class="number muted">{durationText(Math.floor(took / 1000) * 1000)}</span>}
    </h1>
  );
}

function RunGraph({ run: row, wish }: { run: Workflow; wish: WidgetQuery }) {
  const { namespace = "", name = "", uid } = row.metadata;
  const { run } = useLiveRun(namespace, name, uid);
  return run.value ? <Picture run={run.value} wish={wish} /> : <p class="coming">{shared.loading}</p>;
}

const NONE: ReadonlySet<string> = new Set();

function Picture({ run, wish: { target, hasOptions, zoom } }: { run: Workflow; wish: WidgetQuery }) {
  const app = useApp();
  const href = useRunHref(run);
  const graph = useGraph(run);
  const [fold, setFold] = useState<FoldChoices>(new Map());
  const { picture } = useLayout(graph, fold, false, undefined);
  if (!picture) return <p class="muted">{words.drawing}</p>;
  if (picture.placed.length === 0) return <p class="muted">{words.noNodesYet}</p>;
  const now = isCompletedPhase(run.status?.phase) ? Date.parse(run.status?.finishedAt ?? "") || 0 : app.now.value;
  const onSelect = (key: string | undefined) => {
    const node = Object.values(run.status?.nodes ?? {}).find(({ name }) => name === key);
    if (node) open(href([["nodeId", node.id]]), target, target === "_blank" ? "noopener" : "");
  };
  const isOpen = (key: string) => picture.placed.some((placedPart) => placedPart.isOpen && placedPart.part.key === key);
  return (
    <GraphView
      picture={picture}
      now={now}
      selected={undefined}
      marked={NONE}
      isBare={!hasOptions}
      zoom={zoom}
      onSelect={onSelect}
      onToggle={(key) => setFold(new Map([...fold, [key, !isOpen(key)]]))}
    />
  );
}
