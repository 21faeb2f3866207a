/** The logs of a run, of one pod or of all, merged by time. */
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { NodeStatus } from "@tiphys/model/api";
import { isCompletedPhase, storedTemplateOf } from "@tiphys/model/status";
import { useApp } from "../../app.ts";
import { LinkList } from "../../components/link_list.tsx";
import { LogViewer } from "../../components/run/log_viewer.tsx";
import { LiveRegion } from "../../components/live_region.tsx";
import { podLinks } from "../../model/links.ts";
import { valueOf } from "../../model/place.ts";
import { FoldedLines } from "../../model/logs/folded_lines.ts";
import { fieldsOfLog, type JsonField } from "../../model/logs/json_fields.ts";
import { LogTimes, UTC } from "../../model/logs/log_times.ts";
import { rowOfLine } from "../../model/logs/log_rows.ts";
import { failedPodOf, podGroups, podsOf } from "../../model/logs/pod_groups.ts";
import { containersOf } from "../../model/run/node_facts.ts";
import { browserZone } from "../../model/duration.ts";
import { logZone, timeZone } from "../../settings.ts";
import { Refused } from "../refused.tsx";
import { compileQuery, LogSearch, type RegexReader } from "../../model/logs/log_search.ts";
import { type LiveLog, type LogState, useLiveLog } from "./live_log.ts";
import { download } from "./download.ts";
import { yieldToTasks } from "../../api/pauses.ts";
import type { RunScene } from "./run_scene.ts";
import { loadPart } from "../../api/refusal.ts";
import { grouped } from "../../model/text/en.ts";
import * as words from "../../model/text/en/logs_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

export { LogTail } from "./log_tail.tsx";

interface Props {
  readonly scene: RunScene;
  /** The search field. */
  readonly find: RefObject<HTMLInputElement | null>;
}

