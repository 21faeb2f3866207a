/** The page of one run: its header, its tabs, and the panel of the selected node. */
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { isCompletedPhase } from "@tiphys/model/status";
import { useApp } from "../../app.ts";
import { nodeListOf } from "../../api/run_nodes.ts";
import { dropPreparedThread } from "../../api/thread_url.ts";
import { LiveDot } from "../../components/live_dot.tsx";
import { Menu } from "../../components/menu.tsx";
import { FoundCount } from "../../components/run/found_count.tsx";
import { Refused } from "../refused.tsx";
import { artifactByUrn } from "../../model/artifacts/run_artifacts.ts";
import { criticalPath, type Segment } from "../../model/graph/critical_path.ts";
import { failedLeaves, keyAmong, keyOfNode } from "../../model/graph/find.ts";
import type { Part } from "../../model/graph/part.ts";
import { valueOf, withValues } from "../../model/place.ts";
import { changedQuery, readRunView, type RunViewChange, TABS, type TopPanel } from "../../model/run/run_view.ts";
import { answerOf } from "../../model/run/answer.ts";
import { mainOf, podOf } from "../../model/run/node_facts.ts";
import { momentsOf, runAt } from "../../model/run/replay.ts";
import { runTimesOf } from "../../model/run/run_times.ts";
import { sentenceOf } from "../../model/run/sentence.ts";
import { momentText } from "../../model/duration.ts";
import { lazy, lazyDialog } from "../lazy.tsx";
import { type LiveRun, useLiveRun } from "../live_run.ts";
import { Approvals } from "./approvals.tsx";
import { useRunActions } from "./use_run_actions.ts";
import { DoingRefusal, DoingUndo } from "./run_actions.tsx";
import { RunHead, SentenceWithReasons } from "./run_head.tsx";
import { ReplaySlider } from "./replay_slider.tsx";
import { RunPanel } from "./run_panel.tsx";
import type { RunScene } from "./run_scene.ts";
import { isNodeTab, loadTab, RunTabs, TabBody } from "./run_tabs.tsx";
import { useMatches } from "./use_matches.ts";
import { prepareGraph, useGraph } from "./use_graph.ts";
import { type Keys, type TabKey, useKeys } from "./use_keys.ts";
import { useNodeSearch } from "./use_node_search.ts";
import { useWhy } from "./use_why.ts";
import * as words from "../../model/text/en/run_page.ts";
import * as shared from "../../model/text/en/shared.ts";

const ArtifactDialog = lazyDialog(async () => (await import("./artifact_dialog.tsx")).ArtifactDialog);
const ShareDialog = lazyDialog(async () => (await import("../share_dialog.tsx")).ShareDialog);
const CriticalPath = lazy(async () => (await import("./critical_path_panel.tsx")).CriticalPathPanel);
const AnswerPanel = lazy(async () => (await import("./answer.tsx")).AnswerPanel, () => null);
const RunDetails = lazy(async () => (await import("./run_details_panel.tsx")).RunDetailsPanel);
const RunCost = lazy(async () => (await import("../../components/run/run_cost.tsx")).RunCost);
const RunAdvice = lazy(async () => (await import("./run_advice.tsx")).RunAdvice, () => null);

/** The largest run, in nodes, whose reasons are requested without a click. */
const MAX_EXPLAINED = 2_000;

export function RunPage({ namespace, name }: { namespace: string; name: string }) {
  const app = useApp();
  const { run, state, isDeleted, hasNamesake, reload, readAfter } = useLiveRun(
    namespace,
    name,
    valueOf(app.place.value.query, "uid"),
    prepareGraph,
  );
  const isNarrow = useNarrow();
  const { tab } = readRunView(app.place.value.query, isNarrow);
  // Loads in parallel with the run.
  loadTab(tab);
  const shown = run.value;
  // Ends the worker if the user leaves before a large run has arrived.
  useEffect(() => () => dropPreparedThread("graph"), []);
  // The first formatted time takes ten milliseconds: do it while waiting.
  useEffect(() => void momentText(new Date().toISOString()), []);
  if (!shown) {
    return state.value.kind === "refused" || state.value.kind === "offline"
      ? <Refused refusal={state.value.refusal} onAgain={reload} isPage />
      : <p class="coming">{shared.loadingNamed(name)}</p>;
  }
  return (
    <RunBody
      namespace={namespace}
      name={name}
      run={shown}
      dot={<LiveDot state={state.value} now={app.now.value} />}
      isDeleted={isDeleted.value}
      hasNamesake={hasNamesake.value}
      // An address without a UID already means the other run of this name, so it is requested again.
      onNamesake={reload}
      readAfter={readAfter}
      onArchive={() => {
        app.go({ ...app.place.value, query: withValues(app.place.value.query, { uid: shown.metadata.uid }) });
        reload();
      }}
    />
  );
}

