import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { ANNOTATION, ENV, PATH } from "@tiphys/base/constants";
import { VERSION } from "@tiphys/base/version";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { readMarker, waitForFile } from "@tiphys/base/watch";
import { awaitFact } from "../../tests/await_fact.ts";
import { emissary } from "../command/emissary.ts";
import { writeExitCode } from "../process/exit_code.ts";
import { memoryStore } from "../testing/memory_store.ts";
import { sendSignal } from "../process/signals.ts";
import { supervisor } from "./supervisor.ts";
import type { PodTemplate } from "../pod/template.ts";
import { type OwnPod, ownPod } from "../testing/own_pod.ts";
import { PLAIN_FILES } from "../pod/shared_files.ts";
import { at, containerFolder } from "../world.ts";
import type { TestWorld, WorldOptions } from "../testing/world.ts";

interface Pod extends OwnPod {
  readonly main: TestWorld;
}

/** A pod, seen from its supervisor and from main. */
async function podOf(
  template: PodTemplate,
  env: Record<string, string> = {},
  edges: Pick<WorldOptions, "clock" | "driverFor"> = {},
): Promise<Pod> {
  const pod = await ownPod(template, { [ENV.initlessPod]: "true", ...env }, { container: "supervisor", ...edges });
  await Deno.mkdir(at(pod.world, PATH.staging), { recursive: true });
  return { ...pod, main: pod.world.as("main", { [ENV.waitForReady]: "true", [ENV.template]: "" }) };
}

const NEVER_ENDING = "while :; do sleep 0.02; done";

function shell(pod: Pod, script: string): Promise<number> {
  return emissary(pod.main, ["--", "sh", "-c", script]);
}

Deno.test("supervisor: a script runs with the emissary and its result is reported", async () => {
  const script = { source: "echo hello\necho there\n" };
  await using pod = await podOf({ script }, { [ENV.includeScriptOutput]: "true" });
  const [own, main] = await Promise.all([
    supervisor(pod.world),
    emissary(pod.main, ["--", "sh", at(pod.world, PATH.scriptSource)]),
  ]);
  assertEquals([own, main], [0, 0]);
  const result = await pod.report();
  assertEquals(result.outputs?.result, "hello\nthere");
  assert(result.isWhole);
  assertEquals(result.metadata.ownerReferences?.[0]?.name, "wf");
});

Deno.test("supervisor: reports parameters from the image and volumes, and defaults for missing ones (IL-34)", async () => {
  const parameters = [
    { name: "image", valueFrom: { path: "/out/a" } },
    { name: "volume", valueFrom: { path: "/data/b" } },
    { name: "missing", valueFrom: { path: "/out/c", default: "otherwise" } },
  ];
  const container = { volumeMounts: [{ name: "v", mountPath: "/data" }] };
  await using pod = await podOf({ container, outputs: { parameters } });
  await pod.world.write(`${PATH.mainFileSystem}/data/b`, "from the volume\n\n");
  const script = `mkdir ${pod.world.root}/out; echo from the image > ${pod.world.root}/out/a`;
  const [own] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  assertEquals(own, 0);
  const reported = (await pod.report()).outputs?.parameters?.map(({ name, value }) => [name, value]);
  assertEquals(reported, [["image", "from the image"], ["volume", "from the volume\n"], ["missing", "otherwise"]]);
});

for (const change of ["rm in/a; echo new > in/a", "echo new > other; mv other in/a", "echo new > in/a"]) {
  Deno.test(`supervisor: reports an input that main changed by \`${change}\` (IL-33)`, async () => {
    const store = memoryStore();
    const inputs = { artifacts: [{ name: "a", path: "/in/a", raw: { data: "old" } }] };
    const outputs = {
      parameters: [{ name: "p", valueFrom: { path: "/in/a" } }],
      artifacts: [{ name: "o", path: "/in/a", archive: { none: {} }, s3: { endpoint: "e", bucket: "b", key: "o" } }],
    };
    await using pod = await podOf({ container: {}, inputs, outputs }, {}, store);
    const script = `cd ${pod.world.root}; ${change}`;
    const [own] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
    assertEquals(own, 0);
    assertEquals((await pod.report()).outputs?.parameters?.[0]?.value, "new");
    assertEquals(new TextDecoder().decode(store.objects.get("o")), "new\n");
  });
}

