/** The summary below the graph of a run: why it failed, the nodes in progress, or its outputs. */
import type { ComponentChildren } from "preact";
import { isCompletedPhase, podNameOf } from "@tiphys/model/status";
import type { Reason } from "@tiphys/engine/explain";
import { useApp } from "../../app.ts";
import { ReasonList } from "../../components/run/node_panel.tsx";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { durationText, elapsedMillis, momentText } from "../../model/duration.ts";
import { lookOfNode } from "../../model/node_look.ts";
import type { Answer, Failure, Outputs, Progress } from "../../model/run/answer.ts";
import { hasMore } from "../../model/run/cause.ts";
import { mainOf } from "../../model/run/node_facts.ts";
import { lazy } from "../lazy.tsx";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/answer.ts";
import * as page from "../../model/text/en/run_page.ts";
import * as shared from "../../model/text/en/shared.ts";

// The code of logs is loaded as one file.
const LogTail = lazy(
  async () => (await import("./logs_tab.tsx")).LogTail,
  () => <p class="muted">{shared.loading}</p>,
);

const ArtifactPeek = lazy(async () => (await import("./artifact_peek.tsx")).ArtifactPeek, () => null);

/** The maximum number of artifacts with a preview, and of listed reasons. */
const MAX_PEEKS = 4;
const MAX_REASONS = 6;

interface Props<A> {
  readonly scene: RunScene;
  readonly answer: A;
}

export function AnswerPanel({ scene, answer, reasons }: Props<Answer> & {
  /** Why the run and its nodes wait; undefined if it is not known. */
  readonly reasons: readonly Reason[] | undefined;
}) {
  switch (answer.kind) {
    case "failure":
      return <FailurePanel scene={scene} answer={answer} />;
    case "progress":
      return <ProgressPanel scene={scene} answer={answer} reasons={reasons ?? []} />;
    case "outputs":
      return <OutputsPanel scene={scene} answer={answer} />;
  }
}

function FailurePanel({ scene, answer: { node, pod, cause } }: Props<Failure>) {
  const { run, change, hrefOf } = scene;
  const name = node.displayName ?? node.name;
  return (
    <section class="answer" aria-label={words.failureLabel(name)}>
      <header>
        <PhaseGlyph look={lookOfNode(node)} />
        <h2>
          <a href={hrefOf({ nodeId: node.id })}>{name}</a>
        </h2>
        <p class="foreign">{cause.text}</p>
        {pod && (
          <a class="button" href={hrefOf({ log: { nodeId: pod.id, container: mainOf(node) } })}>
            {words.openLogLink}
          </a>
        )}
        {isCompletedPhase(run.status?.phase) && (
          <>
            <button type="button" class="button" onClick={() => change({ dialog: "resubmit" })}>
              {words.resubmitButton}
            </button>
            <button type="button" class="button" onClick={() => change({ nodeId: node.id, dialog: "retry" })}>
              {page.retryFromHereButton}
            </button>
          </>
        )}
      </header>
      {cause.kind && <p class="muted">{words.advice[cause.kind]}</p>}
      {hasMore(node.message, cause) && <p class="foreign muted">{node.message}</p>}
      {pod && <LogTail key={pod.id} scene={scene} name={name} podName={podNameOf(run, pod)} container={mainOf(node)} />}
    </section>
  );
}

function ProgressPanel({ scene: { run, now, hrefOf }, answer: { nodes, count }, reasons }: Props<Progress> & {
  readonly reasons: readonly Reason[];
}) {
  const app = useApp();
  const explained = new Set(reasons.map(({ node }) => node));
  const waits = reasons.filter(({ code }) => code !== "Running");
  if (count === 0 && waits.length === 0) return null;
  const heading = count === 0 ? words.waitingHeading : words.progressHeading(count);
  return (
    <section class="answer" aria-label={heading}>
      <h2>{heading}</h2>
      <ul class="plain-list">
        {nodes.map((node) => {
          const took = elapsedMillis(node.startedAt, undefined, now) ??
            elapsedMillis(run.status?.startedAt, undefined, now);
          const since = node.phase === "Running" ? words.runningFor : words.pendingFor;
          const reason = explained.has(node.name) ? undefined : node.message ?? node.synchronizationStatus?.waiting;
          return (
            <li key={node.id}>
              <PhaseGlyph look={lookOfNode(node)} />
              <a href={hrefOf({ nodeId: node.id })}>{node.displayName ?? node.name}</a>
              {took !== undefined && (
                <span class="muted number" title={momentText(node.startedAt)}>
                  {since(durationText(Math.floor(took / 1000) * 1000))}
                </span>
              )}
              {reason && <span class="foreign">{words.waitsFor(reason)}</span>}
              {node.type === "Pod" && node.phase === "Running" && (
                <a href={hrefOf({ log: { nodeId: node.id, container: "main" } })}>{words.openLogLink}</a>
              )}
            </li>
          );
        })}
      </ul>
      <More count={count - nodes.length} />
      {waits.length > 0 && (
        <ReasonList
          reasons={waits.slice(0, MAX_REASONS)}
          withNodes
          runHref={(namespace, name) => app.hrefOf({ page: { kind: "run", namespace, name }, query: [] })}
        />
      )}
      <More count={waits.length - MAX_REASONS} />
    </section>
  );
}

function OutputsPanel({ scene, answer: { parameters, artifacts, artifactCount } }: Props<Outputs>) {
  const { hrefOf } = scene;
  return (
    <section class="answer columns" aria-label={words.outputsHeading}>
      {parameters.length > 0 && (
        <Part heading={words.outputsHeading}>
          <dl class="facts">
            {parameters.map(({ name, value }) => [
              <dt key={`${name}-name`}>{name}</dt>,
              <dd key={name}>
                <pre class="value">{String(value ?? "")}</pre>
              </dd>,
            ])}
          </dl>
        </Part>
      )}
      {artifacts.length > 0 && (
        <Part heading={words.artifactsHeading} isWide>
          <ul class="plain-list">
            {artifacts.map((artifact, i) => (
              <li key={`${artifact.nodeId} ${artifact.name}`}>
                <a href={hrefOf({ artifact })} title={artifact.key}>{artifact.name}</a>
                <span class="muted">{words.artifactOf(artifact.node.displayName ?? artifact.node.name)}</span>
                {i < MAX_PEEKS
                  ? <ArtifactPeek scene={scene} choice={artifact} />
                  : <span class="mono muted">{artifact.key}</span>}
              </li>
            ))}
          </ul>
          <More count={artifactCount - artifacts.length} />
        </Part>
      )}
    </section>
  );
}

function Part({ heading, isWide = false, children }: {
  readonly heading: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={isWide ? "wide" : undefined}>
      <h2>{heading}</h2>
      {children}
    </div>
  );
}

function More({ count }: { readonly count: number }) {
  return count > 0 ? <p class="muted">{shared.andMore(count)}</p> : null;
}
