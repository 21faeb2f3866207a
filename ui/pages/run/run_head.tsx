/** The head of a run: its name, phase, source and parameters, and the sentence about its state. */
import { isCompletedPhase } from "@tiphys/model/status";
import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import type { Reason } from "@tiphys/engine/explain";
import { useApp } from "../../app.ts";
import { LinkList } from "../../components/link_list.tsx";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { LiveRegion } from "../../components/live_region.tsx";
import { FoldedDescription } from "../../components/markdown.tsx";
import { ReasonList } from "../../components/run/node_panel.tsx";
import { durationText, elapsedMillis, momentText } from "../../model/duration.ts";
import { runLinks } from "../../model/links.ts";
import { lookOfWholeRun } from "../../model/node_look.ts";
import { progressOf } from "../../model/progress.ts";
import { isArchivedOnly } from "../../model/run/archived.ts";
import { creatorOf, originsOf, reportedConditionsOf } from "../../model/run/run_details.ts";
import type { RunSentence } from "../../model/run/sentence.ts";
import type { RunActions } from "./use_run_actions.ts";
import { RunButtons } from "./run_actions.tsx";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/run_page.ts";
import * as shared from "../../model/text/en/shared.ts";

/**
 * The maximum number of parameters that the header shows, and of characters of their values; the details panel shows
 * all.
 */
const MAX_PARAMETERS = 4;
const MAX_VALUE_LENGTH = 40;
const MAX_TITLE_LENGTH = 500;

/** The name, the phase, the times and the buttons; the source, the creator and the parameters. */
export function RunHead({ scene, doing, dot, isDeleted, onArchive, onDetails }: {
  readonly scene: RunScene;
  readonly doing: RunActions;
  readonly dot: ComponentChild;
  readonly isDeleted: boolean;
  readonly onArchive: () => void;
  /** Toggles the details. */
  readonly onDetails: () => void;
}) {
  const app = useApp();
  const { run, namespace, name, now } = scene;
  const { status = {} } = run;
  const look = useMemo(() => lookOfWholeRun(run), [run]);
  const troubles = reportedConditionsOf(run);
  const { done, all } = progressOf(status.progress);
  const origins = originsOf(run);
  const creator = creatorOf(run);
  const parameters = (status.storedWorkflowTemplateSpec?.arguments ?? run.spec.arguments)?.parameters ?? [];
  const took = elapsedMillis(status.startedAt, status.finishedAt, now);
  return (
    <>
      <header class="page-head run-head">
        <nav class="crumbs" aria-label={shared.crumbsLabel}>
          <a href={app.hrefOf({ page: { kind: "runs", namespace: "" }, query: [] })}>{words.listLink}</a>
          <a href={app.hrefOf({ page: { kind: "runs", namespace }, query: [] })}>{namespace}</a>
        </nav>
        <h1 title={name}>{name}</h1>
        <PhaseGlyph look={look} withWord />
        {isArchivedOnly(run) && <span class="badge" title={words.aboutArchived}>{words.archivedBadge}</span>}
        {took !== undefined && (
          <span class="number" title={momentText(status.startedAt)}>
            {!status.finishedAt && status.estimatedDuration
              ? words.durationOfEstimate(wholeSeconds(took), durationText(status.estimatedDuration * 1000))
              : wholeSeconds(took)}
          </span>
        )}
        {dot}
        <span class="gap" />
        <RunButtons scene={scene} doing={doing} isDeleted={isDeleted} />
        <LinkList links={runLinks(app.info.value.links, "workflow", run, now)} />
      </header>
      <div class="run-source" role="group" aria-label={words.sourceLabel}>
        {origins.length > 0 && (
          <span>
            {words.fromSource}
            {origins.map(({ name, page }) => [
              " ",
              <a key={page.kind} href={app.hrefOf({ page, query: [] })}>{name}</a>,
            ])}
          </span>
        )}
        {creator !== undefined && <span>{words.byCreator(creator)}</span>}
        {all > 0 && status.phase !== "Succeeded" && <span class="number">{words.nodesDone(done, all)}</span>}
        {parameters.slice(0, MAX_PARAMETERS).map(({ name, value }) => (
          <span key={name} class="parameter" title={`${name}=${value ?? ""}`.slice(0, MAX_TITLE_LENGTH)}>
            {name}=<b>{String(value ?? "").slice(0, MAX_VALUE_LENGTH)}</b>
          </span>
        ))}
        {parameters.length > MAX_PARAMETERS && <span>{words.moreParameters(parameters.length - MAX_PARAMETERS)}</span>}
        {troubles.map(({ type, message = "", isError }) => (
          <span key={type} class="trouble" title={message.slice(0, MAX_TITLE_LENGTH)}>
            <strong class={`phase-${isError ? "error" : "waits"}`}>{type}</strong> <b class="foreign">{message}</b>
          </span>
        ))}
        <button
          type="button"
          class="link"
          aria-pressed={scene.view.show === "details"}
          title={words.aboutDetails}
          onClick={onDetails}
        >
          {words.detailsToggle}
        </button>
      </div>
      <FoldedDescription metadata={run.metadata} />
      {isDeleted && (
        <p class="note" role="status">
          {words.wasDeleted} <button type="button" class="link" onClick={onArchive}>{words.archiveButton}</button>
        </p>
      )}
    </>
  );
}

