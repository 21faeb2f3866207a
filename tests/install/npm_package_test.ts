import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { canMakePrograms } from "@tiphys/portable/elf";
import { needs } from "../../lib/base/testing/needs.ts";
import { VERSION } from "@tiphys/base/version";
import { buildNpmPackage } from "../../scripts/build_npm.ts";
import { hasProgram } from "../../scripts/command.ts";
import { canInstallOffline, installPackage, limited, runBounded } from "./npm.ts";

/** A step on this machine's own files, so that no image is asked for. */
const workflow = (command: string) => `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: hello}
spec:
  entrypoint: say
  templates:
  - name: say
    container: {image: none, command: [sh, -c], args: [${JSON.stringify(command)}]}
    outputs: {parameters: [{name: said, valueFrom: {path: /tmp/said, default: nothing}}]}
`;

/** An empty folder with our package installed in it, and homes of its own for whatever is run. */
interface Installed {
  readonly folder: string;
  readonly env: Record<string, string>;
}

const RUN = ["run", "hello.yaml", "--runtime", "host"];

async function runsByNpx({ folder, env }: Installed): Promise<void> {
  const npx = ["npx", "--offline", "--no", "tiphys"];
  assertStringIncludes((await runBounded([...npx, "version"], folder, env)).stdout, `v${VERSION}`);
  await Deno.writeTextFile(`${folder}/hello.yaml`, workflow("echo -n hi > /tmp/said"));
  const done = await runBounded([...npx, ...RUN, "-o", "json"], folder, env);
  assertEquals(done.code, 0, done.stderr);
  const { status } = JSON.parse(done.stdout);
  assertEquals([status.phase, status.nodes.hello.outputs.parameters[0].value], ["Succeeded", "hi"]);
  // AD-05: the executor that ran came with the package.
  assert(![...Deno.readDirSync(`${folder}/node_modules/tiphys`)].some(({ name }) => name === "executor"));
  await Deno.writeTextFile(`${folder}/hello.yaml`, workflow("exit 3"));
  const failed = await runBounded([...npx, ...RUN], folder, env);
  assertEquals(failed.code, 1, "the exit code of a workflow that failed");
  assertStringIncludes(failed.stderr, "exit code 3");
  assertEquals((await runBounded([...npx, "run", "nowhere.yaml"], folder, env)).code, 2);
}

async function endsBySignal({ folder, env }: Installed): Promise<void> {
  await Deno.writeTextFile(`${folder}/hello.yaml`, workflow(`echo started; exec sleep ${SLEEP}`));
  const program = `${folder}/node_modules/.bin/tiphys`;
  const options = { args: [...RUN, "--log"], cwd: folder, env };
  const child = new Deno.Command(program, { ...options, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  using _limit = limited(child);
  let said = "";
  const read = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const hadStarted = said.includes(": started");
      said += text;
      if (!hadStarted && said.includes(": started")) child.kill("SIGTERM");
    }
  });
  const { code } = await child.status;
  await Promise.all(read);
  assertEquals(code, 143, said);
  assertMatch(said, /Workflow hello was stopped/);
  assertEquals(await sleepers(), [], "nothing is left running");
}

/** The page comes with the package: nothing is made of sources, and nothing is fetched. */
async function servesPage({ folder, env }: Installed): Promise<void> {
  const program = `${folder}/node_modules/.bin/tiphys`;
  const options = { args: ["local", "--runtime", "host", "--ui-port", "0"], cwd: folder, env };
  const child = new Deno.Command(program, { ...options, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  using _limit = limited(child);
  let said = "";
  const shown = Promise.withResolvers<string>();
  const read = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      said += text;
      const [page] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said) ?? [];
      if (page) shown.resolve(page);
    }
  });
  const ended = child.status.then(({ code }) => code);
  const page = await Promise.race([shown.promise, ended]);
  try {
    assert(typeof page === "string", `it ended with ${page}: ${said}`);
    const answer = await fetch(page);
    const html = await answer.text();
    assertEquals(answer.status, 200, html);
    const [, script] = /<script[^>]+src="([^"]+)"/.exec(html) ?? [];
    const loaded = await fetch(new URL(script ?? "", page));
    assertEquals([loaded.status, loaded.headers.get("content-type")?.split(";")[0]], [200, "text/javascript"], script);
    await loaded.body?.cancel();
  } finally {
    if (typeof page === "string") child.kill("SIGTERM");
    await Promise.all(read);
  }
  await ended;
}

