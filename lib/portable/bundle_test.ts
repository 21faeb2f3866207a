import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { VERSION } from "@tiphys/base/version";
import { bundle, bundleScripts, namedAtStart, SCRIPT_MAIN, SCRIPT_START } from "./bundle.ts";
import { compileAhead } from "./compile_ahead.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const EXECUTOR = { root: ROOT, entry: "executor/main.ts", apart: "commands.ts" };

/** The files and modules that a script imports at the start, and those that it may import later. */
function importsOf(text: string): { atStart: string[]; later: string[] } {
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, path = ""]) => path);
  return { atStart: found(/\brequire\("([^"]*)"\)/g), later: found(/\b(?:import|later)\("(\.[^"]*)"/g) };
}

Deno.test("bundle(): the executor starts with one small file, without Node's modules", async () => {
  const outDir = await Deno.makeTempDir();
  await bundle({ ...EXECUTOR, outDir });
  const [start, text] = await Promise.all(
    ["main.js", "main.cjs"].map((name) => Deno.readTextFile(`${outDir}/${name}`)),
  );
  assertEquals(importsOf(text!), { atStart: [], later: ["./commands.js"] });
  for (const [file, part] of await loadedAtStart(outDir, "commands.cjs")) {
    assert(
      !importsOf(part).atStart.some((name) => name.startsWith("node:")),
      `${file} imports Node modules at the start`,
    );
  }
  const bytes = start!.length + text!.length;
  assert(bytes < 46_700, `Expected less than 46_700 bytes, got ${bytes}`);
  await Deno.remove(outDir, { recursive: true });
});

Deno.test("bundle(): Deno reads no dynamically imported file at the start", async () => {
  const outDir = await Deno.makeTempDir();
  await bundle({ ...EXECUTOR, outDir });
  const { modules } = JSON.parse(
    new TextDecoder().decode(
      (await new Deno.Command(Deno.execPath(), { args: ["info", "--no-config", "--json", `${outDir}/main.js`] })
        .output())
        .stdout,
    ),
  ) as { modules: unknown[] };
  assertEquals(modules.length, 1);
  await Deno.remove(outDir, { recursive: true });
});

Deno.test("bundle(): both parts of the executor run", async () => {
  const outDir = await Deno.makeTempDir();
  await bundle({ ...EXECUTOR, outDir });
  const run = async (...args: string[]) => {
    const flags = ["run", "-A", "--no-config", `${outDir}/main.js`];
    const { stdout, code } = await new Deno.Command(Deno.execPath(), { args: [...flags, ...args], stderr: "null" })
      .output();
    return [code, new TextDecoder().decode(stdout).trim()];
  };
  assertEquals(await run("version"), [0, VERSION]);
  assertEquals(await run("no-such-command"), [64, ""]);
  await Deno.remove(outDir, { recursive: true });
});

/** The sources of a program with a separate module, where two others import each other, and one needs a Node module. */
const APART = {
  "main.ts": `const { asked } = await import("./apart.ts");
console.log(await asked());`,
  "apart.ts": `import { marks } from "./marks.ts";
export const asked = async () => {
  const [first, second] = await Promise.all([import("./one.ts"), import("./two.ts")]);
  marks.push(first.one(), second.two(), String((await import("./one.ts")) === first));
  const failed = await import("./fails.ts").catch((error: Error) => error.message);
  return [...marks, failed, await import("./fails.ts").catch((error: Error) => error.message)].join(" ");
};`,
  "marks.ts": `export const marks: string[] = [];
export let times = 0;
export const count = () => ++times;`,
  "one.ts": `import { basename } from "node:path";
import { count, times } from "./marks.ts";
import { two } from "./two.ts";
count();
export const one = () => basename("/a/b") + times + two();`,
  "two.ts": `import { one } from "./one.ts";
export const two = () => typeof one;`,
  "fails.ts": `import { count, times } from "./marks.ts";
count();
throw new Error("fails" + times);
export {};`,
};

Deno.test("bundle(): a separate bundle behaves like its modules, which are singletons, have live bindings, and can be loaded again after a failure", async () => {
  const root = `${await Deno.makeTempDir()}/`;
  await Deno.mkdir(`${root}program`);
  for (const [name, text] of Object.entries(APART)) await Deno.writeTextFile(`${root}program/${name}`, text);
  await bundle({ root, entry: "program/main.ts", outDir: `${root}out`, apart: "apart.ts" });
  const args = ["run", "-A", "--no-config", `${root}out/main.js`];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertEquals(said, "b1function function true fails2 fails3\n");
  await Deno.remove(root, { recursive: true });
});