interface BodyProps {
  readonly namespace: string;
  readonly name: string;
  readonly run: Workflow;
  readonly dot: ComponentChild;
  readonly isDeleted: boolean;
  readonly hasNamesake: boolean;
  /** Leaves the run for the one that has its name now. */
  readonly onNamesake: () => void;
  readonly readAfter: LiveRun["readAfter"];
  /** Searches the archive for the run. */
  readonly onArchive: () => void;
}

function RunBody(props: BodyProps) {
  const { namespace, name, run: live, dot, isDeleted, hasNamesake, onNamesake, onArchive, readAfter } = props;
  const app = useApp();
  const isNarrow = useNarrow();
  const place = app.place.value;
  const view = useMemo(() => readRunView(place.query, isNarrow), [place, isNarrow]);
  // While the slider moves, its value takes precedence over the address.
  const [slid, setSlid] = useState<number | undefined>(undefined);
  const time = slid ?? view.at;
  const run = useMemo(() => time === undefined ? live : runAt(live, time), [live, time]);
  const isOver = isCompletedPhase(run.status?.phase);
  // A running workflow moves with the clock; a finished one ends at its end.
  const now = isOver ? Date.parse(run.status?.finishedAt ?? "") || 0 : time ?? app.now.value;
  const graph = useGraph(run);
  const { whole } = graph;
  const text = view.find;
  const withCritical = view.show === "critical";
  const hasNodes = isNodeTab(view.tab);
  // The graph renders again only if the list of marks changed, which happens less often.
  const { keys: found, set: foundSet } = useMatches(whole, text);
  const path = useMemo(() => withCritical ? criticalPathOf(run, whole, now) : NO_PATH, [
    withCritical,
    whole,
    withCritical && now,
  ]);
  const marked = useMemo(() => withCritical ? new Set(path.map(({ key }) => key)) : foundSet, [path, foundSet]);
  const nodeNamed = (name: string | undefined) =>
    name === undefined ? undefined : nodeListOf(run).find((node) => node.name === name);
  // Argo's page names an artifact as a node.
  const named = useMemo(() => artifactByUrn(live, view.nodeId ?? ""), [live, view.nodeId]);
  const artifact = view.artifact ?? (named && !view.artifact ? named : undefined);
  const nodeId = named?.nodeId ?? view.nodeId;
  const node = nodeId === undefined ? undefined : run.status?.nodes?.[nodeId];
  // The artifact of such a bookmark replaces the node: when it is closed, its node stays selected.
  const closing = (change: RunViewChange): RunViewChange =>
    named && Object.hasOwn(change, "artifact") && !change.artifact ? { nodeId: named.nodeId, ...change } : change;
  const placeAfter = (change: RunViewChange) => ({ ...place, query: changedQuery(place.query, change) });
  const scene: RunScene = {
    namespace,
    name,
    run,
    graph,
    view,
    now,
    node,
    marked,
    // The address may have changed since this was rendered; keep those changes.
    change: (change, options) => {
      const { value } = app.place;
      app.go({ ...value, query: changedQuery(value.query, closing(change)) }, options);
    },
    hrefOf: (change) => app.hrefOf(placeAfter(change)),
  };
  // Requests, actions and downloads use the current run: only the views and the panel's content are replayed.
  const liveScene: RunScene = time === undefined ? scene : {
    ...scene,
    run: live,
    now: headerTime(live, app.now.value),
    node: nodeId === undefined ? undefined : live.status?.nodes?.[nodeId],
  };
  // On a wide screen, an artifact takes the place of the panel of a node.
  const pane = isNarrow ? undefined : artifact;
  const closeArtifact = () => scene.change({ artifact: undefined });
  const hasAnswer = time === undefined && view.tab === (isNarrow ? "tree" : "graph");
  const answer = useMemo(() => hasAnswer ? answerOf(live, liveScene.node) : undefined, [hasAnswer, live, nodeId]);
  const doing = useRunActions({ namespace, name, run: live }, readAfter);
  const [isWhyOpen, setWhyOpen] = useState(false);
  const reasons = useWhy(
    app.source,
    live,
    isWhyOpen || node !== undefined && view.panel === "why" ||
      answer?.kind === "progress" && nodeListOf(live).length <= MAX_EXPLAINED,
  );
  const find = useRef<HTMLInputElement>(null);
  const findInLog = useRef<HTMLInputElement>(null);
  const goAmong = (keys: readonly string[], step: 1 | -1) => {
    const chosen = nodeNamed(keyAmong(keys, node?.name, step));
    if (chosen) scene.change({ nodeId: chosen.id });
  };
  const failed = whole.counts.failed + whole.counts.error;
  // Cached because it reads all nodes, and the page renders every second.
  const sentence = useMemo(() => sentenceOf(live), [live]);
  // Shows the log of the selected node, else of the first failed one; if it has no pod, the logs of all pods.
  const showLog = () => {
    const shown = node ?? live.status?.nodes?.[sentence.logOf ?? ""];
    const pod = shown && podOf(shown, new Map(Object.entries(run.status?.nodes ?? {})));
    scene.change(pod ? { log: { nodeId: pod.id, container: mainOf(shown) } } : { tab: "logs" });
  };
  const setShow = (show: TopPanel) => scene.change({ show: view.show === show ? undefined : show });
  const setOnly = () => scene.change({ onlyFailed: !view.onlyFailed });
  useKeys({
    ...Object.fromEntries(TABS.map((tab, i) => [i + 1, () => scene.change({ tab })])) as Pick<Keys, TabKey>,
    f: hasNodes ? setOnly : undefined,
    c: () => setShow("critical"),
    l: () => showLog(),
    r: isCompletedPhase(live.status?.phase) ? () => scene.change({ dialog: "retry" }) : undefined,
    "[": failed > 0 ? () => goAmong(failedLeaves(whole), -1) : undefined,
    "]": failed > 0 ? () => goAmong(failedLeaves(whole), 1) : undefined,
    "/": hasNodes || view.tab === "logs" ? () => (find.current ?? findInLog.current)?.focus() : undefined,
    Escape: pane ? closeArtifact : node && (() => scene.change({ nodeId: undefined })),
  });
  useNodeSearch(run, (id) => scene.change({ nodeId: id }));
  return (
    <article class="run">
      <RunHead
        scene={liveScene}
        doing={doing}
        dot={dot}
        isDeleted={isDeleted}
        onArchive={onArchive}
        onDetails={() => setShow("details")}
      />
      {hasNamesake && (
        <p class="note" role="status">
          {words.otherRunHasName}{" "}
          <a
            href={app.hrefOf({ ...place, query: withValues(place.query, { uid: undefined, nodeId: undefined }) })}
            onClick={onNamesake}
          >
            {words.showNamesake}
          </a>
        </p>
      )}
      {!named && view.nodeId?.startsWith("artifact:") && (
        <p class="note" role="status">
          {words.noSuchArtifact(view.nodeId)} <a href={scene.hrefOf({ nodeId: undefined })}>{words.showRunAlone}</a>
        </p>
      )}
      <SentenceWithReasons
        scene={liveScene}
        sentence={sentence}
        isOpen={isWhyOpen}
        onToggle={() => setWhyOpen(!isWhyOpen)}
        reasons={isWhyOpen ? reasons.value : undefined}
        failed={failed}
        onFailed={(step) => goAmong(failedLeaves(whole), step)}
        onOnlyFailed={hasNodes ? setOnly : undefined}
      />
      <DoingRefusal doing={doing} />
      <DoingUndo doing={doing} scene={liveScene} />
      <div class="run-tools">
        <RunTabs scene={scene} />
        <div class="finder">
          {hasNodes && (
            <>
              <input
                ref={find}
                type="search"
                class="find"
                placeholder={words.findField}
                aria-label={words.findField}
                aria-keyshortcuts="/"
                value={text}
                onInput={(event) => scene.change({ find: event.currentTarget.value }, { replace: true })}
                onKeyDown={(event) => {
                  if (event.key === "Enter") goAmong(found, event.shiftKey ? -1 : 1);
                  if (event.key === "Escape") event.currentTarget.blur();
                }}
              />
              <FoundCount text={text} hits={found} selected={node?.name} />
              {text.trim() !== "" && (
                <button
                  type="button"
                  class="button toggle"
                  aria-pressed={view.shape.text !== ""}
                  onClick={() => scene.change({ shape: { ...view.shape, text: view.shape.text === "" ? text : "" } })}
                >
                  {words.onlyFoundToggle}
                </button>
              )}
            </>
          )}
          <Menu button={words.viewMenuButton} class="view" closesOnClick>
            {(hasNodes || withCritical) && (
              <button
                type="button"
                class="button toggle"
                aria-pressed={withCritical}
                aria-keyshortcuts="c"
                onClick={() => setShow("critical")}
              >
                {words.criticalPathToggle}
              </button>
            )}
            <button
              type="button"
              class="button toggle"
              aria-pressed={view.show === "cost"}
              title={words.aboutCost}
              onClick={() => setShow("cost")}
            >
              {shared.costField}
            </button>
            <button
              type="button"
              class="button toggle"
              aria-pressed={time !== undefined}
              disabled={!live.status?.startedAt}
              onClick={() => {
                setSlid(undefined);
                scene.change({ at: time === undefined ? momentsOf(live, app.now.value)?.to : undefined });
              }}
            >
              {words.replayToggle}
            </button>
          </Menu>
        </div>
      </div>
      <Approvals scene={liveScene} doing={doing} />
      {time !== undefined && (
        <ReplaySlider
          moments={momentsOf(live, app.now.value)}
          at={time}
          onSlide={setSlid}
          onChoose={(chosen) => {
            setSlid(undefined);
            scene.change({ at: chosen }, { replace: true });
          }}
        />
      )}
      {withCritical && (
        <CriticalPath
          scene={scene}
          path={path}
          onSelect={(key) => scene.change({ nodeId: nodeNamed(key)?.id })}
        />
      )}
      {view.show === "details" && <RunDetails scene={liveScene} />}
      {view.show === "cost" && <RunCost run={run} prices={app.info.value.prices} now={now} />}
      {view.show === "cost" && <RunAdvice run={live} />}
      <div class={`run-body${node || pane ? " with-panel" : ""}`}>
        <div id="tab-body" class="tab-body" role="tabpanel" aria-labelledby={`tab-${view.tab}`}>
          <TabBody
            scene={isNodeTab(view.tab) ? scene : liveScene}
            focus={answer?.kind === "failure" ? keyOfNode(answer.node) : undefined}
            findInLog={findInLog}
          />
          {/* The list of Why has the same reasons. */}
          {answer && <AnswerPanel scene={liveScene} answer={answer} reasons={isWhyOpen ? undefined : reasons.value} />}
        </div>
        {artifact && (
          <ArtifactDialog
            key={JSON.stringify(artifact)}
            scene={liveScene}
            choice={artifact}
            isPane={pane !== undefined}
            onClose={closeArtifact}
          />
        )}
        {node && !pane && (
          <RunPanel
            scene={scene}
            doing={time === undefined ? doing : undefined}
            reasons={reasons.value}
            isFinished={isCompletedPhase(live.status?.phase)}
          />
        )}
      </div>
      {view.dialog === "share" && (
        <ShareDialog
          link={scene.hrefOf({ dialog: undefined })}
          name={name}
          namespace={namespace}
          runs={{ name }}
          onClose={() => scene.change({ dialog: undefined })}
        />
      )}
    </article>
  );
}

const NO_PATH: readonly Segment[] = [];

/** The time for the header, which shows the current run during a replay. */
function headerTime(live: Workflow, now: number): number {
  return isCompletedPhase(live.status?.phase) ? Date.parse(live.status?.finishedAt ?? "") || 0 : now;
}

function criticalPathOf(run: Workflow, whole: Part, now: number): Segment[] {
  const times = runTimesOf(run, now);
  return times ? criticalPath(whole, times) : [];
}

/** Reports whether the screen is narrow: then the tree is the default tab. */
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
