import { assert, assertEquals, assertRejects } from "@std/assert";
import { ANNOTATION, ENV, PATH } from "@tiphys/base/constants";
import { parseStageTimes } from "@tiphys/base/stage_times";
import { wait } from "../before_main/legacy.ts";
import { supervisor } from "../before_main/supervisor.ts";
import { emissary } from "../command/emissary.ts";
import { memoryStore } from "../testing/memory_store.ts";
import { ownPod } from "../testing/own_pod.ts";
import { testWorld } from "../testing/world.ts";
import { at, type World } from "../world.ts";
import { stageClock } from "./stage_clock.ts";
import type { PodTemplate } from "./template.ts";

const TRACED = { [ENV.traceParent]: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };

/** A template with an input, an output and logs. */
const TEMPLATE: PodTemplate = {
  container: { volumeMounts: [{ name: "v", mountPath: "/v" }] },
  archiveLocation: { archiveLogs: true, s3: { key: "wf/pod" } },
  inputs: { artifacts: [{ name: "in", path: "/v/in", raw: { data: "content" } }] },
  outputs: { artifacts: [{ name: "out", path: "/v/out" }] },
};

/** The auxiliary containers, by layout. */
const LAYOUTS: Record<
  string,
  { readonly run: (world: World) => Promise<number>; readonly env: Record<string, string> }
> = {
  supervisor: { run: supervisor, env: { [ENV.initlessPod]: "true" } },
  wait: { run: wait, env: {} },
};

/** Runs main and an auxiliary container until both have exited. Resolves to the annotations of the report. */
async function reportedTimes(
  container: string,
  { template = TEMPLATE, env = {}, script = "true", before = () => {} }: {
    readonly template?: PodTemplate;
    readonly env?: Record<string, string>;
    readonly script?: string;
    /** Runs before the containers start in parallel. */
    readonly before?: (world: World) => Promise<void> | void;
  },
): Promise<Record<string, string>> {
  const { run, env: ofLayout } = LAYOUTS[container]!;
  await using pod = await ownPod(template, { ...ofLayout, ...env }, { container, ...memoryStore() });
  await Deno.mkdir(at(pod.world, PATH.staging), { recursive: true });
  if (container === "wait") await pod.world.write(PATH.template, JSON.stringify(template));
  await pod.world.write(`${PATH.mainFileSystem}/v/out`, "left");
  await before(pod.world);
  const main = pod.world.as("main", container === "wait" ? {} : { [ENV.waitForReady]: "true", [ENV.template]: "" });
  await Promise.all([run(pod.world), emissary(main, ["--", "sh", "-c", script])]);
  const report = await pod.report();
  assert(report.isWhole);
  return report.metadata.annotations ?? {};
}

const ALL = [
  "create_task_result",
  "load_artifacts",
  "patch_task_result",
  "save_artifacts",
  "save_logs",
  "wait_workload",
];

for (
  const [container, stages] of [
    ["supervisor", ALL],
    // Inputs are loaded by `init`, which this test does not run.
    ["wait", ALL.filter((name) => name !== "load_artifacts")],
  ] as const
) {
  Deno.test(`stage clock: ${container} of a traced node reports the times of its stages, which do not overlap`, async () => {
    const began = Date.now();
    const annotations = await reportedTimes(container, { env: TRACED, script: "sleep 0.3" });
    const times = parseStageTimes(annotations[ANNOTATION.stageTimes]);
    assertEquals(times.map(({ name }) => name).sort(), stages);
    const of = (name: string) => times.find((time) => time.name === name);
    const isInOrder = (times: (number | undefined)[]) =>
      times.every((time, index) => !index || time! >= times[index - 1]!);
    const order = [
      "load_artifacts",
      "wait_workload",
      "save_artifacts",
      "save_logs",
      "patch_task_result",
    ].map(of).filter((time) => time);
    assert(
      isInOrder([began, ...order.flatMap((time) => [time?.began, time?.ended]), Date.now()]),
      JSON.stringify(times),
    );
    const { began: from = 0, ended: to = 0 } = of("wait_workload") ?? {};
    assert(to - from >= 200, JSON.stringify(times));
    assertEquals(times.filter(({ hasFailed }) => hasFailed), []);
  });

  Deno.test(`stage clock: ${container} of an untraced node reports no stages`, async () => {
    const annotations = await reportedTimes(container, {});
    assertEquals(Object.keys(annotations).filter((name) => name === ANNOTATION.stageTimes), []);
    assertEquals(typeof annotations[ANNOTATION.executorVersion], "string");
  });
}

for (
  const [title, change, failed] of [
    ["inputs cannot be loaded", { inputs: { artifacts: [{ name: "in", path: "/v/in" }] } }, "load_artifacts"],
    ["outputs cannot be saved", { outputs: { artifacts: [{ name: "out", path: "/v/nothing" }] } }, "save_artifacts"],
  ] as const
) {
  Deno.test(`stage clock: a supervisor whose ${title} reports the failed stage`, async () => {
    const annotations = await reportedTimes("supervisor", {
      template: { ...TEMPLATE, ...change } as PodTemplate,
      env: TRACED,
    });
    const times = parseStageTimes(annotations[ANNOTATION.stageTimes]);
    assertEquals(times.filter(({ hasFailed }) => hasFailed).map(({ name }) => name), [failed]);
  });
}

Deno.test("stage clock: `wait` reports the loading of inputs by `init`, and no other stage of the file", async () => {
  const loaded = async (change: (path: string) => Promise<void>) => {
    const annotations = await reportedTimes("wait", {
      env: TRACED,
      async before(world) {
        const clock = stageClock(world);
        for (const name of ["load_artifacts", "save_logs"] as const) await clock.time(name, () => Promise.resolve());
        clock.handOver();
        await change(at(world, `${PATH.varRunArgo}/stage-times`));
      },
    });
    return parseStageTimes(annotations[ANNOTATION.stageTimes]).map(({ name }) => name).sort();
  };
  assertEquals(await loaded(() => Promise.resolve()), ALL);
  const others = ALL.filter((name) => name !== "load_artifacts");
  const replaced = (make: (path: string) => Promise<void>) => async (path: string) => {
    await Deno.remove(path);
    await make(path);
  };
  assertEquals(await loaded(replaced((path) => Deno.writeTextFile(path, "load_artifacts 1 2; ".repeat(1000)))), others);
  assertEquals(await loaded(replaced((path) => Deno.symlink("/etc/passwd", path))), others);
  assertEquals(await loaded(replaced((path) => Deno.mkdir(path))), others);
});

Deno.test("stage clock: a measured stage returns its result or throws its error, traced or not", async () => {
  for (const env of [{}, TRACED]) {
    await using world = await testWorld({ env });
    const clock = stageClock(world);
    assertEquals(await clock.time("save_logs", () => Promise.resolve(7)), 7);
    await assertRejects(() => clock.time("save_artifacts", () => Promise.reject(new Error("full"))), Error, "full");
    assertEquals(
      parseStageTimes(clock.annotation()).map(({ name, hasFailed }) => [name, hasFailed]),
      env === TRACED ? [["save_logs", false], ["save_artifacts", true], ["patch_task_result", false]] : [],
    );
  }
});
