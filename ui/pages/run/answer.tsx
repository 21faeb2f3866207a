/** The summary below the graph of a run: why it failed, the nodes in progress, or its outputs. */
import type { ComponentChildren } from "preact";
import { isCompletedPhase, podNameOf } from "@tiphys/model/status";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { durationText, elapsedMillis, momentText } from "../../model/duration.ts";
import { lookOfNode } from "../../model/node_look.ts";
import type { Answer, Failure, Outputs, Progress } from "../../model/run/answer.ts";
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

interface Props<A> {
  readonly scene: RunScene;
  readonly answer: A;
}

export function AnswerPanel({ scene, answer }: Props<Answer>) {
  switch (answer.kind) {
    case "failure":
      return <FailurePanel scene={scene} answer={answer} />;
    case "progress":
      return <ProgressPanel scene={scene} answer={answer} />;
    case "outputs":
      return <OutputsPanel scene={scene} answer={answer} />;
  }
}

function FailurePanel({ scene, answer: { node, pod, cause } }: Props<Failure>) {
  const { run, change, hrefOf } = scene;
  const name = node.displayName ?? node.name;
  const isWhole = cause.text === node.message;
  return (
    <section class="answer" aria-label={words.failureLabel(name)}>
      <header>
        <PhaseGlyph look={lookOfNode(node)} />
        <h2>
          <a href={hrefOf({ nodeId: node.id })}>{name}</a>
        </h2>
        <p class="foreign">{cause.text}</p>
        <span class="gap" />
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
      {!isWhole && <p class="foreign muted">{node.message}</p>}
      {pod && <LogTail key={pod.id} scene={scene} name={name} podName={podNameOf(run, pod)} container={mainOf(node)} />}
    </section>
  );
}

function ProgressPanel({ scene: { run, now, hrefOf }, answer: { nodes, count } }: Props<Progress>) {
  return (
    <section class="answer" aria-label={words.progressHeading(count)}>
      <h2>{words.progressHeading(count)}</h2>
      <ul class="plain-list">
        {nodes.map((node) => {
          const took = elapsedMillis(node.startedAt, undefined, now) ??
            elapsedMillis(run.status?.startedAt, undefined, now);
          const since = node.phase === "Running" ? words.runningFor : words.pendingFor;
          const reason = node.message ?? node.synchronizationStatus?.waiting;
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
    </section>
  );
}

function OutputsPanel({ scene: { hrefOf }, answer: { parameters, artifacts, artifactCount } }: Props<Outputs>) {
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
        <Part heading={words.artifactsHeading}>
          <ul class="plain-list">
            {artifacts.map((one) => (
              <li key={`${one.nodeId} ${one.name}`}>
                <a href={hrefOf({ artifact: one })}>{one.name}</a>
                <span class="muted">{words.artifactOf(one.node.displayName ?? one.node.name)}</span>
                <span class="mono muted">{one.key}</span>
              </li>
            ))}
          </ul>
          <More count={artifactCount - artifacts.length} />
        </Part>
      )}
    </section>
  );
}

function Part({ heading, children }: { readonly heading: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <h2>{heading}</h2>
      {children}
    </div>
  );
}

function More({ count }: { readonly count: number }) {
  return count > 0 ? <p class="muted">{shared.andMore(count)}</p> : null;
}
