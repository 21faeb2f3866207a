/** The stages of a node's time: how long it waited for a machine, for images, for what had to be made ready, for what it put out, and between attempts. */
import type { NodeStatus } from "@tiphys/model/api";
import { millisOf } from "@tiphys/model/status";
import type { KubeEvent, PodTimes } from "../../api/source.ts";
import { durationText } from "../duration.ts";
import { familyOf } from "../node_look.ts";
import type { Family } from "../phase.ts";
import { spanOf, type TimeSpan } from "./timeline.ts";
import * as words from "../text/en/stages.ts";

/** The stages, in their order: until a machine takes the pod, images, what is made ready before main, main, what it left is saved; and a pause before the next attempt. */
export const STAGES = ["wait", "pull", "stage", "run", "save", "pause"] as const;
/** A stage. */
export type Stage = (typeof STAGES)[number];

/** The words of each, in the past. */
export const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  wait: words.waited,
  pull: words.pulled,
  stage: words.madeReady,
  run: words.ran,
  save: words.saved,
  pause: words.paused,
};

/** A part of a node's time. */
export interface StageSpan extends TimeSpan {
  readonly stage: Stage;
  readonly family: Family;
}

/** The moments of a pod as its events and its containers tell them, in milliseconds. */
export interface PodMoments {
  scheduled?: number;
  /** The main container began. */
  started?: number;
  /** The main container ended. */
  ended?: number;
  /** The container beside it ended, which saves what main left. */
  saved?: number;
  readonly pulls: Map<string, { from: number; to?: number }>;
}

const IMAGE = /^[^"]*image "([^"]+)"/;
const MAIN = /^Started container:? "?main"?$/;

/**
 * The moments of pods, by their names. Kubernetes forgets events after an hour, and pods go with their workflow or before:
 * a pod of earlier has none.
 */
export function podMoments(
  events: Iterable<KubeEvent>,
  times: Readonly<Record<string, PodTimes>> = {},
): ReadonlyMap<string, PodMoments> {
  const pods = new Map<string, PodMoments>();
  for (const { reason, message, lastTimestamp, involvedObject: { kind, name, part } } of events) {
    const at = millisOf(lastTimestamp);
    if (kind !== "Pod" || Number.isNaN(at)) continue;
    let pod = pods.get(name);
    if (!pod) pods.set(name, pod = { pulls: new Map() });
    const image = IMAGE.exec(message)?.[1] ?? "";
    if (reason === "Scheduled") pod.scheduled = at;
    else if (reason === "Started" && (part === "spec.containers{main}" || MAIN.test(message))) pod.started = at;
    else if (reason === "Pulling") pod.pulls.set(image, { ...pod.pulls.get(image), from: at });
    else if (reason === "Pulled" && message.startsWith("Successfully")) {
      pod.pulls.set(image, { from: at, ...pod.pulls.get(image), to: at });
    }
  }
  for (const [name, told] of Object.entries(times)) {
    const pod: PodMoments = pods.get(name) ?? { pulls: new Map() };
    for (const moment of ["started", "ended", "saved"] as const) {
      const at = millisOf(told[moment]);
      if (!Number.isNaN(at)) pod[moment] = at;
    }
    pods.set(name, pod);
  }
  return pods;
}

/** The stages of a node that are known; undefined where only its whole time is. */
export function stagesOf(
  node: NodeStatus,
  { attempts, moments, now }: {
    /** The attempts of a node that is tried again. */
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
  // An event that is missing says nothing of when main began.
  const isBeginKnown = moments.scheduled !== undefined && (moments.started !== undefined || !isOver);
  if (!isBeginKnown && moments.ended === undefined) return undefined;
  // Times of other clocks, in whole seconds, are kept within the node's own.
  const within = (at: number) => Math.min(whole.to, Math.max(whole.from, at));
  const family = familyOf(node);
  const spans: StageSpan[] = [];
  let at = whole.from;
  const add = (stage: Stage, to: number) => {
    if (to > at) spans.push({ stage, from: at, to, family });
    at = Math.max(at, to);
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
  } else at = within(moments.started ?? whole.from); // what was before is not known, and not drawn
  add("run", within(moments.ended ?? whole.to));
  if (moments.ended !== undefined && (moments.saved !== undefined || !isOver)) {
    add("save", within(moments.saved ?? whole.to));
  }
  return spans.length > 0 ? spans : undefined;
}

function stagesOfAttempts(attempts: readonly NodeStatus[], whole: TimeSpan, now: number): readonly StageSpan[] {
  const spans: StageSpan[] = [];
  let at = whole.from;
  for (const attempt of attempts) {
    const span = spanOf(attempt, now);
    if (!span) continue;
    if (span.from > at) spans.push({ stage: "pause", from: at, to: span.from, family: "idle" });
    spans.push({ stage: "run", ...span, family: familyOf(attempt) });
    at = Math.max(at, span.to);
  }
  return spans;
}

/** The stages in words: `waited for a machine 3s, ran 12s`; those of a name together. */
export function stagesText(spans: readonly StageSpan[]): string {
  return STAGES.flatMap((stage) => {
    const all = spans.filter((one) => one.stage === stage);
    const millis = all.reduce((sum, { from, to }) => sum + to - from, 0);
    return all.length === 0 ? [] : [`${STAGE_WORDS[stage]} ${durationText(millis)}`];
  }).join(", ");
}
