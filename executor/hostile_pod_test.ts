/**
 * Traps that a hostile container of the pod may leave for an auxiliary one, which has a token and the same volumes:
 * nothing of the auxiliary container's own is read by it, written, or changed in its mode, and nothing is waited for.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ENV, PATH } from "../lib/constants.ts";
import { confine } from "./pod/confined_files.ts";
import { writeExitCode } from "./command/exit_code.ts";
import { wait } from "./before_main/legacy.ts";
import { memoryStore } from "./testing/memory_store.ts";
import { PLAIN_FILES } from "./pod/shared_files.ts";
import { stageTemplate } from "./before_main/stage.ts";
import type { PodTemplate, TemplateArtifact } from "./pod/template.ts";
import { type OwnPod, ownPod } from "./testing/own_pod.ts";
import { containerFolder } from "./world.ts";

const CANARY = "canary-of-the-executor";

/** The folder of the auxiliary container's own files, below the root of its world. */
const OWN = "/own";

interface Scene {
  readonly pod: OwnPod;
  /** The folder of a volume that main has at /data. */
  readonly data: string;
  readonly own: string;
  /** Links `path` of the world to `target`, in the place of what is there. */
  link(target: string, path: string): void;
  /** A path of the world. */
  path(path: string): string;
}

async function scene(template: PodTemplate, env: Record<string, string> = {}): Promise<Scene & AsyncDisposable> {
  const store = memoryStore();
  const pod = await ownPod(template, { [ENV.initlessPod]: "true", ...env }, {
    container: "supervisor",
    driverFor: store.driverFor,
  });
  const { root } = pod.world;
  const path = (path: string) => `${root}${path}`;
  stores.set(pod, store);
  for (
    const folder of [`${PATH.mainFileSystem}/data`, `${PATH.mainFileSystem}/other`, PATH.staging, PATH.inputArtifacts]
  ) {
    Deno.mkdirSync(path(folder), { recursive: true });
  }
  Deno.mkdirSync(path(OWN), { mode: 0o700 });
  Deno.writeTextFileSync(path(`${OWN}/file`), CANARY, { mode: 0o600 });
  Deno.writeTextFileSync(path(`${OWN}/stdout`), CANARY);
  Deno.chmodSync(path(OWN), 0o700);
  PLAIN_FILES.makeFolder(containerFolder(pod.world, "main"));
  return {
    pod,
    data: path(`${PATH.mainFileSystem}/data`),
    own: path(OWN),
    path,
    link(target, link) {
      Deno.mkdirSync(path(link.slice(0, link.lastIndexOf("/"))), { recursive: true });
      try {
        Deno.removeSync(path(link), { recursive: true });
      } catch { /* There was nothing. */ }
      Deno.symlinkSync(target, path(link));
    },
    [Symbol.asyncDispose]: () => pod[Symbol.asyncDispose](),
  };
}

const stores = new WeakMap<OwnPod, ReturnType<typeof memoryStore>>();

/** Everything that anybody else gets to see. */
async function told({ pod }: Scene): Promise<string> {
  const objects = [...stores.get(pod)!.objects.values()].map((bytes) => new TextDecoder().decode(bytes));
  const report = await pod.report().catch(() => undefined);
  return JSON.stringify([report, pod.world.logged, await pod.world.termination(), objects]);
}

function ownAsItWas({ own }: Scene): void {
  const names = [...Deno.readDirSync(own)].map(({ name }) => name).sort();
  assertEquals(names, ["file", "stdout"]);
  assertEquals([own, `${own}/file`].map((path) => Deno.statSync(path).mode! & 0o777), [0o700, 0o600]);
  for (const name of names) assertEquals(Deno.readTextFileSync(`${own}/${name}`), CANARY);
}

async function pipe(path: string): Promise<void> {
  await new Deno.Command("mkfifo", { args: [path] }).output();
}

const artifact = (extra: Partial<TemplateArtifact> = {}): TemplateArtifact => ({
  name: "a",
  path: "/data/a",
  s3: { endpoint: "e", bucket: "b", key: "a" },
  ...extra,
});

const VOLUMES = {
  container: { volumeMounts: [{ name: "data", mountPath: "/data" }, { name: "other", mountPath: "/other" }] },
};

const TEMPLATE: PodTemplate = {
  ...VOLUMES,
  outputs: {
    parameters: [{ name: "p", valueFrom: { path: "/data/p" } }, { name: "image", valueFrom: { path: "/out/p" } }],
    artifacts: [artifact(), artifact({ name: "none", path: "/data/n", archive: { none: {} }, s3: { key: "n" } })],
  },
  archiveLocation: { archiveLogs: true, s3: { key: "logs" } },
};