async function isLibrary({ folder, env }: Installed): Promise<void> {
  const program = `import { lintFile } from "tiphys/lint";
import { simulate } from "tiphys/simulate";
const text = ${JSON.stringify(workflow("true"))};
const run = await simulate(text, { templates: { say: () => ({ parameters: { said: "hi" } }) } });
console.log(run.phase, run.node("hello").outputs.parameters.said, lintFile(text, "hello.yaml").length);
`;
  await Deno.writeTextFile(`${folder}/library.mjs`, program);
  const { stdout, stderr } = await runBounded(["node", "library.mjs"], folder, env);
  assertEquals(stdout, "Succeeded hi 0\n", stderr);
  const notices = await Deno.readTextFile(`${folder}/node_modules/tiphys/THIRD_PARTY_NOTICES.txt`);
  assertStringIncludes(notices, "\nzod ");
}

/** The seconds that the step sleeps: a number that no other process on this machine has. */
const SLEEP = `36${Deno.pid}`;

/** The ids of the processes that sleep for these seconds. */
async function sleepers(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    const words = /^\d+$/.test(name) ? await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "") : "";
    if (words.startsWith(`sleep\0${SLEEP}\0`)) found.push(name);
  }
  return found;
}

Deno.test({
  ...needs(
    `npm with Deno ${Deno.version.deno} in its cache`,
    canMakePrograms() && await canInstallOffline(),
    "AD-01 AD-02 AD-03 AD-05 npm installs the tarball offline, with install scripts and without, and it runs workflows",
  ),
  async fn(t) {
    const folder = await Deno.makeTempDir({ dir: "/var/tmp", prefix: "npm-" });
    const env = { XDG_CACHE_HOME: `${folder}/my cache`, XDG_DATA_HOME: `${folder}/my dätä`, NO_COLOR: "1" };
    // Addresses of files write a blank and letters beyond ASCII in another way than paths.
    const [a, b] = [`${folder}/a`, `${folder}/b ü`];
    try {
      const tarball = await buildNpmPackage(`${folder}/build`);
      await t.step("npx runs a workflow, and exit codes pass through", async () => {
        await installPackage(tarball, a);
        await runsByNpx({ folder: a, env });
      });
      await t.step("without install scripts, a SIGTERM ends it with all that it started", async () => {
        await installPackage(tarball, b, ["--ignore-scripts"]);
        await endsBySignal({ folder: b, env });
      });
      await t.step("the page that it serves came with it", () => servesPage({ folder: b, env }));
      await t.step("Node.js imports its library, and licenses travel with it", () => isLibrary({ folder: a, env }));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  ...needs("node", await hasProgram("node"), "AD-04 where Deno's package has no program, the launcher names the cure"),
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const deno = `${folder}/node_modules/deno`;
      await Deno.mkdir(deno, { recursive: true });
      await Deno.writeTextFile(`${deno}/package.json`, '{"name":"deno"}');
      const says = 'module.exports = { runInstall() { throw new Error("Musl is not supported."); } };';
      await Deno.writeTextFile(`${deno}/install_api.cjs`, says);
      await Deno.copyFile(new URL("../../cli/npm/launcher.cjs", import.meta.url), `${folder}/bin.cjs`);
      const { code, stderr } = await runBounded(["node", "bin.cjs", "version"], folder);
      assertEquals(code, 2);
      assertMatch(stderr, /^tiphys: Deno cannot be started: Musl is not supported\.\nThe npm package .*glibc.*image/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