Deno.test("supervisor: a missing output parameter is named in the error, and the report is closed", async () => {
  const parameters = [{ name: "p", valueFrom: { path: "/out/p" } }];
  await using pod = await podOf({ container: {}, outputs: { parameters } });
  const [own] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "true"])]);
  assertEquals(own, 64);
  assertMatch(await pod.world.read(PATH.terminationLog) ?? "", /open \/out\/p: no such file or directory/);
  assert((await pod.report()).isWhole);
});

Deno.test("supervisor: stages raw artifacts before main starts, also in volumes, readable by every user (IL-28, IL-81)", async () => {
  const artifacts = [{ name: "a", path: "/in/a", raw: { data: "content" } }, {
    name: "b",
    path: "/data/sub/b",
    raw: { data: "in the volume" },
  }];
  const container = { volumeMounts: [{ name: "v", mountPath: "/data" }] };
  await using pod = await podOf({ container, inputs: { artifacts } });
  const script = `cat ${pod.world.root}/in/a > ${pod.world.root}/copy`;
  await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  assertEquals(await pod.world.read("/copy"), "content");
  assertEquals(await pod.world.read(`${PATH.mainFileSystem}/data/sub/b`), "in the volume");
  assertEquals(await pod.world.read("/data/sub/b"), undefined, "no link is made where a volume is mounted");
  assertEquals((await Deno.stat(at(pod.world, `${PATH.mainFileSystem}/data/sub`))).mode! & 0o777, 0o777);
});

Deno.test("supervisor: if an input cannot be loaded, main exits with 65 and only the error is reported (IL-20, IL-42)", async () => {
  const outputs = { parameters: [{ name: "p", valueFrom: { path: "/p" } }] };
  await using pod = await podOf({ container: {}, inputs: { artifacts: [{ name: "a", path: "/a" }] }, outputs });
  const [own, main] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "true"])]);
  assertEquals([own, main], [64, 65]);
  assertStringIncludes(
    await pod.world.read(PATH.terminationLog) ?? "",
    "failed to load non-plugin input artifacts: required artifact 'a' not supplied",
  );
  const result = await pod.report();
  assertEquals(result.outputs, undefined);
  assert(result.isWhole);
});

Deno.test("supervisor: without a template, writes the marker FAILED (IL-80)", async () => {
  await using pod = await podOf({}, { [ENV.template]: "offloaded" });
  assertEquals(await supervisor(pod.world), 64);
  const marker = (await readMarker(at(pod.world, PATH.status)))?.marker;
  assertEquals(marker?.kind, "FAILED");
});

Deno.test("supervisor: if its marker cannot be written, stages nothing and reports the error (IL-18)", async () => {
  await using pod = await podOf({ container: {} });
  await Deno.mkdir(at(pod.world, PATH.status));
  PLAIN_FILES.makeFolder(containerFolder(pod.world, "main"));
  writeExitCode(pod.world, "main", 65);
  assertEquals(await supervisor(pod.world), 64);
  assertMatch((await pod.world.termination())?.cause ?? "", /failed to write \/var\/run\/argo\/status/);
  assertEquals(await pod.world.read(PATH.template), undefined);
  assert((await pod.report()).isWhole);
});

Deno.test("supervisor: on termination, waits for the last output of main and reports it (IL-59)", async () => {
  const parameters = [{ name: "p", valueFrom: { path: "/p" } }];
  const clock = fakeClock();
  await using pod = await podOf({ container: {}, outputs: { parameters } }, {}, { clock });
  const { root } = pod.world;
  const script = `trap "echo last > ${root}/p; exit 0" TERM; echo up > ${root}/up; while :; do sleep 0.02; done`;
  const running = Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  await waitForFile(at(pod.world, "/up"), async () => await pod.world.read("/up") || undefined);
  const timers = clock.timersSet;
  sendSignal(pod.world, "supervisor", 15);
  await awaitFact("the supervisor waits for main during the grace period", () => clock.timersSet > timers, {
    seconds: 30,
  });
  sendSignal(pod.world, "main", 15);
  assertEquals(await running, [0, 0]);
  const result = await pod.report();
  assertEquals(result.outputs?.parameters?.[0]?.value, "last");
  assert(result.isWhole);
});

