import { assert, assertEquals } from "@std/assert";
import { bundle } from "./bundle.ts";

/** What Deno loads at once when a bundle is started: its entry and all that is imported without asking. */
async function loadedAtStart(folder: string, file = "main.js", seen = new Map<string, string>()) {
  if (seen.has(file)) return seen;
  const text = await Deno.readTextFile(`${folder}/${file}`);
  seen.set(file, text);
  for (const [, path] of text.matchAll(/(?:from|^import|;import)\s*"(\.[^"]*)"/gm)) {
    await loadedAtStart(folder, path.replace("./", ""), seen);
  }
  return seen;
}

Deno.test("bundle() of the executor loads little in front of a user's command, and nothing of Node's", async () => {
  const folder = await Deno.makeTempDir();
  await bundle({ entry: "executor/main.ts", outDir: folder });
  const loaded = [...(await loadedAtStart(folder)).values()];
  const bytes = loaded.reduce((sum, text) => sum + text.length, 0);
  assert(bytes < 28_000, `Expected less than 28000 bytes, got ${bytes}`);
  assert(loaded.every((text) => !/["']node:/.test(text)));
  const supervisor = [...Deno.readDirSync(folder)].find(({ name }) => name.startsWith("supervisor"))!.name;
  const beside = await sizeOf(folder, supervisor);
  assert(beside < 100_000, `Expected less than 100000 bytes for the supervisor, got ${beside}`);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("bundle() of the executor leaves jq and the schemas alone until a template uses them", async () => {
  const folder = await Deno.makeTempDir();
  await bundle({ entry: "executor/main.ts", outDir: folder });
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  const jq = names.find((name) => name.startsWith("jq-"))!;
  const resource = names.find((name) => name.startsWith("mod-") && Deno.statSync(`${folder}/${name}`).size < 1e6)!;
  assert(!(await loadedAtStart(folder, resource)).has(jq));
  const bytes = await sizeOf(folder, resource);
  assert(bytes < 250_000, `Expected less than 250000 bytes for resource templates, got ${bytes}`);
  await Deno.remove(folder, { recursive: true });
});

async function sizeOf(folder: string, file: string): Promise<number> {
  return [...(await loadedAtStart(folder, file)).values()].reduce((sum, text) => sum + text.length, 0);
}

Deno.test("bundle() makes the same bytes of the same sources", async () => {
  const texts = await Promise.all([1, 2].map(async () => {
    const folder = await Deno.makeTempDir();
    await bundle({ entry: "executor/main.ts", outDir: folder });
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    return await Promise.all(names.map(async (name) => `${name}\n${await Deno.readTextFile(`${folder}/${name}`)}`));
  }));
  assertEquals(texts[0], texts[1]);
});
