/** The page of one run: its head with the sentence, the tabs, and the panel of the node that is chosen. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Workflow } from "../../../lib/api/mod.ts";
import { attemptsOf, isActiveSuspend, isCompletedPhase, podNameOf, storedTemplateOf } from "../../../lib/status/mod.ts";
import { useApp } from "../../app.ts";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { LiveDot } from "../../components/live_dot.tsx";
import { RefusalCard } from "../../components/refusal_card.tsx";
import { NodePanel, ReasonList } from "../../components/run/node_panel.tsx";
import { ResumeForm } from "../../components/run/resume_form.tsx";
import { durationText, elapsed, momentText } from "../../model/duration.ts";
import { criticalPath, type Segment } from "../../model/graph/critical_path.ts";
import { failedLeaves, findParts } from "../../model/graph/find.ts";
import { partsOf } from "../../model/graph/parts.ts";
import { lookOfRun } from "../../model/phase.ts";
import { valueOf } from "../../model/place.ts";
import { changedQuery, readRunView, type RunTab, type RunViewChange, TABS } from "../../model/run/run_view.ts";
import { sentenceOf } from "../../model/run/sentence.ts";
import { useLiveRun } from "../live_run.ts";
import { EventsTab } from "./events_tab.tsx";
import { GraphTab } from "./graph_tab.tsx";
import { LogsTab } from "./logs_tab.tsx";
import { ManifestTab } from "./manifest_tab.tsx";
import { RowsTab } from "./rows_tab.tsx";
import { type Doing, DoingRefusal, RunButtons, useDoing } from "./run_actions.tsx";
import type { RunScene } from "./run_scene.ts";
import { useKeys } from "./use_keys.ts";
import { useWhy } from "./use_why.ts";

/** The page. */
export function RunPage({ namespace, name }: { namespace: string; name: string }) {
  const app = useApp();
  const { run, state, isDeleted } = useLiveRun(namespace, name, valueOf(app.place.value.query, "uid"));
  const shown = run.value;
  if (!shown) {
    return state.value.kind === "refused" || state.value.kind === "offline"
      ? <RefusalCard refusal={state.value.refusal} login={app.session.login} />
      : <p class="muted">Loading {name} …</p>;
  }
  return (
    <RunBody
      namespace={namespace}
      name={name}
      run={shown}
      dot={<LiveDot state={state.value} now={app.now.value} />}
      isDeleted={isDeleted.value}
    />
  );
}

interface BodyProps {
  readonly namespace: string;
  readonly name: string;
  readonly run: Workflow;
  readonly dot: preact.ComponentChild;
  readonly isDeleted: boolean;
}