/** Waits until a container has read its signal file. */
async function untilTaken({ world }: Pod, container: string): Promise<void> {
  const file = `${containerFolder(world, container)}/signal`;
  await waitForFile(file, () => Deno.stat(file).then(() => undefined, () => true));
}

/** The deadline is a minute away in the fake clock's time, so that main can start first. */
const MINUTE = 60_000;

async function untilRunning({ world }: Pod): Promise<void> {
  await waitForFile(at(world, "/up"), async () => await world.read("/up") || undefined);
}

Deno.test("supervisor: terminates main at the deadline and reports it", async () => {
  const clock = fakeClock();
  const env = { [ENV.deadline]: new Date(clock.now() + MINUTE).toISOString() };
  await using pod = await podOf({ container: {} }, env, { clock });
  const running = Promise.all([supervisor(pod.world), shell(pod, `echo up > ${pod.world.root}/up; ${NEVER_ENDING}`)]);
  await untilRunning(pod);
  clock.advance(MINUTE);
  assertEquals(await running, [64, 143]);
  assertEquals(await pod.world.termination(), { stage: "deadline", cause: "Step exceeded its deadline" });
});

Deno.test("supervisor: enforces activeDeadlineSeconds from the creation of the first volume, and saves outputs", async () => {
  const clock = fakeClock();
  const store = memoryStore();
  const outputs = { artifacts: [{ name: "o", path: "/o", s3: { endpoint: "e", bucket: "b", key: "o.tgz" } }] };
  const env = { [ENV.activeDeadline]: "3600" };
  await using pod = await podOf({ container: {}, outputs }, env, { clock, driverFor: store.driverFor });
  await Deno.utime(at(pod.world, PATH.varRunArgo), clock.now() / 1000, clock.now() / 1000 - 3540);
  const { root } = pod.world;
  const script = `trap "echo content > ${root}/o; exit 0" TERM; echo up > ${root}/up; ${NEVER_ENDING}`;
  const running = Promise.all([supervisor(pod.world), shell(pod, script)]);
  await untilRunning(pod);
  clock.advance(MINUTE);
  // Main succeeded, but the pod failed.
  assertEquals(await running, [64, 0]);
  assertEquals(await pod.message(), "Pod was active on the node longer than the specified deadline");
  assertEquals((await pod.report()).outputs?.artifacts?.map(({ name }) => name), ["o"]);
});

Deno.test("supervisor: cancels the loading of inputs at the deadline and reports the deadline", async () => {
  const clock = fakeClock();
  const store = memoryStore();
  const artifacts = [{ name: "a", path: "/a", s3: { key: "a" } }];
  const env = { [ENV.deadline]: new Date(clock.now() + MINUTE).toISOString() };
  await using pod = await podOf({ container: {}, inputs: { artifacts } }, env, { clock, driverFor: store.driverFor });
  store.during = (_, stop) => {
    const stopped = new Promise<void>((_, reject) => stop!.addEventListener("abort", () => reject(stop!.reason)));
    clock.advance(MINUTE);
    return stopped;
  };
  // Times of files come from the real clock, while the fake clock does not advance.
  const ran = `${pod.world.root}/ran`;
  const main = emissary(pod.main.as("main", { [ENV.supervisorSilence]: "300" }), ["--", "touch", ran]);
  const [own, code] = await Promise.all([supervisor(pod.world), main]);
  assertEquals(own, 64);
  // Main may stop because of the FAILED marker or because of the deadline's signal, whichever comes first.
  assert([65, 143].includes(code), `${code}`);
  await assertRejects(() => Deno.stat(ran), Deno.errors.NotFound);
  assertEquals(await pod.world.termination(), { stage: "deadline", cause: "Step exceeded its deadline" });
});

