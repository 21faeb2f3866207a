/** The stages of a run's nodes, from attempts and from the events and containers of their pods. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { attemptsOf, isCompletedPhase, podNameOf } from "@tiphys/model/status";
import { nodeListOf } from "../../api/run_nodes.ts";
import { Refusal } from "../../api/refusal.ts";
import type { PodTimes } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { isArchivedOnly } from "../../model/run/archived.ts";
import { podMoments, stagesOf, type StageSpan } from "../../model/timeline/stages.ts";
import type { RunScene } from "./run_scene.ts";
import { useEvents } from "./use_events.ts";

/** The time for which Kubernetes keeps events. */
const FORGOTTEN_MILLIS = 3_600_000;

/** The known stages. */
export interface RunStages {
  readonly areKnown: boolean;
  readonly of: (node: NodeStatus) => readonly StageSpan[] | undefined;
}

/** Returns the stages; requests nothing if they are not wanted. */
export function useStages({ run, namespace, name, now }: RunScene, isWanted: boolean): RunStages {
  const { source, now: clock } = useApp();
  const end = Date.parse(run.status?.finishedAt ?? "");
  const { events } = useEvents(source, namespace, name, isWanted && !(clock.value - end > FORGOTTEN_MILLIS));
  const times = usePodTimes(run, namespace, name, isWanted);
  const moments = useMemo(() => podMoments(events.value, times), [events.value, times]);
  // Computed at the first retried node, because few large runs have one in view.
  const nodes = useMemo(() => {
    let all: ReadonlyMap<string, NodeStatus> | undefined;
    return () => all ??= new Map(Object.entries(run.status?.nodes ?? {}));
  }, [run]);
  const haveAttempts = useMemo(() => isWanted && nodeListOf(run).some(({ nodeFlag }) => nodeFlag?.retried), [
    run,
    isWanted,
  ]);
  return useMemo(() => ({
    areKnown: moments.size > 0 || haveAttempts,
    of: (node) =>
      stagesOf(node, {
        attempts: node.type === "Retry" ? attemptsOf(node, nodes()) : [],
        moments: moments.size > 0 && node.type === "Pod" ? moments.get(podNameOf(run, node)) : undefined,
        now,
      }),
  }), [moments, nodes, now]);
}

/** The interval at which the pods of a running workflow are requested. */
const AGAIN_MILLIS = 15_000;
const NONE: Readonly<Record<string, PodTimes>> = {};

/** Returns the times of a run's pods, requested repeatedly while it runs, and once after it has finished. */
function usePodTimes(
  run: Workflow,
  namespace: string,
  name: string,
  isWanted: boolean,
): Readonly<Record<string, PodTimes>> {
  const { source, now } = useApp();
  const [times, setTimes] = useState(NONE);
  const isOver = isCompletedPhase(run.status?.phase);
  const turn = isOver ? "over" : Math.floor(now.value / AGAIN_MILLIS);
  useEffect(() => setTimes(NONE), [namespace, name]);
  useEffect(() => {
    // An archived run has no pods.
    if (!isWanted || isArchivedOnly(run)) return;
    const left = new AbortController();
    source.podTimes(namespace, name, left.signal).then((stages) => {
      if (!left.signal.aborted) setTimes(stages);
    }, (error) => {
      // Argo's server does not support this, and the user may lack rights: then no stages are drawn.
      if (!left.signal.aborted && !(error instanceof Refusal)) throw error;
    });
    return () => left.abort();
  }, [source, namespace, name, isWanted, turn]);
  return times;
}
