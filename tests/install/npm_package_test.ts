import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { canMakePrograms } from "@tiphys/portable/elf";
import { needs } from "../../lib/base/testing/needs.ts";
import { VERSION } from "@tiphys/base/version";
import { buildNpmPackage } from "../../scripts/build_npm.ts";
import { hasProgram } from "../../scripts/command.ts";
import { canInstallOffline, installPackage, runBounded, withTimeLimit } from "./npm.ts";

/** A workflow whose step runs on the host, so that no image is needed. */
const workflow = (command: string) => `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: hello}
spec:
  entrypoint: say
  templates:
  - name: say
    container: {image: none, command: [sh, -c], args: [${JSON.stringify(command)}]}
    outputs: {parameters: [{name: output, valueFrom: {path: /tmp/output, default: nothing}}]}
`;

/** A folder in which our package is installed, and an environment with separate cache and data folders. */
interface PackageFolder {
  readonly folder: string;
  readonly env: Record<string, string>;
}

const RUN = ["run", "hello.yaml", "--runtime", "host"];

async function checkNpx({ folder, env }: PackageFolder): Promise<void> {
  const npx = ["npx", "--offline", "--no", "tiphys"];
  assertStringIncludes((await runBounded([...npx, "version"], folder, env)).stdout, `v${VERSION}`);
  await Deno.writeTextFile(`${folder}/hello.yaml`, workflow("echo -n hi > /tmp/output"));
  const done = await runBounded([...npx, ...RUN, "-o", "json"], folder, env);
  assertEquals(done.code, 0, done.stderr);
  const { status } = JSON.parse(done.stdout);
  assertEquals([status.phase, status.nodes.hello.outputs.parameters[0].value], ["Succeeded", "hi"]);
  // AD-05: the package has no separate executor: the workflow ran with the one inside its program.
  assert(![...Deno.readDirSync(`${folder}/node_modules/tiphys`)].some(({ name }) => name === "executor"));
  await Deno.writeTextFile(`${folder}/hello.yaml`, workflow("exit 3"));
  const failed = await runBounded([...npx, ...RUN], folder, env);
  assertEquals(failed.code, 1, "the exit code of a workflow that failed");
  assertStringIncludes(failed.stderr, "exit code 3");
  assertEquals((await runBounded([...npx, "run", "nowhere.yaml"], folder, env)).code, 2);
}

async function checkSignal({ folder, env }: PackageFolder): Promise<void> {
  await Deno.writeTextFile(`${folder}/hello.yaml`, workflow(`echo started; exec sleep ${SLEEP}`));
  const program = `${folder}/node_modules/.bin/tiphys`;
  const options = { args: [...RUN, "--log"], cwd: folder, env };
  const child = new Deno.Command(program, { ...options, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  using _limit = withTimeLimit(child);
  let output = "";
  const read = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const hadStarted = output.includes(": started");
      output += text;
      if (!hadStarted && output.includes(": started")) child.kill("SIGTERM");
    }
  });
  const { code } = await child.status;
  await Promise.all(read);
  assertEquals(code, 143, output);
  assertMatch(output, /Workflow hello was stopped/);
  assertEquals(await sleepingProcesses(), [], "nothing is left running");
}

/** The package contains the built page: nothing is built from source, and nothing is downloaded. */
async function checkPage({ folder, env }: PackageFolder): Promise<void> {
  const program = `${folder}/node_modules/.bin/tiphys`;
  const options = { args: ["local", "--runtime", "host", "--ui-port", "0"], cwd: folder, env };
  const child = new Deno.Command(program, { ...options, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  using _limit = withTimeLimit(child);
  let output = "";
  const shown = Promise.withResolvers<string>();
  const read = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text;
      const [page] = /http:\/\/127\.0\.0\.1:\d+\//.exec(output) ?? [];
      if (page) shown.resolve(page);
    }
  });
  const ended = child.status.then(({ code }) => code);
  const page = await Promise.race([shown.promise, ended]);
  try {
    assert(typeof page === "string", `tiphys exited with ${page}: ${output}`);
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

async function checkLibrary({ folder, env }: PackageFolder): Promise<void> {
  const program = `import { lintFile } from "tiphys/lint";
import { simulate } from "tiphys/simulate";
const text = ${JSON.stringify(workflow("true"))};
const run = await simulate(text, { templates: { say: () => ({ parameters: { output: "hi" } }) } });
console.log(run.phase, run.node("hello").outputs.parameters.output, lintFile(text, "hello.yaml").length);
`;
  await Deno.writeTextFile(`${folder}/library.mjs`, program);
  const { stdout, stderr } = await runBounded(["node", "library.mjs"], folder, env);
  assertEquals(stdout, "Succeeded hi 0\n", stderr);
  const notices = await Deno.readTextFile(`${folder}/node_modules/tiphys/THIRD_PARTY_NOTICES.txt`);
  assertStringIncludes(notices, "\nzod ");
}

/** The seconds that the step sleeps. Contains the process ID, so that no other process has the same argument. */
const SLEEP = `36${Deno.pid}`;

/** The IDs of processes that sleep for `SLEEP` seconds. */
async function sleepingProcesses(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    const words = /^\d+$/.test(name) ? await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "") : "";
    if (words.startsWith(`sleep\0${SLEEP}\0`)) found.push(name);
  }
  return found;
}

async function sha256(path: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(path))).toHex();
}

Deno.test({
  ...needs(
    `npm with Deno ${Deno.version.deno} in its cache`,
    canMakePrograms() && await canInstallOffline(),
    "AD-01 AD-02 AD-03 AD-05 npm package: is installed offline, with and without install scripts, and runs workflows",
  ),
  async fn(t) {
    const folder = await Deno.makeTempDir({ dir: "/var/tmp", prefix: "npm-" });
    const env = { XDG_CACHE_HOME: `${folder}/my cache`, XDG_DATA_HOME: `${folder}/my dätä`, NO_COLOR: "1" };
    // File URLs encode a space and non-ASCII characters, unlike paths.
    const [a, b] = [`${folder}/a`, `${folder}/b ü`];
    try {
      const tarball = await buildNpmPackage(`${folder}/build`);
      await t.step("build: writes the same bytes again", async () => {
        const again = await buildNpmPackage(`${folder}/again`);
        assertEquals(await sha256(again), await sha256(tarball));
      });
      await t.step("npx: runs a workflow and returns its exit code", async () => {
        await installPackage(tarball, a);
        await checkNpx({ folder: a, env });
      });
      await t.step("SIGTERM: ends tiphys and its processes, also when installed without install scripts", async () => {
        await installPackage(tarball, b, ["--ignore-scripts"]);
        await checkSignal({ folder: b, env });
      });
      await t.step("page: is part of the package", () => checkPage({ folder: b, env }));
      await t.step(
        "library: can be imported by Node.js, and the package contains the licenses",
        () => checkLibrary({ folder: a, env }),
      );
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  ...needs(
    "node",
    await hasProgram("node"),
    "AD-04 npm launcher: if Deno's package has no program for the platform, the error names the solution",
  ),
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
