import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { parseStageTimes } from "@tiphys/base/stage_times";
import { workOfPod } from "./work_of_pod.ts";

const WORKFLOW = { metadata: { uid: "u" } };
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;

function endedContainer(name: string, from: number, to: number, exitCode = 0) {
  return { name, state: { terminated: { startedAt: at(from), finishedAt: at(to), exitCode } } };
}

function podWith(
  status: object,
  annotations: Record<string, string> = { "workflows.argoproj.io/node-id": "w-1" },
): Pod {
  const pod: unknown = { metadata: { name: "p", uid: "p-u", creationTimestamp: at(1), annotations }, spec: {}, status };
  return pod as Pod;
}

const second = (millis: number) => (millis - Date.parse(at(0))) / 1000;

Deno.test("workOfPod(): reports when a node was pending and running, and how long each container ran and how it ended", () => {
  const pod = podWith({
    initContainerStatuses: [endedContainer("init", 3, 4)],
    containerStatuses: [
      endedContainer("wait", 5, 12),
      endedContainer("main", 6, 11, 3),
      endedContainer("beside", 6, 12),
    ],
  });
  const work = workOfPod(WORKFLOW, pod);
  assertEquals(
    work.map(({ name, attributes, began, ended, failure }) => [
      name,
      attributes?.phase ?? attributes?.container,
      second(began),
      second(ended),
      failure,
    ]),
    [
      ["node_phase", "Pending", 1, 6, undefined],
      ["node_phase", "Running", 6, 12, undefined],
      ["run_init_container", "init", 3, 4, undefined],
      ["run_wait_container", "wait", 5, 12, undefined],
      ["run_main_container", "main", 6, 11, "exit code 3"],
      ["run_main_container", "beside", 6, 12, undefined],
    ],
  );
  assertEquals(new Set(work.map(({ nodeId }) => nodeId)), new Set(["w-1"]));
  assertEquals(work.map(({ key }) => key), workOfPod(WORKFLOW, pod).map(({ key }) => key));
  assertEquals(new Set(work.map(({ key }) => key)).size, work.length);
});

/** The stages in the work of a pod whose container `name` ran from second 5 to 12. */
function stagesOf(name: string, stages: string | undefined) {
  const pod = podWith({ containerStatuses: [endedContainer(name, 5, 12), endedContainer("main", 6, 11)] });
  const work = workOfPod(WORKFLOW, pod, parseStageTimes(stages));
  const container = work.find(({ attributes, partOf }) => attributes?.container === name && partOf === undefined);
  const parts = work.filter(({ partOf }) => partOf !== undefined);
  assertEquals(new Set(parts.map(({ partOf }) => partOf)), new Set(parts.map(() => container?.key)));
  assertEquals(new Set(work.map(({ key }) => key)).size, work.length);
  return parts.map(({ name, began, ended, failure }) => [name, second(began), second(ended), failure]);
}

/** A stage of a report, in seconds. */
const stage = (name: string, from: number, to: number, more = "") =>
  `${name} ${Date.parse(at(0)) + from * 1000} ${Date.parse(at(0)) + to * 1000}${more}`;

for (const name of ["supervisor", "wait"]) {
  Deno.test(`workOfPod(): stages in a report are parts of the container ${name}, including the second in which it ended`, () => {
    const told = [stage("load_artifacts", 5.25, 6), stage("save_artifacts", 11.5, 12.75, " failed")];
    assertEquals(stagesOf(name, told.join("; ")), [
      ["load_artifacts", 5.25, 6, undefined],
      ["save_artifacts", 11.5, 12.75, "failed"],
    ]);
    assertEquals(stagesOf(name, undefined), []);
  });
}

Deno.test("workOfPod(): an init container called init is the user's if the layout has no container of that name, and so is any other name", () => {
  const { spec, ...rest } = podWith({
    initContainerStatuses: [endedContainer("init", 2, 4)],
    containerStatuses: [
      endedContainer("supervisor", 4, 12),
      endedContainer("main", 6, 11),
      endedContainer("constructor", 6, 11),
    ],
  });
  const volumes = [{ name: "argoexec-bin", image: { reference: "argoexec:v1" } }];
  const pod = { ...rest, spec: { ...spec, volumes } } as Pod;
  const work = workOfPod(WORKFLOW, pod, parseStageTimes(stage("load_artifacts", 5, 6)));
  assertEquals(
    work.map(({ name, attributes, began }) => [name, attributes?.phase ?? attributes?.container, second(began)]),
    [
      ["node_phase", "Pending", 1],
      ["node_phase", "Running", 2],
      ["run_main_container", "init", 2],
      ["run_supervisor_container", "supervisor", 4],
      ["run_main_container", "main", 6],
      ["run_main_container", "constructor", 6],
      ["load_artifacts", "supervisor", 5],
    ],
  );
});

Deno.test("workOfPod(): stages of inputs belong to `init`, and the others to the container that reports", () => {
  const pod = podWith({
    initContainerStatuses: [endedContainer("init", 2, 4)],
    containerStatuses: [endedContainer("wait", 5, 12), endedContainer("main", 6, 11)],
  });
  const told = [
    stage("load_artifacts", 2.5, 3.5),
    stage("wait_workload", 5.5, 11),
    stage("patch_task_result", 11.5, 12),
  ];
  const work = workOfPod(WORKFLOW, pod, parseStageTimes(told.join("; ")));
  const keyOf = (container: string) =>
    work.find((workSpan) => workSpan.attributes?.container === container && !workSpan.partOf)?.key;
  assertEquals(
    work.filter(({ partOf }) => partOf !== undefined).map(({ name, partOf, began }) => [name, partOf, second(began)]),
    [
      ["load_artifacts", keyOf("init"), 2.5],
      ["wait_workload", keyOf("wait"), 5.5],
      ["patch_task_result", keyOf("wait"), 11.5],
    ],
  );
});

Deno.test("workOfPod(): stages are limited to the time of their container, and dropped if they are outside of it or reversed", () => {
  assertEquals(stagesOf("wait", stage("wait_workload", 1, 50)), [["wait_workload", 5, 13, undefined]]);
  assertEquals(stagesOf("wait", stage("save_logs", 1, 4)), []);
  assertEquals(stagesOf("wait", stage("save_logs", 14, 15)), []);
  assertEquals(stagesOf("wait", stage("save_logs", 9, 8)), []);
  const told = stage("wait_workload", 6, 8);
  assertEquals(
    workOfPod(WORKFLOW, podWith({ containerStatuses: [endedContainer("main", 5, 9)] }), parseStageTimes(told)).length,
    3,
  );
});

Deno.test("workOfPod(): containers that never ran, still run or belong to a plugin have no span, like a pod without a node", () => {
  const never = { name: "main", state: { terminated: { exitCode: 137, startedAt: null, finishedAt: null } } };
  const runs = { name: "wait", state: { running: { startedAt: at(2) } } };
  const status = { containerStatuses: [never, runs, endedContainer("artifact-plugin-a", 1, 2)] };
  assertEquals(workOfPod(WORKFLOW, podWith(status)), []);
  assertEquals(workOfPod(WORKFLOW, podWith({ containerStatuses: [endedContainer("main", 1, 2)] }, {})), []);
  assertEquals(workOfPod(WORKFLOW, podWith({})), []);
});