Deno.test("bundle(): the executor loads jq and the schemas only when a template uses them", async () => {
  const outDir = await Deno.makeTempDir();
  await bundle({ ...EXECUTOR, outDir });
  const names = [...Deno.readDirSync(outDir)].map(({ name }) => name);
  const jq = names.find((name) => name.startsWith("jq-"))!;
  // Several modules have this name; the one with kubectl's annotation is meant.
  const isResource = (name: string) =>
    name.startsWith("mod-") && Deno.readTextFileSync(`${outDir}/${name}`).includes("last-applied-configuration");
  const resource = names.find(isResource)!;
  assert(!(await loadedAtStart(outDir, resource)).has(jq));
  const bytesOf = async (file: string) =>
    [...(await loadedAtStart(outDir, file)).values()].reduce((sum, text) => sum + text.length, 0);
  const [beside, withResource] = [await bytesOf("commands.cjs"), await bytesOf(resource)];
  assert(beside < 136_100, `Expected less than 136100 bytes for the supervisor, got ${beside}`);
  assert(withResource < 317_000, `Expected less than 317000 bytes for resource templates, got ${withResource}`);
  await Deno.remove(outDir, { recursive: true });
});

/** The files that Deno loads when it starts a file, with their texts: the file and all its static imports. */
async function loadedAtStart(folder: string, file: string, seen = new Map<string, string>()) {
  if (seen.has(file)) return seen;
  const text = await Deno.readTextFile(`${folder}/${file}`);
  seen.set(file, text);
  for (const path of importsOf(text).atStart) {
    if (path.startsWith("./")) await loadedAtStart(folder, path.slice(2), seen);
  }
  return seen;
}

Deno.test("bundle(): the same sources give the same bytes", async () => {
  const texts = await Promise.all([1, 2].map(async () => {
    const folder = await Deno.makeTempDir();
    await bundle({ ...EXECUTOR, outDir: folder });
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    return await Promise.all(names.map(async (name) => `${name}\n${await Deno.readTextFile(`${folder}/${name}`)}`));
  }));
  assertEquals(texts[0], texts[1]);
});

Deno.test("bundleScripts(): the controller starts from scripts, which Deno does not parse", async () => {
  const outDir = await Deno.makeTempDir();
  await bundleScripts({
    root: ROOT,
    entry: "controller/main.ts",
    outDir,
    apart: ["lib/kube/client_node.ts", "lib/storage/database/mysql_client.ts"],
    threads: ["controller/workflow/lane/thread.ts"],
  });
  assertEquals([...Deno.readDirSync(outDir)].map(({ name }) => name).sort(), [
    "client_node.cjs",
    "main.cjs",
    "mysql_client.cjs",
    SCRIPT_START,
    "thread.cjs",
    "thread.js",
  ]);
  // A third of the program would be tables of character sets in the MySQL client, which few databases need.
  const main = await Deno.readTextFile(`${outDir}/main.cjs`);
  assertStringIncludes(main, 'require("./mysql_client.cjs")');
  assert(!main.includes("iconv"), "main.cjs contains parts that only the MySQL client needs");
  // The thread of the slow lane starts from its own script.
  const said = await new Promise((resolve, reject) => {
    const worker = new Worker(`file://${outDir}/thread.js`, { type: "module" });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message));
  });
  assertEquals(said, { kind: "ready" });
  const run = async (...args: string[]) => {
    const flags = ["run", "-A", "--no-config", "--no-npm", `${outDir}/${SCRIPT_START}`];
    const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), { args: [...flags, ...args] }).output();
    const text = new TextDecoder();
    return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
  };
  const help = await run("--help");
  assertEquals(help.code, 0, help.stderr);
  assertStringIncludes(help.stdout, "--workflow-workers");
  // Modules that are imported later are bundled as well, here a client for kubeconfigs with OIDC login.
  const kubeconfig = `${outDir}/kubeconfig`;
  const user = { "auth-provider": { name: "oidc", config: { "id-token": "no.json.here" } } };
  const cluster = { server: "https://127.0.0.1:1" };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  await Deno.writeTextFile(kubeconfig, JSON.stringify(config));
  const refused = await run("--kubeconfig", kubeconfig, "--executor-image", "argoexec:test");
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stderr, `workflow-controller: The kubeconfig's user "u" could not log in: `);
  await Deno.remove(outDir, { recursive: true });
});

