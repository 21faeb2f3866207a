/** States of the page of a run, for the tests of its parts. */
import type { Screen, State } from "./states.tsx";
import type { Workflow } from "@tiphys/model/api";
import { Shell } from "../shell.tsx";
import { approval, failedRun, runningRun, sampleNode, sampleRun, succeededRun, waitingRun } from "./objects.ts";
import { endedStream } from "./server.ts";

export const RUN = "GET v1/workflows/argo/hello";

/** The page of a run at an address. */
export function stateOf(run: unknown, query = "", check?: State["check"], answers: State["answers"] = {}): State {
  return {
    view: <Shell />,
    at: `workflows/argo/hello${query && `?${query}`}`,
    answers: {
      [RUN]: run,
      [`${RUN}/log`]: endedStream({ content: "two rows have no id", podName: "hello-load" }),
      ...answers,
    },
    check,
  };
}

export const LONG = "a-name-that-is-as-long-as-names-in-kubernetes-may-be-253-".repeat(4);

export const many = sampleRun({
  phase: "Running",
  nodes: Array.from({ length: 150 }, (_, i) => sampleNode(`n${i}`, i % 3 === 0 ? "Running" : "Succeeded")),
});

export const longNamed = sampleRun({ phase: "Failed", nodes: [sampleNode(LONG, "Failed", { message: LONG })] });

export const unstarted = sampleRun({ phase: "Pending", nodes: [] });

export const STATES: Readonly<Record<string, Workflow>> = {
  failed: failedRun,
  running: runningRun,
  succeeded: succeededRun,
  suspended: sampleRun({ phase: "Running", spec: { suspend: true }, nodes: [sampleNode("a", "Succeeded")] }),
  "waiting for a person": waitingRun(approval("approve")),
  "not started": unstarted,
  "many nodes": many,
  "a long name": longNamed,
};

export const each = (query: string, answers: State["answers"] = {}): Record<string, State> =>
  Object.fromEntries(Object.entries(STATES).map(([name, run]) => [name, stateOf(run, query, undefined, answers)]));

export const LOG = `${RUN}/log`;

export const answerIs = (label: string) => (page: Screen) => page.within("region", label);