Deno.test("supervisor: reports the last progress of main (IL-74)", async () => {
  const env = { [ENV.progressFile]: PATH.progress, [ENV.progressPatchTick]: "1m0s" };
  await using pod = await podOf({ container: {} }, env);
  const progress = at(pod.world, PATH.progress);
  const running = Promise.all([
    supervisor(pod.world),
    shell(pod, `trap "echo 100/100 >> ${progress}; exit 0" TERM; echo 10/100 > ${progress}; ${NEVER_ENDING}`),
  ]);
  const isReported = async () => (await pod.report()).progress === "10/100";
  await awaitFact("the first progress is reported, and the next would be in a minute", isReported, { seconds: 30 });
  sendSignal(pod.world, "main", 15);
  await running;
  assertEquals((await pod.report()).progress, "100/100");
});

Deno.test("supervisor: without an artifact repository, an output artifact fails with an error that explains it", async () => {
  await using pod = await podOf({ container: {}, outputs: { artifacts: [{ name: "o", path: "/o" }] } });
  const script = `echo x > ${pod.world.root}/o`;
  const [own] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  assertEquals(own, 64);
  assertStringIncludes(
    await pod.world.read(PATH.terminationLog) ?? "",
    "artifact storage is not configured; see the docs",
  );
});

Deno.test("supervisor: reports the start of main, its exit code and the peak memory", async () => {
  await using pod = await podOf({ container: {} });
  await Promise.all([supervisor(pod.world), shell(pod, "exit 3")]);
  const { metadata, outputs } = await pod.report();
  assertEquals(metadata.annotations?.[ANNOTATION.mainStarted], "true");
  assertEquals(metadata.annotations?.[ANNOTATION.executorVersion], VERSION);
  assertMatch(metadata.annotations?.[ANNOTATION.executorPeakMemory] ?? "", /^\d+Ki$/);
  assertEquals(outputs?.exitCode, "3");
});

Deno.test("supervisor: its log begins with the release of the executor", async () => {
  await using pod = await podOf({ container: {} });
  await Promise.all([supervisor(pod.world), shell(pod, "true")]);
  assertEquals(pod.world.logged[0], `Starting Workflow Executor ${VERSION}`);
});

Deno.test("supervisor: warns when main runs an executor of another release", async () => {
  await using pod = await podOf({ container: {} });
  await Promise.all([supervisor(pod.world), shell(pod, "true")]);
  const warnings = () => pod.world.logged.filter((line) => line.includes("use the same release"));
  assertEquals(warnings(), []);
  await pod.world.write(`${PATH.containers}/main/alive`, "0.0.9");
  await supervisor(pod.world);
  assertEquals(warnings(), [
    `container main ran argoexec 0.0.9, but this container runs ${VERSION}: use the same release in both`,
  ]);
});

Deno.test("supervisor: does not report the start of main if main never started", async () => {
  await using pod = await podOf({ container: {}, inputs: { artifacts: [{ name: "a", path: "/a" }] } });
  await Promise.all([supervisor(pod.world), shell(pod, "true")]);
  assertEquals((await pod.report()).metadata.annotations?.[ANNOTATION.mainStarted], undefined);
});

Deno.test("supervisor: if the template cannot be written, stages nothing else (IL-20)", async () => {
  const artifacts = [{ name: "a", path: "/a", raw: { data: "content" } }];
  await using pod = await podOf({ script: { source: "true" }, inputs: { artifacts } });
  await Deno.mkdir(at(pod.world, PATH.template));
  const [own, main] = await Promise.all([supervisor(pod.world), shell(pod, "true")]);
  assertEquals([own, main], [64, 65]);
  assertEquals(await pod.world.read(PATH.scriptSource), undefined);
  assertEquals(await pod.world.read(`${PATH.inputArtifacts}/a`), undefined);
});