export function LogsTab({ scene, find }: Props) {
  const app = useApp();
  const { run, view, change, hrefOf } = scene;
  const pods = useMemo(() => podsOf(run), [run]);
  const groups = useMemo(() => podGroups(pods), [pods]);
  // Decided once: the log that the user reads stays when the run fails.
  const [failed] = useState(() => failedPodOf(run)?.id);
  // A link to a line without a pod is to the log of all pods.
  const isOpen = !view.log.isChosen && view.line === undefined;
  const wanted = view.log.nodeId ?? (isOpen ? failed : undefined);
  const chosen = pods.find(({ id }) => id === wanted);
  const isOver = isCompletedPhase(run.status?.phase);
  const log = useLiveLog(app.source, {
    namespace: scene.namespace,
    name: scene.name,
    uid: run.metadata.uid,
    requestedUid: valueOf(app.place.value.query, "uid"),
    podName: chosen?.pod,
    container: view.log.container,
    isFinished: isOver,
  });
  const version = log.version.value;
  const [text, setText] = useState("");
  const [isRegex, setRegex] = useState(false);
  const [onlyHits, setOnlyHits] = useState(false);
  const [withTimes, setTimes] = useState(true);
  const [follow, setFollow] = useState(view.line === undefined);
  const { links } = useApp().info.value;
  const { hits, fault, isSearching } = useSearch(log, version, text, isRegex);
  const [at, setAt] = useState<number | undefined>(undefined);
  const names = useMemo(() => new Map(pods.map(({ pod, label }) => [pod, label])), [pods]);
  const goTo = (step: 1 | -1) => {
    const from = at ?? (step === 1 ? -1 : log.store.count);
    const next = step === 1
      ? hits.find((hit) => hit > from) ?? hits[0]
      : hits.findLast((hit) => hit < from) ?? hits.at(-1);
    if (next === undefined) return;
    setFollow(false);
    setAt(next);
  };
  const marked = at ?? (view.line === undefined ? undefined : view.line - 1);
  const { folded, rows, open } = useFolding(log, version, view.areAlikeFolded, marked);
  const onlyShowsHits = onlyHits && text !== "";
  const shown = onlyShowsHits ? { count: hits.length, lineAt: (row: number) => hits[row]! } : rows;
  // The fields of a growing log are detected at the beginning and whenever its length doubles.
  const fields = useMemo(() => fieldsOfLog(log.store), [log.store, Math.floor(Math.log2(log.store.count + 1))]);
  const columns = view.fields.map((name): JsonField =>
    fields.find((field) => field.name === name) ?? { name, letters: 12 }
  );
  const zone = view.zone ?? (logZone.value || timeZone.value || UTC);
  const times = useMemo(() => new LogTimes(zone), [zone]);
  const node = chosen && run.status?.nodes?.[chosen.id];
  const containers = useMemo(() => containerNames(scene, node), [run, node]);
  const archived = node?.outputs?.artifacts?.find(({ name }) => name === `${view.log.container}-logs`);
  const podGC = run.spec.podGC ?? run.status?.storedWorkflowTemplateSpec?.podGC;
  const { kind } = log.state.value;
  const foot = (FOOT_WORDS[kind] ?? words.lines)(log.store.count);
  return (
    <section class="logs" aria-label={words.label}>
      <div class="tools">
        <label>
          <span class="hidden">{words.podField}</span>
          <select
            value={chosen?.id ?? ""}
            onChange={(event) =>
              change({ log: { nodeId: event.currentTarget.value || undefined, container: view.log.container } })}
          >
            <option value="">{words.allPods(pods.length)}</option>
            {groups.map(({ title, pods }) => {
              const options = pods.map(({ id, label }) => <option key={id} value={id}>{label}</option>);
              return title === undefined ? options : <optgroup key={title} label={title}>{options}</optgroup>;
            })}
          </select>
        </label>
        <label>
          <span class="hidden">{words.containerField}</span>
          <ContainerChoice
            value={view.log.container}
            names={containers}
            onChange={(container) => change({ log: { nodeId: wanted, container } })}
          />
        </label>
        <input
          ref={find}
          type="search"
          class="find"
          aria-keyshortcuts="/"
          placeholder={words.findField}
          aria-label={words.findField}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") goTo(event.shiftKey ? -1 : 1);
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        <label class="toggle">
          <input type="checkbox" checked={isRegex} onChange={(event) => setRegex(event.currentTarget.checked)} />
          {words.regexToggle}
        </label>
        {text !== "" && !fault && (
          <span class="number" role="status">
            {hits.length === 0
              ? isSearching ? words.searching : words.noneFound
              : at === undefined
              ? grouped(hits.length)
              : words.matchPosition(rowOfLine(at, hits.length, (row) => hits[row]!) + 1, hits.length)}
          </span>
        )}
        {text !== "" && (
          <label class="toggle">
            <input
              type="checkbox"
              checked={onlyHits}
              onChange={(event) => setOnlyHits(event.currentTarget.checked)}
            />
            {words.onlyHitsToggle}
          </label>
        )}
        <span class="gap" />
        {fields.length + columns.length > 0 && (
          <FieldChoice
            fields={fields}
            chosen={view.fields}
            onChange={(fields) => change({ fields }, { replace: true })}
          />
        )}
        <label class="toggle">
          <input
            type="checkbox"
            checked={view.areAlikeFolded}
            onChange={(event) => change({ areAlikeFolded: event.currentTarget.checked }, { replace: true })}
          />
          {words.foldToggle}
        </label>
        <label class="toggle">
          <input
            type="checkbox"
            checked={view.isWrapped}
            onChange={(event) => change({ isWrapped: event.currentTarget.checked }, { replace: true })}
          />
          {words.wrapToggle}
        </label>
        <label class="toggle">
          <input type="checkbox" checked={withTimes} onChange={(event) => setTimes(event.currentTarget.checked)} />
          {words.timesToggle}
        </label>
        {withTimes && (
          <ZoneChoice
            value={zone}
            onChange={(zone) => {
              logZone.value = zone;
              change({ zone }, { replace: true });
            }}
          />
        )}
        {!isOver && (
          <label class="toggle">
            <input type="checkbox" checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} />
            {words.followToggle}
          </label>
        )}
        {chosen && (
          <LinkList
            links={podLinks(links, "pod-logs", {
              run,
              podName: chosen.pod,
              node: run.status?.nodes?.[chosen.id] ?? {},
              now: scene.now,
            })}
          />
        )}
        {chosen && archived && (
          <a
            class="button"
            href={hrefOf({ artifact: { nodeId: chosen.id, side: "outputs", name: archived.name, path: "" } })}
          >
            {words.archivedLogLink}
          </a>
        )}
        <button
          type="button"
          class="button"
          disabled={log.store.count === 0}
          onClick={() => download(`${run.metadata.name}.log`, "text/plain", [...log.store.contents()])}
        >
          {shared.downloadButton}
        </button>
      </div>
      {fault && <p class="note" role="alert">{fault}</p>}
      <LogNote state={log.state.value} count={log.store.count} run={scene} />
      {log.store.count > 0 && (
        <LogViewer
          store={log.store}
          count={shown.count}
          lineAt={shown.lineAt}
          version={version}
          follow={follow}
          withTimes={withTimes}
          times={times}
          isWrapped={view.isWrapped}
          isHit={(line) => rowOfLine(line, hits.length, (row) => hits[row]!) >= 0}
          marked={marked}
          columns={columns}
          foldOf={(line) => onlyShowsHits ? undefined : folded.foldOf(line)}
          onOpen={open}
          nameOf={(pod) => names.get(pod) ?? pod}
          hrefOf={(line) => hrefOf({ line, log: { nodeId: wanted, container: view.log.container } })}
          onFollow={setFollow}
        />
      )}
      <p class="log-foot muted">
        {foot}
        {podGC?.strategy && !isCompletedPhase(run.status?.phase) && (
          <span class="pods-go">{words.podsAreDeleted(podGC.strategy, podGC.deleteDelayDuration)}</span>
        )}
      </p>
      <LiveRegion text={foot} />
    </section>
  );
}

