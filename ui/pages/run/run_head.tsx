/** The head of a run: its name, its phase, and the sentence that says what goes on. */
import { isCompletedPhase } from "../../../lib/status/mod.ts";
import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import type { Reason } from "../../../lib/explain/reason.ts";
import { useApp } from "../../app.ts";
import { LinkList } from "../../components/link_list.tsx";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { FoldedAbout } from "../../components/markdown.tsx";
import { ReasonList } from "../../components/run/node_panel.tsx";
import { durationText, elapsed, momentText } from "../../model/duration.ts";
import { runLinks } from "../../model/links.ts";
import { lookOfRun } from "../../model/phase.ts";
import { isArchivedOnly } from "../../model/run/archived.ts";
import { sentenceOf } from "../../model/run/sentence.ts";
import type { Doing } from "./doing.ts";
import { RunButtons } from "./run_actions.tsx";
import type { RunScene } from "./run_scene.ts";

/** The name, the phase, the times and the buttons. */
export function RunHead({ scene, doing, dot, isDeleted, onArchive }: {
  readonly scene: RunScene;
  readonly doing: Doing;
  readonly dot: ComponentChild;
  readonly isDeleted: boolean;
  readonly onArchive: () => void;
}) {
  const app = useApp();
  const { run, namespace, name, now } = scene;
  const { status = {} } = run;
  const took = elapsed(status.startedAt, status.finishedAt, now);
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={app.hrefOf({ page: { kind: "runs", namespace: "" }, query: [] })}>Runs</a>
        <a href={app.hrefOf({ page: { kind: "runs", namespace }, query: [] })}>{namespace}</a>
      </nav>
      <header class="page-head run-head">
        <h1>{name}</h1>
        <PhaseGlyph look={lookOfRun(run)} withWord />
        {isArchivedOnly(run) && (
          <span class="badge" title="It lies in the archive, no longer in the cluster">archived</span>
        )}
        {took !== undefined && (
          <span class="number" title={momentText(status.startedAt)}>
            {durationText(Math.floor(took / 1000) * 1000)}
            {!status.finishedAt && status.estimatedDuration
              ? ` of ~${durationText(status.estimatedDuration * 1000)}`
              : ""}
          </span>
        )}
        {status.progress && <span class="number muted">{status.progress}</span>}
        {dot}
        <span class="gap" />
        <LinkList links={runLinks(app.info.value.links, "workflow", run, now)} />
        <RunButtons scene={scene} doing={doing} isDeleted={isDeleted} />
      </header>
      <FoldedAbout metadata={run.metadata} />
      {isDeleted && (
        <p class="note" role="status">
          This run was deleted. What you see is the last of it.{" "}
          <button type="button" class="link" onClick={onArchive}>Look for it in the archive</button>
        </p>
      )}
    </>
  );
}

/** The sentence, with the reasons behind it. */
export function Sentence({ scene, isOpen, onToggle, reasons, failed, onFailed }: {
  readonly scene: RunScene;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly reasons: readonly Reason[] | undefined;
  /** The number of leaves that failed. */
  readonly failed: number;
  readonly onFailed: (step: 1 | -1) => void;
}) {
  // The sentence is made from all nodes, and the page is drawn anew each second.
  const { family, text, nodeId, logOf } = useMemo(() => sentenceOf(scene.run), [scene.run]);
  const isOver = isCompletedPhase(scene.run.status?.phase);
  const app = useApp();
  const runHref = (namespace: string, name: string) =>
    app.hrefOf({ page: { kind: "run", namespace, name }, query: [] });
  return (
    <section class={`sentence phase-${family}`} aria-label="What goes on">
      <p class="sentence-text">
        {nodeId ? <a class="foreign" href={scene.hrefOf({ nodeId })}>{text}</a> : <span class="foreign">{text}</span>}
      </p>
      {logOf !== undefined && (
        <a class="button" href={scene.hrefOf({ log: { nodeId: logOf, container: "main" } })}>Logs</a>
      )}
      {!isOver && <button type="button" class="button" aria-expanded={isOpen} onClick={onToggle}>Why</button>}
      {failed > 0 && (
        <span class="failed-walk">
          <span class="number">{failed} failed</span>
          <button
            type="button"
            class="button quiet"
            aria-label="Previous failed node"
            aria-keyshortcuts="["
            onClick={() => onFailed(-1)}
          >
            ‹
          </button>
          <button
            type="button"
            class="button quiet"
            aria-label="Next failed node"
            aria-keyshortcuts="]"
            onClick={() => onFailed(1)}
          >
            ›
          </button>
        </span>
      )}
      {isOpen && !isOver &&
        (reasons ? <ReasonList reasons={reasons} withNodes runHref={runHref} /> : <p class="muted">Asking …</p>)}
    </section>
  );
}