Deno.test("supervisor: if the script cannot be staged, loads no inputs (IL-20)", async () => {
  const artifacts = [{ name: "a", path: "/a", raw: { data: "content" } }];
  await using pod = await podOf({ script: { source: "true" }, inputs: { artifacts } });
  await Deno.mkdir(at(pod.world, PATH.scriptSource));
  const [own, main] = await Promise.all([supervisor(pod.world), shell(pod, "true")]);
  assertEquals([own, main], [64, 65]);
  assertEquals(await pod.world.read(`${PATH.inputArtifacts}/a`), undefined);
});

/** A template whose logs and artifacts are saved to a store that also contains its input. */
function archiving(more: Partial<PodTemplate> = {}): PodTemplate {
  return { container: {}, archiveLocation: { archiveLogs: true, s3: { key: "wf/pod" } }, ...more };
}

Deno.test("supervisor: saves the log of main even if inputs cannot be loaded (IL-42)", async () => {
  const store = memoryStore();
  const inputs = { artifacts: [{ name: "a", path: "/a" }] };
  const outputs = { artifacts: [{ name: "o", path: "/o" }], parameters: [{ name: "p", valueFrom: { path: "/p" } }] };
  await using pod = await podOf(archiving({ inputs, outputs }), {}, store);
  await pod.world.write(`${PATH.containers}/main/combined`, "printed in an earlier life");
  const [own, main] = await Promise.all([supervisor(pod.world), shell(pod, "true")]);
  assertEquals([own, main], [64, 65]);
  assertEquals([...store.objects.keys()], ["wf/pod/main.log"]);
  assertMatch((await pod.world.termination())?.cause ?? "", /required artifact 'a' not supplied/);
  assertEquals(pod.world.logged.filter((line) => /^Error: .*required artifact 'a' not supplied/.test(line)).length, 1);
  assertEquals((await pod.report()).outputs?.artifacts?.map(({ name }) => name), ["main-logs"]);
});

for (
  const [title, annotations, saved] of [
    ["are saved", undefined, ["wf/pod/o.tgz"]],
    ["are not saved where their template has them kept back", { [ANNOTATION.artifactsOnFailure]: "false" }, []],
  ] as const
) {
  Deno.test(`artifacts of a main that failed ${title}, and its log is either way (AR-109)`, async () => {
    const store = memoryStore();
    const outputs = { artifacts: [{ name: "o", path: "/vol/o" }] };
    const container = { volumeMounts: [{ name: "vol", mountPath: "/vol" }] };
    await using pod = await podOf(archiving({ container, outputs, metadata: { annotations } }), {}, store);
    await pod.world.write(`${PATH.mainFileSystem}/vol/o`, "half");
    const [own, main] = await Promise.all([supervisor(pod.world), shell(pod, "echo failing; exit 3")]);
    assertEquals([own, main], [0, 3]);
    assertEquals([...store.objects.keys()].sort(), ["wf/pod/main.log", ...saved]);
    const names = (await pod.report()).outputs?.artifacts?.map(({ name }) => name).sort();
    assertEquals(names, saved.length > 0 ? ["main-logs", "o"] : ["main-logs"]);
  });
}

Deno.test("supervisor: for a resource template, saves logs and leaves outputs to main (IL-43)", async () => {
  const store = memoryStore();
  const outputs = { parameters: [{ name: "p", valueFrom: { path: "/p" } }] };
  const template = archiving({ container: undefined, resource: {}, outputs });
  await using pod = await podOf(template, { [ENV.includeScriptOutput]: "true" }, store);
  const [own] = await Promise.all([supervisor(pod.world), shell(pod, "echo created")]);
  assertEquals(own, 0);
  assertEquals([...store.objects.keys()], ["wf/pod/main.log"]);
  const reported = (await pod.report()).outputs;
  assertEquals([reported?.parameters, reported?.result], [undefined, undefined]);
  assertEquals(reported?.artifacts?.map(({ name }) => name), ["main-logs"]);
});

