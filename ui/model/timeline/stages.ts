/**
 * The stages of a node's time: waiting for a machine, pulling images, preparation, running, saving outputs, and pauses
 * between attempts.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { millisOf } from "@tiphys/model/status";
import type { KubeEvent, PodTimes } from "../../api/source.ts";
import { durationText } from "../duration.ts";
import { familyOf } from "../node_look.ts";
import type { PhaseFamily } from "../phase.ts";
import { spanOf, type TimeSpan } from "./timeline.ts";
import * as words from "../text/en/graph.ts";

/**
 * The stages, in order: scheduling, image pull, preparation before main, main, saving outputs, and the pause before the
 * next attempt.
 */
export const STAGES = ["wait", "pull", "stage", "run", "save", "pause"] as const;
/** A stage. */
export type Stage = (typeof STAGES)[number];

/** The texts of the stages, in the past tense. */
export const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  wait: words.waited,
  pull: words.pulled,
  stage: words.madeReady,
  run: words.ran,
  save: words.savedOutputs,
  pause: words.paused,
};

/** A stage with its time. */
export interface StageSpan extends TimeSpan {
  readonly stage: Stage;
  readonly family: PhaseFamily;
}

/** The times of a pod from its events and containers, in milliseconds since the epoch. */
export interface PodMoments {
  scheduled?: number;
  /** The main container started. */
  started?: number;
  /** The main container ended. */
  ended?: number;
  /** The supervisor container, which saves the outputs of main, ended. */
  saved?: number;
  readonly pulls: Map<string, { from: number; to?: number }>;
}

const IMAGE = /^[^"]*image "([^"]+)"/;
const MAIN = /^Started container:? "?main"?$/;

/**
 * Returns the times of pods, by name. Kubernetes deletes events after an hour, and pods are deleted with their workflow
 * or earlier, so older pods are missing.
 */
export function podMoments(
  events: Iterable<KubeEvent>,
  times: Readonly<Record<string, PodTimes>> = {},
): ReadonlyMap<string, PodMoments> {
  const pods = new Map<string, PodMoments>();
  for (const { reason, message, lastTimestamp, involvedObject: { kind, name, part } } of events) {
    const time = millisOf(lastTimestamp);
    if (kind !== "Pod" || Number.isNaN(time)) continue;
    let pod = pods.get(name);
    if (!pod) pods.set(name, pod = { pulls: new Map() });
    const image = IMAGE.exec(message)?.[1] ?? "";
    if (reason === "Scheduled") pod.scheduled = time;
    else if (reason === "Started" && (part === "spec.containers{main}" || MAIN.test(message))) pod.started = time;
    else if (reason === "Pulling") pod.pulls.set(image, { ...pod.pulls.get(image), from: time });
    else if (reason === "Pulled" && message.startsWith("Successfully")) {
      pod.pulls.set(image, { from: time, ...pod.pulls.get(image), to: time });
    }
  }
  for (const [name, told] of Object.entries(times)) {
    const pod: PodMoments = pods.get(name) ?? { pulls: new Map() };
    for (const moment of ["started", "ended", "saved"] as const) {
      const time = millisOf(told[moment]);
      if (!Number.isNaN(time)) pod[moment] = time;
    }
    pods.set(name, pod);
  }
  return pods;
}

/** Returns the known stages of a node; undefined if only its total time is known. */
export function stagesOf(
  node: NodeStatus,
  { attempts, moments, now }: {
    /** The attempts of a retried node. */
    readonly attempts: readonly NodeStatus[];
    readonly moments: PodMoments | undefined;
    readonly now: number;
  },
): readonly StageSpan[] | undefined {
  const whole = spanOf(node, now);
  if (!whole) return undefined;
  if (attempts.length > 0) return attempts.length > 1 ? stagesOfAttempts(attempts, whole, now) : undefined;
  if (node.type !== "Pod" || !moments) return undefined;
  const isOver = node.finishedAt !== undefined;
  // Without a start event, the start of main is unknown.
  const isBeginKnown = moments.scheduled !== undefined && (moments.started !== undefined || !isOver);
  if (!isBeginKnown && moments.ended === undefined) return undefined;
  // Times of other clocks, in whole seconds, are clamped to the node's own.
  const within = (time: number) => Math.min(whole.to, Math.max(whole.from, time));
  const family = familyOf(node);
  const spans: StageSpan[] = [];
  let time = whole.from;
  const add = (stage: Stage, to: number) => {
    if (to > time) spans.push({ stage, from: time, to, family });
    time = Math.max(time, to);
  };
  if (isBeginKnown) {
    const scheduled = within(moments.scheduled!);
    const started = Math.max(scheduled, within(moments.started ?? whole.to));
    const pulls = [...moments.pulls.values()]
      .map(({ from, to = started }) => ({ from: Math.max(scheduled, from), to: Math.min(started, to) }))
      .filter(({ from, to }) => to > from)
      .sort((a, b) => a.from - b.from);
    add("wait", scheduled);
    for (const { from, to } of pulls) {
      add("stage", from);
      add("pull", to);
    }
    add("stage", started);
  } else time = within(moments.started ?? whole.from); // The time before is unknown and not drawn.
  add("run", within(moments.ended ?? whole.to));
  if (moments.ended !== undefined && (moments.saved !== undefined || !isOver)) {
    add("save", within(moments.saved ?? whole.to));
  }
  return spans.length > 0 ? spans : undefined;
}

function stagesOfAttempts(attempts: readonly NodeStatus[], whole: TimeSpan, now: number): readonly StageSpan[] {
  const spans: StageSpan[] = [];
  let time = whole.from;
  for (const attempt of attempts) {
    const span = spanOf(attempt, now);
    if (!span) continue;
    if (span.from > time) spans.push({ stage: "pause", from: time, to: span.from, family: "idle" });
    spans.push({ stage: "run", ...span, family: familyOf(attempt) });
    time = Math.max(time, span.to);
  }
  return spans;
}

/** Describes the stages: `waited for a machine 3s, ran 12s`; equal stages are combined. */
export function stagesText(spans: readonly StageSpan[]): string {
  return STAGES.flatMap((stage) => {
    const all = spans.filter((span) => span.stage === stage);
    const millis = all.reduce((sum, { from, to }) => sum + to - from, 0);
    return all.length === 0 ? [] : [`${STAGE_WORDS[stage]} ${durationText(millis)}`];
  }).join(", ");
}