function wholeSeconds(millis: number): string {
  return durationText(Math.floor(millis / 1000) * 1000);
}

/** The sentence, with the reasons for it. */
export function SentenceWithReasons({ scene, sentence, isOpen, onToggle, reasons, failed, onFailed, onOnlyFailed }: {
  readonly scene: RunScene;
  readonly sentence: RunSentence;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly reasons: readonly Reason[] | undefined;
  /** The number of failed leaves. */
  readonly failed: number;
  readonly onFailed: (step: 1 | -1) => void;
  /** Shows only what failed, or everything again; undefined in views without nodes. */
  readonly onOnlyFailed: (() => void) | undefined;
}) {
  const { family, text, nodeId, logOf } = sentence;
  const isOver = isCompletedPhase(scene.run.status?.phase);
  const app = useApp();
  const runHref = (namespace: string, name: string) =>
    app.hrefOf({ page: { kind: "run", namespace, name }, query: [] });
  return (
    <section class={`sentence phase-${family}`} aria-label={words.sentenceLabel}>
      <LiveRegion text={text} />
      <p class="sentence-text" title={text.slice(0, MAX_TITLE_LENGTH)}>
        {nodeId ? <a class="foreign" href={scene.hrefOf({ nodeId })}>{text}</a> : <span class="foreign">{text}</span>}
      </p>
      {logOf !== undefined && (
        <a class="button" href={scene.hrefOf({ log: { nodeId: logOf, container: "main" } })}>{shared.logsButton}</a>
      )}
      {!isOver && (
        <button type="button" class="button" aria-expanded={isOpen} onClick={onToggle}>{words.whyButton}</button>
      )}
      {failed > 0 && (
        <span class="failed-walk">
          <span class="number">{words.failedCount(failed)}</span>
          <button
            type="button"
            class="button quiet"
            aria-label={words.previousFailedButton}
            aria-keyshortcuts="["
            onClick={() => onFailed(-1)}
          >
            ‹
          </button>
          <button
            type="button"
            class="button quiet"
            aria-label={words.nextFailedButton}
            aria-keyshortcuts="]"
            onClick={() => onFailed(1)}
          >
            ›
          </button>
        </span>
      )}
      {onOnlyFailed && (failed > 0 || scene.view.onlyFailed) && (
        <button
          type="button"
          class="button toggle"
          aria-pressed={scene.view.onlyFailed}
          aria-keyshortcuts="f"
          onClick={onOnlyFailed}
        >
          {words.onlyFailedToggle}
        </button>
      )}
      {isOpen && !isOver &&
        (reasons
          ? <ReasonList reasons={reasons} withNodes runHref={runHref} />
          : <p class="muted">{words.loadingReasons}</p>)}
    </section>
  );
}