Deno.test("supervisor: succeeds if a container of a set never ran and left no log (IL-41)", async () => {
  const store = memoryStore();
  const containers = [{ name: "main" }, { name: "late", dependencies: ["main"] }];
  await using pod = await podOf(archiving({ container: undefined, containerSet: { containers } }), {}, store);
  const late = pod.world.as("late", { [ENV.waitForReady]: "true" });
  const running = Promise.all([
    supervisor(pod.world),
    shell(pod, `echo up > ${pod.world.root}/up; ${NEVER_ENDING}`),
    emissary(late, ["--", "true"]),
  ]);
  await waitForFile(at(pod.world, "/up"), async () => await pod.world.read("/up") || undefined);
  sendSignal(pod.world, "late", 15);
  sendSignal(pod.world, "main", 15);
  assertEquals(await running, [0, 143, 143]);
  assertEquals([...store.objects.keys()], ["wf/pod/main.log"]);
  assertMatch(pod.world.logged.join("\n"), /container late has no log/);
});

Deno.test("supervisor: a log in a store without a driver is an error", async () => {
  const archiveLocation = { archiveLogs: true, raw: { data: "" } };
  await using pod = await podOf({ container: {}, archiveLocation });
  const [own] = await Promise.all([supervisor(pod.world), shell(pod, "echo printed")]);
  assertEquals(own, 64);
  assertMatch(
    (await pod.world.termination())?.cause ?? "",
    /failed to save the log of main: .*Raw output artifacts unsupported/,
  );
});

Deno.test("supervisor: on termination, cancels an upload in time and completes the report (IL-59)", async () => {
  const store = memoryStore();
  const outputs = { artifacts: [{ name: "o", path: "/o", s3: { endpoint: "e", bucket: "b", key: "o.tgz" } }] };
  await using pod = await podOf({ container: {}, outputs }, {}, store);
  store.during = async (event) => {
    if (event !== "save o.tgz") return;
    sendSignal(pod.world, "supervisor", 15);
    await untilTaken(pod, "supervisor");
  };
  const [own] = await Promise.all([supervisor(pod.world), shell(pod, `echo content > ${pod.world.root}/o`)]);
  assertEquals(own, 0);
  assertEquals(store.events, ["save o.tgz", "saved o.tgz"]);
  const result = await pod.report();
  assertEquals(result.outputs?.artifacts?.[0]?.s3?.key, "o.tgz");
  assert(result.isWhole);
});

Deno.test("supervisor: may start a minute after main, which waits (IL-62)", async () => {
  const clock = fakeClock();
  // Times of files come from the real clock, while the fake clock does not advance.
  const env = { [ENV.supervisorSilence]: "300" };
  await using pod = await podOf({ container: {} }, env, { clock });
  const main = shell(pod, `echo up > ${pod.world.root}/up`);
  while (clock.elapsed < 60_000) {
    const looked = clock.nextTimer();
    clock.advance(2000);
    await looked;
  }
  assertEquals(await pod.world.read("/up"), undefined);
  assertEquals(await Promise.all([supervisor(pod.world), main]), [0, 0]);
});

Deno.test("supervisor: rewrites RUNNING every five seconds while loading inputs, then writes READY", async () => {
  const clock = fakeClock();
  const store = memoryStore();
  store.objects.set("a", new TextEncoder().encode("content"));
  const artifacts = [{ name: "a", path: "/a", s3: { key: "a" } }];
  await using pod = await podOf({ container: {}, inputs: { artifacts } }, {}, { clock, driverFor: store.driverFor });
  const marker = at(pod.world, PATH.status);
  store.during = async () => {
    for (let beat = 0; beat < 4; beat++) {
      const { ino } = await Deno.stat(marker);
      await awaitFact("RUNNING is written again", async () => {
        clock.advance(5000);
        return (await Deno.stat(marker)).ino !== ino;
      }, { seconds: 30 });
      assertEquals((await readMarker(marker))?.marker.kind, "RUNNING");
    }
  };
  PLAIN_FILES.makeFolder(containerFolder(pod.world, "main"));
  writeExitCode(pod.world, "main", 0);
  assertEquals(await supervisor(pod.world), 0);
  assertEquals((await readMarker(marker))?.marker.kind, "READY");
});