const CONTAINER = `${PATH.containers}/main`;
const COPY = `${PATH.outputParameters}/out/p`;

/** Traps that main, or a sidecar, has laid before the auxiliary container looks. */
const LEFT: readonly { title: string; plant: (scene: Scene) => void | Promise<void> }[] = [
  {
    title: "a parameter that is a link to its own file",
    plant: ({ own, link }) => link(`${own}/file`, "/mainctrfs/data/p"),
  },
  {
    title: "a parameter that is a link up to its own file",
    plant: ({ link }) => link(`../..${OWN}/file`, "/mainctrfs/data/p"),
  },
  {
    title: "a parameter behind many steps up",
    plant: ({ own, link }) => link(`${"../".repeat(30)}${own}/file`, "/mainctrfs/data/p"),
  },
  {
    title: "a parameter behind a chain of links",
    plant({ own, link }) {
      link("q", "/mainctrfs/data/p");
      link("/data/r", "/mainctrfs/data/q");
      link(`${own}/file`, "/mainctrfs/data/r");
    },
  },
  {
    title: "a parameter in the memory of its process",
    plant: ({ link }) => link("/proc/self/environ", "/mainctrfs/data/p"),
  },
  { title: "a parameter that is a link to itself", plant: ({ link }) => link("p", "/mainctrfs/data/p") },
  { title: "a parameter that is a pipe", plant: ({ path }) => pipe(path("/mainctrfs/data/p")) },
  {
    title: "a parameter that is a link to a pipe",
    plant: async ({ path, link }) => (await pipe(path("/mainctrfs/data/q")), link("q", "/mainctrfs/data/p")),
  },
  { title: "a parameter that is a device", plant: ({ link }) => link("/dev/zero", "/mainctrfs/data/p") },
  { title: "a parameter that is a folder", plant: ({ path }) => Deno.mkdirSync(path("/mainctrfs/data/p")) },
  { title: "the copy of a parameter that is a link", plant: ({ own, link }) => link(`${own}/file`, COPY) },
  {
    title: "the folder of copies that is a link",
    plant: (
      { own, link, path },
    ) => (Deno.mkdirSync(path("/x/out"), { recursive: true }),
      Deno.linkSync(`${own}/file`, path("/x/out/p")),
      link(path("/x"), PATH.outputParameters)),
  },
  {
    title: "a copy that is a pipe",
    plant: async (
      { path },
    ) => (Deno.mkdirSync(path(`${PATH.outputParameters}/out`), { recursive: true }), await pipe(path(COPY))),
  },
  { title: "an artifact that is a link to its own folder", plant: ({ own, link }) => link(own, "/mainctrfs/data/a") },
  {
    title: "an artifact that is a link to its own file, as it is",
    plant: ({ own, link }) => link(`${own}/file`, "/mainctrfs/data/n"),
  },
  {
    title: "an artifact with a link to its own file in it",
    plant: ({ own, link }) => link(`${own}/file`, "/mainctrfs/data/a/l"),
  },
  {
    title: "an artifact with a pipe in it",
    plant: async ({ path }) => (Deno.mkdirSync(path("/mainctrfs/data/a")), await pipe(path("/mainctrfs/data/a/pipe"))),
  },
  { title: "an artifact that is a pipe", plant: ({ path }) => pipe(path("/mainctrfs/data/a")) },
  { title: "what main printed, a link", plant: ({ own, link }) => link(`${own}/file`, `${CONTAINER}/stdout`) },
  { title: "what main printed, a pipe", plant: ({ path }) => pipe(path(`${CONTAINER}/stdout`)) },
  { title: "the log, a link", plant: ({ own, link }) => link(`${own}/file`, `${CONTAINER}/combined`) },
  { title: "the log, a pipe", plant: ({ path }) => pipe(path(`${CONTAINER}/combined`)) },
  { title: "main's folder, a link", plant: ({ own, link }) => link(own, CONTAINER) },
  { title: "the folder of all containers, a link", plant: ({ own, link }) => link(own, PATH.containers) },
  { title: "an exit code, a link", plant: ({ own, link }) => link(`${own}/file`, `${CONTAINER}/exitcode`) },
  {
    title: "an exit code, a pipe",
    plant: async (
      { path },
    ) => (Deno.removeSync(path(`${CONTAINER}/exitcode`)), await pipe(path(`${CONTAINER}/exitcode`))),
  },
  { title: "a sign of life, a link", plant: ({ own, link }) => link(`${own}/file`, `${CONTAINER}/alive`) },
  { title: "a sign of life, a pipe", plant: ({ path }) => pipe(path(`${CONTAINER}/alive`)) },
  { title: "progress, a link", plant: ({ own, link }) => link(`${own}/file`, PATH.progress) },
  { title: "progress, a pipe", plant: ({ path }) => pipe(path(PATH.progress)) },
  { title: "its own folder, a link", plant: ({ own, link }) => link(own, `${PATH.containers}/supervisor`) },
  {
    title: "another template, which names its own file",
    plant({ path, link, own }) {
      const template = {
        ...VOLUMES,
        outputs: { parameters: [{ name: "p", valueFrom: { path: "/data/../../own/file" } }] },
      };
      Deno.writeTextFileSync(path(PATH.template), JSON.stringify(template));
      link(`${own}/file`, "/mainctrfs/own");
    },
  },
  { title: "a template that is a link", plant: ({ own, link }) => link(`${own}/file`, PATH.template) },
];