/** The text below an incomplete log. */
const FOOT_WORDS: Readonly<Partial<Record<LogState["kind"], (count: number) => string>>> = {
  reading: words.linesSoFar,
  crowded: words.linesPolled,
  broken: words.linesReconnecting,
};

function ContainerChoice({ value, names, onChange }: {
  readonly value: string;
  readonly names: readonly string[];
  readonly onChange: (container: string) => void;
}) {
  return (
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {[...names, ...(names.includes(value) ? [] : [value])].map((name) => (
        <option key={name} value={name}>{name}</option>
      ))}
    </select>
  );
}

/** Returns the containers whose logs can be shown: those of the selected pod or of all, and the executor's. */
function containerNames({ run }: RunScene, node: NodeStatus | undefined): readonly string[] {
  const chosen = node && storedTemplateOf(run, node);
  const templates = chosen
    ? [chosen]
    : node
    ? []
    : [...run.spec.templates ?? [], ...run.status?.storedWorkflowTemplateSpec?.templates ?? []];
  const own = templates.flatMap((template) => containersOf(template, { type: "Pod" })).map(({ name }) =>
    name ?? "main"
  );
  return [...new Set(["main", ...own, "supervisor", "init", "wait"])];
}

function ZoneChoice({ value, onChange }: { readonly value: string; readonly onChange: (zone: string) => void }) {
  const own = browserZone();
  return (
    <label>
      <span class="hidden">{words.zoneField}</span>
      <select class="zone" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {[...new Set([UTC, own, value])].map((zone) => (
          <option key={zone} value={zone}>{zone === own && zone !== UTC ? words.userZone(zone) : zone}</option>
        ))}
      </select>
    </label>
  );
}

