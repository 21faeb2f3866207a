/**
 * Tests of the executor under difficult conditions (a slow disk, a non-root user, a read-only root file system), for
 * the emissary and the supervisor, and of kills of the supervisor. The user's work must complete in all of them.
 */
import { assertEquals } from "@std/assert";
import { ENV, PATH } from "@tiphys/base/constants";
import { parseMarker, waitForFile } from "@tiphys/base/watch";
import { canOtherUserStartDeno, type ProcessOptions, startProgram } from "./testing/process.ts";
import type { PodTemplate } from "./pod/template.ts";
import { type OwnPod, ownPod } from "./testing/own_pod.ts";
import { at } from "./world.ts";
import { needs } from "../lib/base/testing/needs.ts";

const AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/** The command prefix that runs a command as the first process of a container after a setup as root. */
function inContainer(setup: string): string[] {
  return ["unshare", "--mount", "--pid", "--fork", "sh", "-ec", `${setup}; exec "$@"`, "sh"];
}

async function works(...words: string[]): Promise<boolean> {
  const [program, ...args] = [...words, "true"];
  return await new Deno.Command(program, { args, stdout: "null", stderr: "null" }).output().then(
    ({ success }) => success,
    () => false,
  );
}

const canBeContainer = await canOtherUserStartDeno() &&
  await works(...inContainer("mount -t proc proc /proc"), ...AS_NOBODY);

const MAIN = { container: "main", env: { [ENV.waitForReady]: "true", [ENV.template]: "" } };

const TEMPLATE: PodTemplate = {
  container: {},
  inputs: { artifacts: [{ name: "word", path: "/in/word", raw: { data: "given" } }] },
  outputs: { parameters: [{ name: "made", valueFrom: { path: "/out/made" } }] },
};

/** A pod whose folders are writable for every user. */
async function openPod(): Promise<OwnPod> {
  const env = { [ENV.initlessPod]: "true", [ENV.includeScriptOutput]: "true" };
  const pod = await ownPod(TEMPLATE, env, { container: "supervisor" });
  await Deno.mkdir(at(pod.world, PATH.staging), { recursive: true });
  await Deno.mkdir(at(pod.world, "/argo/inputs"), { recursive: true });
  for (const folder of ["", "/dev", "/var/run/argo", "/argo", "/argo/inputs", PATH.staging]) {
    await Deno.chmod(at(pod.world, folder), 0o777);
  }
  return pod;
}

function startSupervisor(pod: OwnPod, environment: ProcessOptions = {}): Promise<Deno.ChildProcess> {
  return startProgram(pod.world, ["supervisor"], { ...environment, container: "supervisor", env: pod.env });
}

function startMain(pod: OwnPod, script: string, environment: ProcessOptions = {}): Promise<Deno.ChildProcess> {
  const env = { ...pod.env, ...MAIN.env };
  return startProgram(pod.world, ["emissary", "--", "sh", "-ec", script], { ...environment, ...MAIN, env });
}

/** Uses an input, writes an output, prints, and leaves a process behind. */
function work({ world: { root } }: OwnPod): string {
  return `mkdir ${root}/out; cp ${root}/in/word ${root}/out/made; sleep 60 & echo printed`;
}

async function assertReported(pod: OwnPod): Promise<void> {
  const { outputs, isWhole } = await pod.report();
  assertEquals([outputs?.result, outputs?.parameters?.[0]?.value, isWhole], ["printed", "given", true]);
}

async function assertWorksIn(environment: ProcessOptions): Promise<void> {
  await using pod = await openPod();
  const main = await startMain(pod, work(pod), environment);
  const supervisor = await startSupervisor(pod, environment);
  const ends = await Promise.all([supervisor.status, main.status]);
  assertEquals(ends.map(({ code }) => code), [0, 0], await pod.message());
  await assertReported(pod);
}