for (const { title, plant } of LEFT) {
  Deno.test(`an auxiliary container finds no way to what is its own: ${title}`, async () => {
    const env = { [ENV.includeScriptOutput]: "true", [ENV.progressFile]: "", REMOVE_LOCAL_ART_PATH: "true" };
    await using it = await scene(TEMPLATE, env);
    (it.pod.world as { env: (name: string) => string | undefined }).env = withProgress(it);
    writeExitCode(it.pod.world, "main", 0);
    await plant(it);
    await wait(it.pod.world).catch((error) => it.pod.world.log(String(error)));
    // A pod without the folder that its containers share cannot begin; in all other cases nobody waits for the report.
    if (!/its own folder|of all containers/.test(title)) assertEquals((await it.pod.report()).isWhole, true);
    assertEquals((await told(it)).includes(CANARY), false);
    assertEquals((await told(it)).includes("KUBERNETES_SERVICE_HOST"), false);
    ownAsItWas(it);
  });
}

function withProgress({ pod: { world } }: Scene): (name: string) => string | undefined {
  const { env } = world;
  return (name) => name === ENV.progressFile ? PATH.progress : env(name);
}

Deno.test("an output may be a link to another file of main's volumes, by its path there or an absolute one of main", async () => {
  const parameters = ["a", "b", "c"].map((name) => ({ name, valueFrom: { path: `/data/${name}` } }));
  await using it = await scene({ ...VOLUMES, outputs: { parameters } });
  Deno.mkdirSync(`${it.data}/deep/er`, { recursive: true });
  Deno.writeTextFileSync(`${it.data}/deep/value`, "one");
  Deno.writeTextFileSync(it.path("/mainctrfs/other/value"), "two");
  it.link("deep/er/../value", "/mainctrfs/data/a");
  it.link("/other/value", "/mainctrfs/data/b");
  it.link("/data/deep/value", "/mainctrfs/data/c");
  writeExitCode(it.pod.world, "main", 0);
  assertEquals(await wait(it.pod.world), 0);
  const { outputs } = await it.pod.report();
  assertEquals(outputs?.parameters?.map(({ value }) => value), ["one", "two", "one"]);
});

Deno.test("an output that leads outside of main's volumes is told by its name, and the others are kept", async () => {
  await using it = await scene({
    ...VOLUMES,
    outputs: { parameters: ["bad", "good"].map((name) => ({ name, valueFrom: { path: `/data/${name}` } })) },
  });
  it.link("/etc/passwd", "/mainctrfs/data/bad");
  Deno.writeTextFileSync(`${it.data}/good`, "value");
  writeExitCode(it.pod.world, "main", 0);
  assertEquals(await wait(it.pod.world), 64);
  assertEquals(await it.pod.message(), 'output parameter "bad": /data/bad leads outside of its volume by a link');
  assertEquals((await it.pod.report()).outputs?.parameters?.find(({ name }) => name === "good")?.value, "value");
});