function RunBody({ namespace, name, run, dot, isDeleted }: BodyProps) {
  const app = useApp();
  const isNarrow = useNarrow();
  const place = app.place.value;
  const view = useMemo(() => readRunView(place.query, isNarrow), [place, isNarrow]);
  const isOver = isCompletedPhase(run.status?.phase);
  // The clock moves what runs; what is over stays as it is.
  const now = isOver ? Date.parse(run.status?.finishedAt ?? "") || 0 : app.now.value;
  const whole = useMemo(() => partsOf(run), [run]);
  const [text, setText] = useState("");
  const [withCritical, setCritical] = useState(false);
  const found = useMemo(() => findParts(whole, text), [whole, text]);
  const path = useMemo(() => withCritical ? criticalOf(run, whole, now) : [], [withCritical, whole, withCritical && now]);
  const marked = useMemo(() => new Set(withCritical ? path.map(({ key }) => key) : found), [path, found]);
  const byName = useMemo(() => new Map(Object.values(run.status?.nodes ?? {}).map((node) => [node.name, node])), [run]);
  const node = view.nodeId === undefined ? undefined : run.status?.nodes?.[view.nodeId];
  const placeAfter = (change: RunViewChange) => ({ ...place, query: changedQuery(place.query, change) });
  const scene: RunScene = {
    namespace,
    name,
    run,
    whole,
    view,
    now,
    node,
    marked,
    change: (change, options) => app.go(placeAfter(change), options),
    hrefOf: (change) => app.hrefOf(placeAfter(change)),
  };
  const doing = useDoing({ namespace, name, resourceVersion: run.metadata.resourceVersion });
  const [isWhyOpen, setWhyOpen] = useState(false);
  const reasons = useWhy(app.source, run, isWhyOpen || node !== undefined && view.panel === "why");
  const find = useRef<HTMLInputElement>(null);
  const goAmong = (keys: readonly string[], step: 1 | -1) => {
    const at = keys.indexOf(node?.name ?? "");
    const next = keys[(at < 0 ? (step === 1 ? 0 : keys.length - 1) : at + step + keys.length) % keys.length];
    const chosen = byName.get(next ?? "");
    if (chosen) scene.change({ nodeId: chosen.id });
  };
  const failed = useMemo(() => failedLeaves(whole), [whole]);
  const setOnly = () => scene.change({ onlyFailed: !view.onlyFailed });
  useKeys({
    ...Object.fromEntries(TABS.map((tab, i) => [String(i + 1), () => scene.change({ tab })])),
    f: setOnly,
    c: () => setCritical(!withCritical),
    l: () => node ? scene.change({ log: { nodeId: node.id, container: "main" } }) : scene.change({ tab: "logs" }),
    r: () => isOver && scene.change({ dialog: "retry" }),
    "[": () => goAmong(failed, -1),
    "]": () => goAmong(failed, 1),
    "/": () => find.current?.focus(),
    Escape: () => node && scene.change({ nodeId: undefined }),
  });
  return (
    <article class="run">
      <RunHead scene={scene} doing={doing} dot={dot} isDeleted={isDeleted} />
      <Sentence
        scene={scene}
        isOpen={isWhyOpen}
        onToggle={() => setWhyOpen(!isWhyOpen)}
        reasons={isWhyOpen ? reasons.value : undefined}
        failed={failed}
        onFailed={(step) => goAmong(failed, step)}
      />
      <DoingRefusal doing={doing} />
      <div class="run-tools">
        <Tabs scene={scene} />
        <div class="finder">
          <input
            ref={find}
            type="search"
            class="find"
            placeholder="Find a node"
            aria-label="Find a node"
            aria-keyshortcuts="/"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") goAmong(found, event.shiftKey ? -1 : 1);
              if (event.key === "Escape") event.currentTarget.blur();
            }}
          />
          {text !== "" && (
            <span class="number muted" role="status">
              {found.includes(node?.name ?? "") ? `${found.indexOf(node?.name ?? "") + 1} of ` : ""}
              {found.length || "none"}
            </span>
          )}
          <button type="button" class="button toggle" aria-pressed={view.onlyFailed} aria-keyshortcuts="f" onClick={setOnly}>Only failed</button>
          <button type="button" class="button toggle" aria-pressed={withCritical} aria-keyshortcuts="c" onClick={() => setCritical(!withCritical)}>
            Critical path
          </button>
        </div>
      </div>
      {withCritical && <CriticalPath path={path} onSelect={(key) => scene.change({ nodeId: byName.get(key)?.id })} />}
      <div class={`run-body${node ? " with-panel" : ""}`}>
        <div id="tab-body" class="tab-body" role="tabpanel" aria-labelledby={`tab-${view.tab}`}>
          <TabBody scene={scene} />
        </div>
        {node && <Panel scene={scene} doing={doing} reasons={reasons.value} isOver={isOver} />}
      </div>
    </article>
  );
}

function RunHead({ scene, doing, dot, isDeleted }: {
  readonly scene: RunScene;
  readonly doing: Doing;
  readonly dot: preact.ComponentChild;
  readonly isDeleted: boolean;
}) {
  const app = useApp();
  const { run, namespace, name, now } = scene;
  const { status = {} } = run;
  const took = elapsed(status.startedAt, status.finishedAt, now);
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={app.hrefOf({ page: { kind: "runs", namespace: "" }, query: [] })}>Runs</a>
        <span aria-hidden="true">›</span>
        <a href={app.hrefOf({ page: { kind: "runs", namespace }, query: [] })}>{namespace}</a>
      </nav>
      <header class="page-head run-head">
        <h1>{name}</h1>
        <PhaseGlyph look={lookOfRun(run)} withWord />
        {took !== undefined && (
          <span class="number" title={momentText(status.startedAt)}>
            {durationText(Math.floor(took / 1000) * 1000)}
            {!status.finishedAt && status.estimatedDuration ? ` of ~${durationText(status.estimatedDuration * 1000)}` : ""}
          </span>
        )}
        {status.progress && <span class="number muted">{status.progress}</span>}
        {dot}
        <span class="gap" />
        <RunButtons scene={scene} doing={doing} isDeleted={isDeleted} />
      </header>
      {isDeleted && <p class="note" role="status">This run was deleted. What you see is the last of it.</p>}
    </>
  );
}

function Sentence({ scene, isOpen, onToggle, reasons, failed, onFailed }: {
  readonly scene: RunScene;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly reasons: Parameters<typeof ReasonList>[0]["reasons"] | undefined;
  readonly failed: readonly string[];
  readonly onFailed: (step: 1 | -1) => void;
}) {
  const { family, text, nodeId } = sentenceOf(scene.run);
  const isOver = isCompletedPhase(scene.run.status?.phase);
  return (
    <section class={`sentence phase-${family}`} aria-label="What goes on">
      <p class="sentence-text">
        {nodeId ? <a class="foreign" href={scene.hrefOf({ nodeId })}>{text}</a> : <span class="foreign">{text}</span>}
      </p>
      {!isOver && (
        <button type="button" class="button quiet" aria-expanded={isOpen} onClick={onToggle}>Why</button>
      )}
      {failed.length > 0 && (
        <span class="failed-walk">
          <span class="number">{failed.length} failed</span>
          <button type="button" class="button quiet" aria-label="Previous failed node" aria-keyshortcuts="[" onClick={() => onFailed(-1)}>‹</button>
          <button type="button" class="button quiet" aria-label="Next failed node" aria-keyshortcuts="]" onClick={() => onFailed(1)}>›</button>
        </span>
      )}
      {isOpen && !isOver && (reasons ? <ReasonList reasons={reasons} /> : <p class="muted">Asking …</p>)}
    </section>
  );
}

