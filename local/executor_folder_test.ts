import { assertEquals, assertRejects } from "@std/assert";
import { findProgram } from "@tiphys/stores/git/programs";
import { canMakePrograms } from "@tiphys/portable/elf";
import { executorFolder, useExecutor } from "./executor_folder.ts";
import { needs } from "../lib/base/testing/needs.ts";

/** Creates a temporary project with an executor of one line, and a cache. */
async function withProject(use: (project: string, cache: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const source of ["executor", "lib"]) await Deno.mkdir(`${folder}/project/${source}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/project/deno.json`, "{}");
    await Deno.writeTextFile(`${folder}/project/executor/main.ts`, 'await import("./commands.ts");\n');
    await Deno.writeTextFile(`${folder}/project/executor/commands.ts`, 'console.log("executor", ...Deno.args);\n');
    await use(`${folder}/project`, `${folder}/cache`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("executorFolder: without a bundle or sources, fails with an error that names the alternatives", async () => {
  const folder = await Deno.makeTempDir();
  const create = () => executorFolder(`${folder}/cache`, { project: folder });
  await assertRejects(create, Error, "a single binary cannot run pods on this machine");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("executorFolder: creates an executor that runs with the Deno in its folder", () =>
  withProject(async (project, cache) => {
    const folder = await executorFolder(cache, { project });
    assertEquals((await Deno.stat(`${folder}/bin/argoexec`)).mode! & 0o111, 0o111);
    const { stdout } = await new Deno.Command(`${folder}/bin/deno`, {
      args: ["run", "-A", "--no-config", `${folder}/lib/argoexec/main.js`, "supervisor"],
    }).output();
    assertEquals(new TextDecoder().decode(stdout), "executor supervisor\n");
  }));

Deno.test({
  ...needs(
    "Linux on a supported processor",
    canMakePrograms(),
    "executorFolder: creates an executor that needs no file of the image",
  ),
  fn: () =>
    withProject(async (project, cache) => {
      const folder = await executorFolder(cache, { project });
      const empty = `${cache}/root`;
      await Deno.mkdir(`${empty}/argo-bin`, { recursive: true });
      await Deno.mkdir(`${empty}/proc`);
      const script =
        'mount --bind "$0" "$1/argo-bin" && mount -t proc proc "$1/proc" && exec unshare --root="$1" "$2" supervisor';
      const inside = ["sh", "-c", script, folder, empty, "/argo-bin/bin/argoexec"];
      const { stdout, stderr } = await new Deno.Command("unshare", {
        args: ["--user", "--map-root-user", "--mount", "--pid", "--fork", "--", ...inside],
      }).output();
      const text = new TextDecoder();
      assertEquals([text.decode(stdout), text.decode(stderr)], ["executor supervisor\n", ""]);
    }),
});

Deno.test("executorFolder: reuses an executor until a source changes, and only removes old executors", () =>
  withProject(async (project, cache) => {
    const folder = await executorFolder(cache, { project });
    assertEquals(await executorFolder(cache, { project }), folder);
    const old = new Date(Date.now() - 48 * 3600 * 1000);
    await Deno.mkdir(`${cache}/image-store`);
    for (const path of [folder, `${cache}/image-store`]) await Deno.utime(path, old, old);
    await Deno.utime(`${project}/executor/main.ts`, new Date(), new Date(Date.now() + 60_000));
    const next = await executorFolder(cache, { project });
    assertEquals(next === folder, false);
    const left = [...Deno.readDirSync(cache)].map(({ name }) => `${cache}/${name}`);
    assertEquals(left.sort(), [next, `${cache}/image-store`]);
  }));

Deno.test("useExecutor: an executor in use is not removed by another version", () =>
  withProject(async (project, cache) => {
    const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
    const old = new Date(Date.now() - 48 * 3600 * 1000);
    const used = await useExecutor(cache, { project });
    await Deno.utime(used.folder, old, old);
    await Deno.utime(`${project}/executor/main.ts`, new Date(), new Date(Date.now() + 60_000));
    await executorFolder(cache, { project });
    assertEquals(await exists(`${used.folder}/bin/argoexec`), true);
    used[Symbol.dispose]();
    await Deno.utime(`${project}/executor/main.ts`, new Date(), new Date(Date.now() + 120_000));
    await executorFolder(cache, { project });
    assertEquals(await exists(used.folder), false);
  }));

Deno.test("executorFolder: concurrent processes can remove old executors", () =>
  withProject(async (project, cache) => {
    const old = new Date(Date.now() - 48 * 3600 * 1000);
    for (let number = 0; number < 40; number++) {
      await Deno.mkdir(`${cache}/executor-${number}/bin`, { recursive: true });
      await Deno.writeTextFile(`${cache}/executor-${number}/bin/argoexec`, "");
      await Deno.utime(`${cache}/executor-${number}`, old, old);
    }
    const used = await Promise.all(Array.from({ length: 6 }, () => useExecutor(cache, { project })));
    assertEquals(new Set(used.map(({ folder }) => folder)).size, 1);
    for (const executor of used) executor[Symbol.dispose]();
    assertEquals([...Deno.readDirSync(cache)].filter(({ name }) => /^executor-\d{1,2}$/.test(name)), []);
  }));

Deno.test({
  ...needs(
    "Linux on a supported processor",
    canMakePrograms(),
    "executorFolder: creates another executor if git of this machine is installed, changed or removed",
  ),
  fn: () =>
    withProject(async (project, cache) => {
      const programs = `${cache}-programs`;
      await Deno.mkdir(programs);
      const without = await executorFolder(cache, { project, searchPath: programs });
      await Deno.copyFile(findProgram("true", Deno.env.get("PATH") ?? "")!, `${programs}/git`);
      const first = await executorFolder(cache, { project, searchPath: programs });
      assertEquals((await Deno.stat(`${first}/git/bin/git`)).isFile, true);
      assertEquals(await executorFolder(cache, { project, searchPath: programs }), first);
      await Deno.utime(`${programs}/git`, 1, 1);
      const changed = await executorFolder(cache, { project, searchPath: programs });
      assertEquals(new Set([without, first, changed]).size, 3);
      await Deno.remove(`${programs}/git`);
      assertEquals(await executorFolder(cache, { project, searchPath: programs }), without);
    }),
});

Deno.test({
  ...needs(
    "Linux on a supported processor",
    canMakePrograms(),
    "executorFolder: a git that does not start is omitted with a notice, without leftovers",
  ),
  fn: () =>
    withProject(async (project, cache) => {
      const programs = `${cache}-programs`;
      await Deno.mkdir(programs);
      await Deno.writeTextFile(`${programs}/git`, "#!/bin/sh\n", { mode: 0o644 });
      const notices: string[] = [];
      const onNotice = (text: string) => void notices.push(text);
      const folder = await executorFolder(cache, { project, searchPath: programs, onNotice });
      assertEquals([...Deno.readDirSync(cache)].map(({ name }) => `${cache}/${name}`), [folder]);
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["bin", "lib"]);
      assertEquals(notices.map((text) => text.split(":")[0]), ["Pods cannot use git of this machine"]);
    }),
});

Deno.test("executorFolder: a failure leaves no incomplete folder", () =>
  withProject(async (project, cache) => {
    await Deno.writeTextFile(`${project}/executor/main.ts`, "import {");
    await assertRejects(() => executorFolder(cache, { project }));
    assertEquals([...Deno.readDirSync(cache)], []);
  }));

Deno.test("executorFolder: in a package, copies the bundle next to the program's own", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [bundles, cache] = [`${folder}/lib`, `${folder}/cache`];
    await Deno.mkdir(`${bundles}/argoexec`, { recursive: true });
    await Deno.writeTextFile(`${bundles}/argoexec/main.js`, 'console.log("bundled");\n');
    const made = await executorFolder(cache, { project: bundles });
    assertEquals(await Deno.readTextFile(`${made}/lib/argoexec/main.js`), 'console.log("bundled");\n');
    assertEquals(await executorFolder(cache, { project: bundles }), made);
    await Deno.writeTextFile(`${bundles}/argoexec/main.js`, 'console.log("changed");\n');
    assertEquals(await executorFolder(cache, { project: bundles }) === made, false, "a package of another version");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