function LogNote({ state, count, run }: { state: LogState; count: number; run: RunScene }) {
  if (state.kind === "refused" && count === 0) return <Refused refusal={state.refusal} />;
  if (state.kind === "full") {
    return <p class="note">{words.logTooLarge}</p>;
  }
  if (count > 0 || state.kind === "reading" || state.kind === "broken") return null;
  return (
    <p class="note empty">
      {isCompletedPhase(run.run.status?.phase) ? words.noLinesAvailable : words.noLinesYet}
    </p>
  );
}

function FieldChoice({ fields, chosen, onChange }: {
  readonly fields: readonly JsonField[];
  readonly chosen: readonly string[];
  readonly onChange: (fields: readonly string[]) => void;
}) {
  const names = [...new Set([...fields.map(({ name }) => name), ...chosen])];
  return (
    <details
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.currentTarget.open = false;
        event.stopPropagation();
      }}
    >
      <summary class="button">{chosen.length > 0 ? words.columnsChosen(chosen.length) : words.columnsButton}</summary>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <label class="toggle">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked ? [...chosen, name] : chosen.filter((candidate) => candidate !== name),
                  )}
              />
              {name}
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * Folds stack traces and, on request, similar lines, except those that the user opened and those of the marked line.
 */
function useFolding(log: LiveLog, version: number, withSimilar: boolean, marked: number | undefined) {
  const folded = useMemo(() => new FoldedLines(log.store, { withSimilar }), [log.store, withSimilar]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const round = useLogWork(folded, version);
  const own = marked === undefined ? -1 : folded.foldOf(marked)?.from ?? -1;
  const rows = useMemo(() => folded.rows(new Set([...opened, own])), [folded, opened, own, round, version]);
  const open = (line: number) => {
    const next = new Set(opened);
    if (!next.delete(line)) next.add(line);
    setOpened(next);
  };
  return { folded, rows, open };
}

/** The time for which a search runs without a pause. */
const SLICE_MILLIS = 12;
/** The interval at which results of a running search are shown. */
const TELL_MILLIS = 120;

function useSearch(log: LiveLog, version: number, text: string, isRegex: boolean) {
  const search = useRef<LogSearch | undefined>(undefined);
  const [fault, setFault] = useState("");
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isWanted = true;
    search.current = undefined;
    setFault("");
    regexReader(isRegex && text !== "").then((readRegex) => {
      if (!isWanted) return;
      try {
        const wish = compileQuery({ text, isRegex, matchCase: false }, readRegex);
        search.current = wish && new LogSearch(log.store, wish);
      } catch (error) {
        setFault(words.invalidRegex((error as Error).message));
      }
      setRound((round) => round + 1);
    }, (error) => setFault(String(error)));
    return () => {
      isWanted = false;
    };
  }, [log.store, text, isRegex]);
  const running = search.current;
  useLogWork(running, version + round);
  return { hits: running?.hits ?? [], fault, isSearching: running !== undefined && !running.isDone };
}

/** Incremental work on a log. */
interface IncrementalLogWork {
  readonly isDone: boolean;
  step(mayGoOn: () => boolean): void;
}

/**
 * Runs incremental work in slices, and continues as the log grows. Returns a counter that changes when results should
 * be shown.
 */
function useLogWork(work: IncrementalLogWork | undefined, version: number): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!work || work.isDone) return;
    let isWanted = true;
    void (async () => {
      const tellAt = performance.now() + TELL_MILLIS;
      while (isWanted && !work.isDone && performance.now() < tellAt) {
        const end = performance.now() + SLICE_MILLIS;
        work.step(() => performance.now() < end);
        await yieldToTasks();
      }
      if (isWanted) setRound((round) => round + 1);
    })();
    return () => {
      isWanted = false;
    };
  }, [work, round, version]);
  return round;
}

/** Returns the compiler of linear-time regular expressions, loaded on demand. */
async function regexReader(isWanted: boolean): Promise<RegexReader> {
  if (!isWanted) return () => () => false;
  const { lineFilter } = await loadPart(() => import("@tiphys/service/line_filter"));
  return lineFilter;
}