/** Inputs that are to be staged, and what lies in their way. */
const IN_THE_WAY: readonly { title: string; path: string; plant: (scene: Scene) => void | Promise<void> }[] = [
  {
    title: "the file while it is loaded",
    path: "/data/in",
    plant: ({ own, link }) => link(`${own}/file`, "/mainctrfs/data/.argo-in.tmp"),
  },
  {
    title: "the folder while it is unpacked",
    path: "/data/in",
    plant: ({ own, link }) => link(own, "/mainctrfs/data/.argo-in.tmpdir"),
  },
  { title: "its place", path: "/data/in", plant: ({ own, link }) => link(`${own}/file`, "/mainctrfs/data/in") },
  { title: "its place, a folder", path: "/data/in", plant: ({ own, link }) => link(own, "/mainctrfs/data/in") },
  {
    title: "the folder of its place",
    path: "/data/sub/in",
    plant: ({ own, link }) => link(own, "/mainctrfs/data/sub"),
  },
  {
    title: "the folder of its place, by steps up",
    path: "/data/sub/in",
    plant: ({ link }) => link(`../..${OWN}`, "/mainctrfs/data/sub"),
  },
  {
    title: "a folder above its place",
    path: "/data/sub/sub/in",
    plant: ({ own, link }) => link(own, "/mainctrfs/data/sub"),
  },
  {
    title: "its place beside the inputs",
    path: "/in",
    plant: ({ own, link }) => link(own, `${PATH.inputArtifacts}/in`),
  },
  {
    title: "what it waits as beside the inputs",
    path: "/in",
    plant: ({ own, link }) => link(`${own}/file`, `${PATH.inputArtifacts}/in.tmp`),
  },
  { title: "the script", path: "/in", plant: ({ own, link }) => link(`${own}/file`, PATH.scriptSource) },
  { title: "the template", path: "/in", plant: ({ own, link }) => link(`${own}/file`, PATH.template) },
  {
    title: "the template while it is written",
    path: "/in",
    plant: ({ own, link }) => link(`${own}/file`, `${PATH.template}.tmp`),
  },
  {
    title: "the marker while it is written",
    path: "/in",
    plant: ({ own, link }) => link(`${own}/file`, `${PATH.status}.tmp`),
  },
];

for (const { title, path, plant } of IN_THE_WAY) {
  Deno.test(`an auxiliary container writes nothing by a link in the way of what it stages: ${title}`, async () => {
    const script = { ...VOLUMES.container, source: "true" };
    await using it = await scene({
      script,
      inputs: { artifacts: [{ name: "in", path, mode: 0o777, recurseMode: true, raw: { data: "new" } }] },
    });
    await plant(it);
    confine(it.pod.world);
    const problem = await stageTemplate(it.pod.world, new AbortController().signal).then(() => "", String);
    ownAsItWas(it);
    assert(
      problem === "" ||
        /outside of its volume by a link|is a link|something else in the way|Is a directory/.test(problem),
      problem,
    );
  });
}

Deno.test("an input goes by no link into a volume that main may only read, and no output is removed there", async () => {
  const container = {
    volumeMounts: [{ name: "data", mountPath: "/data" }, { name: "other", mountPath: "/other", readOnly: true }],
  };
  const inputs = { artifacts: [{ name: "in", path: "/data/sub/in", raw: { data: "new" } }] };
  const outputs = { artifacts: [artifact({ archive: { none: {} } })] };
  await using it = await scene({ container, inputs, outputs }, { REMOVE_LOCAL_ART_PATH: "true" });
  it.link("/other", "/mainctrfs/data/sub");
  it.link("/other/kept", "/mainctrfs/data/a");
  Deno.writeTextFileSync(it.path("/mainctrfs/other/kept"), "kept");
  confine(it.pod.world);
  const problem = await stageTemplate(it.pod.world, new AbortController().signal).then(() => "", String);
  assertStringIncludes(problem, "/data/sub/in leads outside of its volume by a link");
  writeExitCode(it.pod.world, "main", 0);
  assertEquals(await wait(it.pod.world), 0);
  assertEquals(new TextDecoder().decode(stores.get(it.pod)!.objects.get("a")), "kept");
  assertEquals([...Deno.readDirSync(it.path("/mainctrfs/other"))].map(({ name }) => name), ["kept"]);
});

Deno.test("an input goes to its place through a link that main's volumes have there", async () => {
  await using it = await scene({
    ...VOLUMES,
    inputs: { artifacts: [{ name: "in", path: "/data/sub/in", raw: { data: "new" } }] },
  });
  it.link("/other", "/mainctrfs/data/sub");
  confine(it.pod.world);
  await stageTemplate(it.pod.world, new AbortController().signal).catch((error) =>
    assertStringIncludes(String(error), "cross-device")
  );
  assertEquals(Deno.readTextFileSync(it.path("/mainctrfs/other/in")), "new");
});
