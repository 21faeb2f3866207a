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
  assert(bytes < 27_000, `Expected less than 27000 bytes, got ${bytes}`);
  assert(loaded.every((text) => !/["']node:/.test(text)));
  const total = [...Deno.readDirSync(folder)].reduce(
    (sum, { name }) => sum + Deno.statSync(`${folder}/${name}`).size,
    0,
  );
  assert(total < 150_000, `Expected less than 150000 bytes in all, got ${total}`);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("bundle() makes the same bytes of the same sources", async () => {
  const texts = await Promise.all([1, 2].map(async () => {
    const folder = await Deno.makeTempDir();
    await bundle({ entry: "executor/main.ts", outDir: folder });
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    return await Promise.all(names.map(async (name) => `${name}\n${await Deno.readTextFile(`${folder}/${name}`)}`));
  }));
  assertEquals(texts[0], texts[1]);
});