const TITLES: Readonly<Record<RunTab, string>> = {
  graph: "Graph",
  timeline: "Timeline",
  tree: "Tree",
  logs: "Logs",
  events: "Events",
  manifest: "Manifest",
};

function Tabs({ scene: { view, change } }: { scene: RunScene }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = TABS[(TABS.indexOf(view.tab) + step + TABS.length) % TABS.length]!;
    change({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div role="tablist" class="tabs" aria-label="Views of the run" onKeyDown={onKeyDown}>
      {TABS.map((tab, i) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={tab === view.tab}
          aria-controls="tab-body"
          aria-keyshortcuts={String(i + 1)}
          tabIndex={tab === view.tab ? 0 : -1}
          onClick={() => change({ tab })}
        >
          {TITLES[tab]}
        </button>
      ))}
    </div>
  );
}

function TabBody({ scene }: { scene: RunScene }) {
  switch (scene.view.tab) {
    case "graph":
      return <GraphTab scene={scene} />;
    case "timeline":
      return <RowsTab scene={scene} overTime />;
    case "tree":
      return <RowsTab scene={scene} overTime={false} />;
    case "logs":
      return <LogsTab scene={scene} />;
    case "events":
      return <EventsTab scene={scene} />;
    case "manifest":
      return <ManifestTab scene={scene} />;
  }
}

function Panel({ scene, doing, reasons, isOver }: {
  readonly scene: RunScene;
  readonly doing: Doing;
  readonly reasons: Parameters<typeof ReasonList>[0]["reasons"] | undefined;
  readonly isOver: boolean;
}) {
  const { run, view, now, change } = scene;
  const node = scene.node!;
  const nodes = new Map(Object.entries(run.status?.nodes ?? {}));
  const attempts = attemptsOf(node, nodes);
  const pod = node.type === "Retry" ? attempts.at(-1) : node;
  const resume = async (outputs: Readonly<Record<string, string>>) => {
    const nodeFieldSelector = `id=${node.id}`;
    const outputParameters = JSON.stringify(outputs);
    if (Object.keys(outputs).length && !await doing.act({ verb: "set", nodeFieldSelector, outputParameters })) return;
    await doing.act({ verb: "resume", nodeFieldSelector });
  };
  return (
    <NodePanel
      node={node}
      attempts={attempts}
      template={storedTemplateOf(run, node)}
      podName={podNameOf(run, node)}
      reasons={isOver ? [] : reasons}
      view={view.panel}
      now={now}
      onView={(panel) => change({ panel })}
      onSelect={(nodeId) => change({ nodeId })}
      onClose={() => change({ nodeId: undefined })}
      actions={
        <>
          {pod?.type === "Pod" && (
            <button type="button" class="button" onClick={() => change({ tab: "logs", log: { nodeId: pod.id, container: "main" } })}>Logs</button>
          )}
          <button type="button" class="button" onClick={() => change({ tab: "manifest" })}>Manifest</button>
          {isOver && (
            <button type="button" class="button" onClick={() => change({ dialog: "retry" })}>Retry from here…</button>
          )}
          {isActiveSuspend(node) && <ResumeForm node={node} isBusy={doing.word !== undefined} onResume={(outputs) => void resume(outputs)} />}
        </>
      }
    />
  );
}

function CriticalPath({ path, onSelect }: { path: readonly Segment[]; onSelect: (key: string) => void }) {
  if (path.length === 0) return <p class="muted">Nothing has run yet.</p>;
  return (
    <ol class="critical" aria-label="Critical path">
      {path.map(({ key, label, kind, from, to }, i) => (
        <li key={i}>
          {kind === "run"
            ? <button type="button" class="link" onClick={() => onSelect(key)}>{label} <span class="number">{durationText(to - from)}</span></button>
            : <span class="muted">idle <span class="number">{durationText(to - from)}</span></span>}
        </li>
      ))}
    </ol>
  );
}

function criticalOf(run: Workflow, whole: Parameters<typeof criticalPath>[0], now: number): Segment[] {
  const startedAt = Date.parse(run.status?.startedAt ?? "");
  if (Number.isNaN(startedAt)) return [];
  return criticalPath(whole, { startedAt, finishedAt: Date.parse(run.status?.finishedAt ?? "") || now });
}

/** Whether there is little room: the tree comes before the graph then. */
function useNarrow(): boolean {
  const media = useMemo(() => matchMedia("(max-width: 720px)"), []);
  const [isNarrow, setNarrow] = useState(media.matches);
  useEffect(() => {
    const tell = () => setNarrow(media.matches);
    media.addEventListener("change", tell);
    return () => media.removeEventListener("change", tell);
  }, []);
  return isNarrow;
}
