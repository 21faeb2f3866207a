/**
 * Attacks by a hostile container of the pod on an auxiliary container, which has a service account token and the same
 * volumes. The auxiliary container must not read, write or chmod its own files through them, and must not block.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ENV, PATH } from "@tiphys/base/constants";
import { confineSharedFiles } from "./pod/confined_files.ts";
import { writeExitCode } from "./process/exit_code.ts";
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
  /** The folder of a volume that main has mounted at /data. */
  readonly data: string;
  readonly own: string;
  /** Replaces `path` of the world with a link to `target`. */
  link(target: string, path: string): void;
  /** Resolves a path of the world. */
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

/** Everything that other parties can read. */
async function readPublished({ pod }: Scene): Promise<string> {
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

/** Attacks that main or a sidecar has prepared before the auxiliary container reads the files. */
const READ_ATTACKS: readonly { title: string; plant: (scene: Scene) => void | Promise<void> }[] = [
  {
    title: "a parameter that is a link to its own file",
    plant: ({ own, link }) => link(`${own}/file`, "/mainctrfs/data/p"),
  },
  {
    title: "a parameter that is a link with .. to its own file",
    plant: ({ link }) => link(`../..${OWN}/file`, "/mainctrfs/data/p"),
  },
  {
    title: "a parameter behind many ..",
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
    title: "an unarchived artifact that is a link to its own file",
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
  { title: "a captured output that is a link", plant: ({ own, link }) => link(`${own}/file`, `${CONTAINER}/stdout`) },
  { title: "a captured output that is a pipe", plant: ({ path }) => pipe(path(`${CONTAINER}/stdout`)) },
  { title: "a log that is a link", plant: ({ own, link }) => link(`${own}/file`, `${CONTAINER}/combined`) },
  { title: "a log that is a pipe", plant: ({ path }) => pipe(path(`${CONTAINER}/combined`)) },
  { title: "main's folder, which is a link", plant: ({ own, link }) => link(own, CONTAINER) },
  { title: "the folder of all containers, which is a link", plant: ({ own, link }) => link(own, PATH.containers) },
  { title: "an exit code that is a link", plant: ({ own, link }) => link(`${own}/file`, `${CONTAINER}/exitcode`) },
  {
    title: "an exit code that is a pipe",
    plant: async (
      { path },
    ) => (Deno.removeSync(path(`${CONTAINER}/exitcode`)), await pipe(path(`${CONTAINER}/exitcode`))),
  },
  { title: "a life file that is a link", plant: ({ own, link }) => link(`${own}/file`, `${CONTAINER}/alive`) },
  { title: "a life file that is a pipe", plant: ({ path }) => pipe(path(`${CONTAINER}/alive`)) },
  { title: "progress that is a link", plant: ({ own, link }) => link(`${own}/file`, PATH.progress) },
  { title: "progress that is a pipe", plant: ({ path }) => pipe(path(PATH.progress)) },
  { title: "its own folder, which is a link", plant: ({ own, link }) => link(own, `${PATH.containers}/supervisor`) },
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

for (const { title, plant } of READ_ATTACKS) {
  Deno.test(`auxiliary container: cannot be led to its own files by ${title}`, async () => {
    const env = { [ENV.includeScriptOutput]: "true", [ENV.progressFile]: "", REMOVE_LOCAL_ART_PATH: "true" };
    await using it = await scene(TEMPLATE, env);
    (it.pod.world as { env: (name: string) => string | undefined }).env = withProgress(it);
    writeExitCode(it.pod.world, "main", 0);
    await plant(it);
    await wait(it.pod.world).catch((error) => it.pod.world.log(String(error)));
    // Without the folder that its containers share, a pod cannot start. In all other cases the report must be
    // completed.
    if (!/its own folder|of all containers/.test(title)) assertEquals((await it.pod.report()).isWhole, true);
    assertEquals((await readPublished(it)).includes(CANARY), false);
    assertEquals((await readPublished(it)).includes("KUBERNETES_SERVICE_HOST"), false);
    ownAsItWas(it);
  });
}

function withProgress({ pod: { world } }: Scene): (name: string) => string | undefined {
  const { env } = world;
  return (name) => name === ENV.progressFile ? PATH.progress : env(name);
}

Deno.test("auxiliary container: an output may be a relative or absolute link to another file of main's volumes", async () => {
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

Deno.test("auxiliary container: an output that leads outside of main's volumes is named in the error, and the others are saved", async () => {
  await using it = await scene({
    ...VOLUMES,
    outputs: { parameters: ["bad", "good"].map((name) => ({ name, valueFrom: { path: `/data/${name}` } })) },
  });
  it.link("/etc/passwd", "/mainctrfs/data/bad");
  Deno.writeTextFileSync(`${it.data}/good`, "value");
  writeExitCode(it.pod.world, "main", 0);
  assertEquals(await wait(it.pod.world), 64);
  assertEquals(
    await it.pod.message(),
    'output parameter "bad": /data/bad: a symbolic link leads outside of its volume',
  );
  assertEquals((await it.pod.report()).outputs?.parameters?.find(({ name }) => name === "good")?.value, "value");
});

/** Inputs to stage, and a link that blocks each. */
const WRITE_ATTACKS: readonly { title: string; path: string; plant: (scene: Scene) => void | Promise<void> }[] = [
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
  { title: "its destination", path: "/data/in", plant: ({ own, link }) => link(`${own}/file`, "/mainctrfs/data/in") },
  {
    title: "its destination, to a folder",
    path: "/data/in",
    plant: ({ own, link }) => link(own, "/mainctrfs/data/in"),
  },
  {
    title: "the folder of its destination",
    path: "/data/sub/in",
    plant: ({ own, link }) => link(own, "/mainctrfs/data/sub"),
  },
  {
    title: "the folder of its destination, with ..",
    path: "/data/sub/in",
    plant: ({ link }) => link(`../..${OWN}`, "/mainctrfs/data/sub"),
  },
  {
    title: "a parent folder of its destination",
    path: "/data/sub/sub/in",
    plant: ({ own, link }) => link(own, "/mainctrfs/data/sub"),
  },
  {
    title: "its destination in the folder of inputs",
    path: "/in",
    plant: ({ own, link }) => link(own, `${PATH.inputArtifacts}/in`),
  },
  {
    title: "its temporary file in the folder of inputs",
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

for (const { title, path, plant } of WRITE_ATTACKS) {
  Deno.test(`auxiliary container: never writes through a link at ${title}`, async () => {
    const script = { ...VOLUMES.container, source: "true" };
    await using it = await scene({
      script,
      inputs: { artifacts: [{ name: "in", path, mode: 0o777, recurseMode: true, raw: { data: "new" } }] },
    });
    await plant(it);
    confineSharedFiles(it.pod.world);
    const problem = await stageTemplate(it.pod.world, new AbortController().signal).then(() => "", String);
    ownAsItWas(it);
    assert(
      problem === "" ||
        /leads outside of its volume|is a link|blocked the path|Is a directory/.test(problem),
      problem,
    );
  });
}

Deno.test("auxiliary container: does not stage an input through a link into a read-only volume, nor remove an output there", async () => {
  const container = {
    volumeMounts: [{ name: "data", mountPath: "/data" }, { name: "other", mountPath: "/other", readOnly: true }],
  };
  const inputs = { artifacts: [{ name: "in", path: "/data/sub/in", raw: { data: "new" } }] };
  const outputs = { artifacts: [artifact({ archive: { none: {} } })] };
  await using it = await scene({ container, inputs, outputs }, { REMOVE_LOCAL_ART_PATH: "true" });
  it.link("/other", "/mainctrfs/data/sub");
  it.link("/other/kept", "/mainctrfs/data/a");
  Deno.writeTextFileSync(it.path("/mainctrfs/other/kept"), "kept");
  confineSharedFiles(it.pod.world);
  const problem = await stageTemplate(it.pod.world, new AbortController().signal).then(() => "", String);
  assertStringIncludes(problem, "/data/sub/in: a symbolic link leads outside of its volume");
  writeExitCode(it.pod.world, "main", 0);
  assertEquals(await wait(it.pod.world), 0);
  assertEquals(new TextDecoder().decode(stores.get(it.pod)!.objects.get("a")), "kept");
  assertEquals([...Deno.readDirSync(it.path("/mainctrfs/other"))].map(({ name }) => name), ["kept"]);
});

Deno.test("auxiliary container: stages an input through a link within main's volumes", async () => {
  await using it = await scene({
    ...VOLUMES,
    inputs: { artifacts: [{ name: "in", path: "/data/sub/in", raw: { data: "new" } }] },
  });
  it.link("/other", "/mainctrfs/data/sub");
  confineSharedFiles(it.pod.world);
  await stageTemplate(it.pod.world, new AbortController().signal).catch((error) =>
    assertStringIncludes(String(error), "cross-device")
  );
  assertEquals(Deno.readTextFileSync(it.path("/mainctrfs/other/in")), "new");
});
