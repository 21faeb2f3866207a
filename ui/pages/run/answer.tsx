/** The answer that a run opens at, below its graph: why it failed, the nodes in progress, or its outputs. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isCompletedPhase, podNameOf } from "@tiphys/model/status";
import { useApp } from "../../app.ts";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { LogText } from "../../components/run/log_text.tsx";
import { durationText, elapsed, momentText } from "../../model/duration.ts";
import { levelOf, type LineLevel } from "../../model/logs/line_level.ts";
import { plainText } from "../../model/logs/terminal_text.ts";
import { lookOfNode } from "../../model/node_look.ts";
import { valueOf } from "../../model/place.ts";
import type { Answer, Failure, Outputs, Progress } from "../../model/run/answer.ts";
import { mainOf } from "../../model/run/node_facts.ts";
import { useLiveLog } from "./live_log.ts";
import type { RunScene } from "./run_scene.ts";
import * as words from "../../model/text/en/answer.ts";
import * as page from "../../model/text/en/run_page.ts";
import * as shared from "../../model/text/en/shared.ts";

interface Props<A> {
  readonly scene: RunScene;
  readonly answer: A;
}

/** The panel. */
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

/** How many log lines are shown. */
const TAIL = 20;
/** How many characters of a line are shown. */
const LONGEST = 2_000;

const MARKS: Readonly<Record<LineLevel, string>> = { error: words.errorMark, warning: words.warningMark };

function LogTail({ scene: { run, namespace, name: runName }, name, podName, container }: {
  readonly scene: RunScene;
  readonly name: string;
  readonly podName: string;
  readonly container: string;
}) {
  const app = useApp();
  const { store, state, version } = useLiveLog(app.source, {
    namespace,
    name: runName,
    uid: run.metadata.uid,
    askedUid: valueOf(app.place.value.query, "uid"),
    podName,
    container,
    // A failed step writes no further lines.
    isOver: true,
    tailLines: TAIL,
  });
  const list = useRef<HTMLOListElement>(null);
  // Scrolls to the last lines, which show the failure.
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [version.value]);
  const { value } = state;
  if (store.count === 0) {
    const text = value.kind === "refused"
      ? words.logRefused(value.refusal.message)
      : value.kind === "ended"
      ? words.noLog
      : shared.loading;
    return <p class="muted">{text}</p>;
  }
  const first = Math.max(0, store.count - TAIL);
  return (
    <ol ref={list} class="tail" tabIndex={0} aria-label={words.tailLabel(name)} start={first + 1}>
      {Array.from({ length: store.count - first }, (_, i) => {
        const text = store.text(first + i);
        const level = levelOf(plainText(text));
        return (
          <li key={first + i} class={level}>
            {level && <span class="hidden">{`${MARKS[level]} `}</span>}
            <LogText text={text} most={LONGEST} />
          </li>
        );
      })}
    </ol>
  );
}

function ProgressPanel({ scene: { run, now, hrefOf }, answer: { nodes, count } }: Props<Progress>) {
  return (
    <section class="answer" aria-label={words.progressHeading(count)}>
      <h2>{words.progressHeading(count)}</h2>
      <ul class="plain-list">
        {nodes.map((node) => {
          const took = elapsed(node.startedAt, undefined, now) ?? elapsed(run.status?.startedAt, undefined, now);
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