Deno.test("supervisor: on termination while loading inputs, stops, and main does not start", async () => {
  const store = memoryStore();
  const artifacts = [{ name: "a", path: "/a", s3: { key: "a" } }];
  await using pod = await podOf({ container: {}, inputs: { artifacts } }, {}, store);
  store.during = async (_, stop) => {
    const stopped = new Promise((_, reject) => stop!.addEventListener("abort", () => reject(stop!.reason)));
    await Promise.all([stopped, sendSignal(pod.world, "supervisor", 15)]);
  };
  const [own, main] = await Promise.all([supervisor(pod.world), shell(pod, `touch ${pod.world.root}/ran`)]);
  assertEquals([own, main], [64, 65]);
  assertEquals(store.events, ["load a", "stopped a"]);
  assertEquals(await pod.world.read("/ran"), undefined);
});

Deno.test("supervisor: kills a main that ignores the deadline, after the grace period", async () => {
  const clock = fakeClock();
  const env = { [ENV.deadline]: new Date(clock.now()).toISOString(), [ENV.terminationGracePeriodSeconds]: "7" };
  await using pod = await podOf({ container: {} }, env, { clock });
  const { root } = pod.world;
  const script = `trap "echo asked > ${root}/asked" TERM; echo up > ${root}/up; ${NEVER_ENDING}`;
  const main = shell(pod, script);
  const own = supervisor(pod.world);
  await waitForFile(at(pod.world, "/up"), async () => await pod.world.read("/up") || undefined);
  await awaitFact("main receives SIGTERM", () => {
    clock.advance(0);
    return pod.world.read("/asked").then((text) => text !== undefined);
  }, { seconds: 30 });
  clock.advance(7000);
  assertEquals(await Promise.all([own, main]), [64, 137]);
});

Deno.test("supervisor: does not wait forever at the deadline for a main that never started", async () => {
  const clock = fakeClock();
  const env = { [ENV.deadline]: new Date(clock.now() + 60_000).toISOString() };
  await using pod = await podOf({ container: {} }, env, { clock });
  assertEquals(await clock.runUntil(supervisor(pod.world)), 64);
  assert(clock.elapsed >= 60_000 + 30_000 + 10_000);
  assert((await pod.report()).isWhole);
});

Deno.test("supervisor: after a restart, replaces the report of its previous run", async () => {
  await using pod = await podOf({ container: {}, inputs: { artifacts: [{ name: "a", path: "/a" }] } });
  await pod.world.write(PATH.status, "READY");
  PLAIN_FILES.makeFolder(containerFolder(pod.world, "main"));
  writeExitCode(pod.world, "main", 65);
  assertEquals(await supervisor(pod.world), 64);
  assertEquals((await readMarker(at(pod.world, PATH.status)))?.marker.kind, "FAILED");
});

Deno.test("supervisor: reports progress on change, limited to the configured rate", async () => {
  const clock = fakeClock();
  const env = { [ENV.progressFile]: PATH.progress, [ENV.progressPatchTick]: "1m0s" };
  await using pod = await podOf({ container: {} }, env, { clock });
  const running = Promise.all([
    supervisor(pod.world),
    shell(pod, `trap "exit 0" TERM; echo 1/10 > ${at(pod.world, PATH.progress)}; ${NEVER_ENDING}`),
  ]);
  const isReported = async (progress: string) => (await pod.report()).progress === progress;
  await awaitFact("the first progress is reported", () => isReported("1/10"), { seconds: 30 });
  await Deno.writeTextFile(at(pod.world, PATH.progress), "2/10\n");
  assertEquals((await pod.report()).progress, "1/10");
  const nextMinute = () => {
    clock.advance(60_000);
    return isReported("2/10");
  };
  await awaitFact("the next progress is reported", nextMinute, { seconds: 30 });
  sendSignal(pod.world, "main", 15);
  assertEquals(await running, [0, 0]);
});