Deno.test("bundleScripts(): the program and its threads can import Node modules dynamically", async () => {
  const root = `${await Deno.makeTempDir()}/`;
  const asks = `async function ask() {
    const [{ gzipSync }, { basename }] = await Promise.all([import("node:zlib"), import("node:path")]);
    return [typeof gzipSync, basename("/a/b")].join(" ");
  }`;
  await Deno.writeTextFile(`${root}entry.ts`, `${asks}\nask().then(console.log);\n`);
  await Deno.writeTextFile(`${root}thread.ts`, `${asks}\nask().then((said) => self.postMessage(said));\n`);
  await bundleScripts({ root, entry: "entry.ts", outDir: `${root}out`, apart: [], threads: ["thread.ts"] });
  const args = ["run", "--allow-read", "--no-config", `${root}out/${SCRIPT_START}`];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const text = new TextDecoder();
  assertEquals([text.decode(stdout), text.decode(stderr)], ["function b\n", ""]);
  const said = await new Promise((resolve, reject) => {
    const worker = new Worker(`file://${root}out/thread.js`, { type: "module" });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message));
  });
  assertEquals(said, "function b");
  await Deno.remove(root, { recursive: true });
});

Deno.test("compileAhead(): a start with the same V8 flags uses the code cache, and any other start ignores it", async () => {
  const root = `${await Deno.makeTempDir()}/`;
  await Deno.writeTextFile(
    `${root}entry.ts`,
    `function tell() {
  console.log("made ahead");
}
tell();`,
  );
  const outDir = `${root}out`;
  await bundleScripts({ root, entry: "entry.ts", outDir, apart: [] });
  const script = `${outDir}/${SCRIPT_MAIN}`;
  const flags = ["--allow-read", "--allow-write", "--no-config", "--v8-flags=--heap-growing-percent=40"];
  await compileAhead(script, flags);
  assertEquals([...Deno.readDirSync(outDir)].map(({ name }) => name).sort(), [
    "main.cjs",
    "main.cjs.cache",
    SCRIPT_START,
  ]);
  // V8 identifies a script by its length, so the output shows which version ran.
  await Deno.writeTextFile(script, (await Deno.readTextFile(script)).replace("made ahead", "read later"));
  const said = async (...flags: string[]) => {
    const args = ["run", "--allow-read", "--no-config", ...flags, `${outDir}/${SCRIPT_START}`];
    return new TextDecoder().decode((await new Deno.Command(Deno.execPath(), { args }).output()).stdout).trim();
  };
  assertEquals(await said("--v8-flags=--heap-growing-percent=40"), "made ahead");
  assertEquals(await said("--v8-flags=--heap-growing-percent=80"), "read later");
  await Deno.remove(`${script}.cache`);
  assertEquals(await said("--v8-flags=--heap-growing-percent=40"), "read later");
  await Deno.writeTextFile(script, "(function () { throw new Error('broken') })");
  await assertRejects(() => compileAhead(script, flags), Error, "broken");
  await Deno.remove(root, { recursive: true });
});

Deno.test("bundle(): `using` disposes of a variable that is not used otherwise", async () => {
  const root = `${await Deno.makeTempDir()}/`;
  await Deno.writeTextFile(
    `${root}entry.ts`,
    `class Held {
  readonly value = "held";
  [Symbol.dispose]() { console.log("disposed"); }
}
function once() {
  using held = new Held();
  return held.value;
}
console.log(once());
`,
  );
  await bundle({ root, entry: "entry.ts", outDir: `${root}out` });
  const args = ["run", "--no-config", `${root}out/main.js`];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  assertEquals(new TextDecoder().decode(stdout), "disposed\nheld\n");
  await Deno.remove(root, { recursive: true });
});

Deno.test("bundleScripts(): arrow functions that are created at run time have no names, and all others keep theirs", () => {
  const text = `var __defProp = Object.defineProperty;
var __name = (target, value) => __defProp(target, "name", { value, configurable: true });
var a = /* @__PURE__ */ __name(() => {}, "first");
var make = () => [__name(() => {}, "arrow"), __name(function b() {}, "declared"), __name(class {}, "Class")];
names = () => [a, ...make()].map(({ name }) => name);`;
  const namesOf = (script: string): string[] => new Function(`let names; ${script}\nreturn names();`)();
  assertEquals(namesOf(text), ["first", "arrow", "declared", "Class"]);
  assertEquals(namesOf(namedAtStart(text)), ["first", "", "declared", "Class"]);
  assertThrows(() => namedAtStart("var __name;"), Error, "in one place, got 0 places");
});