/** Delays every file system call. */
const SLOW_DISK = `
  const calls = ["chmod", "copyFile", "lstat", "mkdir", "open", "readFile", "readTextFile", "realPath", "remove", "rename", "stat", "symlink",
    "writeFile", "writeTextFile"];
  for (const name of calls) {
    const quick = Deno[name];
    Deno[name] = async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return await quick(...args);
    };
  }`;

Deno.test("executor: works on a slow disk", () => assertWorksIn({ before: SLOW_DISK }));

const IN_CONTAINERS: Record<string, string> = {
  "a non-root user": "mount -t proc proc /proc",
  "a non-root user and a /proc with hidepid": "mount -t proc -o hidepid=2 proc /proc",
};

for (const [what, setup] of Object.entries(IN_CONTAINERS)) {
  Deno.test({
    ...needs(
      "namespaces that root may make, and Deno where the user nobody can start it",
      canBeContainer,
      `executor: works with ${what} as the first process of its container`,
    ),
    fn: () => assertWorksIn({ through: [...inContainer(setup), ...AS_NOBODY] }),
  });
}

Deno.test({
  ...needs(
    "namespaces that root may make, and Deno where the user nobody can start it",
    canBeContainer,
    "executor: works with a read-only root file system as the first process of its container",
  ),
  fn: async () => {
    await using pod = await openPod();
    const { root } = pod.world;
    // The pod's folders are volumes; the rest belongs to the image.
    const setup =
      `mount --bind ${root} ${root}; mount -o remount,bind,ro /; ! touch /new 2>/dev/null; mount -t proc proc /proc`;
    const environment = { through: inContainer(setup) };
    const main = await startMain(pod, work(pod), environment);
    const supervisor = await startSupervisor(pod, environment);
    const ends = await Promise.all([supervisor.status, main.status]);
    assertEquals(ends.map(({ code }) => code), [0, 0], await pod.message());
    await assertReported(pod);
  },
});

Deno.test("supervisor: after a kill while main runs, the restarted supervisor reports main", async () => {
  await using pod = await openPod();
  const { root } = pod.world;
  const main = await startMain(
    pod,
    `echo up > ${root}/up; until [ -e ${root}/gate ]; do sleep 0.02; done; ${work(pod)}`,
  );
  const first = await startSupervisor(pod);
  await waitForFile(`${root}/up`, async () => await pod.world.read("/up") || undefined);
  first.kill("SIGKILL");
  await first.status;
  const second = await startSupervisor(pod);
  await pod.world.write("/gate", "");
  const ends = await Promise.all([second.status, main.status]);
  assertEquals(ends.map(({ code }) => code), [0, 0], await pod.message());
  await assertReported(pod);
});

Deno.test("supervisor: after a kill while loading inputs, the restarted supervisor loads them and starts main", async () => {
  await using pod = await openPod();
  const main = await startMain(pod, work(pod));
  const stuck = "world.driverFor = () => new Promise(() => {});";
  const first = await startSupervisor(pod, { before: stuck });
  const marker = at(pod.world, PATH.status);
  await waitForFile(
    marker,
    async () => parseMarker(await pod.world.read(PATH.status) ?? "").kind === "RUNNING" || undefined,
  );
  first.kill("SIGKILL");
  await first.status;
  const second = await startSupervisor(pod);
  const ends = await Promise.all([second.status, main.status]);
  assertEquals(ends.map(({ code }) => code), [0, 0], await pod.message());
  await assertReported(pod);
});

Deno.test("emissary: after a kill, the restarted main runs its command again with its inputs", async () => {
  await using pod = await openPod();
  const { root } = pod.world;
  const first = await startMain(pod, `echo up > ${root}/up; sleep 60`);
  const early = await startSupervisor(pod);
  await waitForFile(`${root}/up`, async () => await pod.world.read("/up") || undefined);
  early.kill("SIGKILL");
  await early.status;
  first.kill("SIGKILL");
  await first.status;
  const second = await startMain(pod, work(pod));
  assertEquals((await second.status).code, 0, await pod.message());
  const supervisor = await startSupervisor(pod);
  assertEquals((await supervisor.status).code, 0, await pod.message());
  await assertReported(pod);
});
