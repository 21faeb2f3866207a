/** The stages of a run's nodes, as attempts, statuses and the events of their pods tell them. */
import { useMemo } from "preact/hooks";
import type { NodeStatus } from "../../../lib/api/mod.ts";
import { attemptsOf, podNameOf } from "../../../lib/status/mod.ts";
import { useApp } from "../../app.ts";
import { podMoments, stagesOf, type StageSpan } from "../../model/timeline/stages.ts";
import type { RunScene } from "./run_scene.ts";
import { useEvents } from "./use_events.ts";

/** The time after which Kubernetes has forgotten the events of a run. */
const FORGOTTEN_MILLIS = 3_600_000;

/** What is known of stages. */
export interface RunStages {
  readonly areKnown: boolean;
  readonly of: (node: NodeStatus) => readonly StageSpan[] | undefined;
}

/** The stages; where they are not wanted, nothing is asked for. */
export function useStages({ run, namespace, name, now }: RunScene, isWanted: boolean): RunStages {
  const { source, now: clock } = useApp();
  const end = Date.parse(run.status?.finishedAt ?? "");
  const { events } = useEvents(source, namespace, name, isWanted && !(clock.value - end > FORGOTTEN_MILLIS));
  const moments = useMemo(() => podMoments(events.value), [events.value]);
  const nodes = useMemo(() => new Map(isWanted ? Object.entries(run.status?.nodes ?? {}) : []), [run, isWanted]);
  const haveAttempts = useMemo(() => [...nodes.values()].some(({ nodeFlag }) => nodeFlag?.retried), [nodes]);
  return useMemo(() => ({
    areKnown: moments.size > 0 || haveAttempts,
    of: (node) =>
      stagesOf(node, {
        attempts: node.type === "Retry" ? attemptsOf(node, nodes) : [],
        moments: moments.size > 0 && node.type === "Pod" ? moments.get(podNameOf(run, node)) : undefined,
        now,
      }),
  }), [moments, nodes, now]);
}
