import { assertEquals } from "@std/assert";
import { packTarGzAt as packTarGz } from "./testing/by_path.ts";

async function tar(...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await new Deno.Command("tar", { args }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test("tarGz() packs a folder so that tar unpacks files, modes, links and long names", async () => {
  const folder = await Deno.makeTempDir();
  const source = `${folder}/source`;
  const long = "deep/".repeat(30) + "x".repeat(120);
  await Deno.mkdir(`${source}/${"deep/".repeat(30)}`, { recursive: true });
  await Deno.writeTextFile(`${source}/${long}`, "long");
  await Deno.writeTextFile(`${source}/run.sh`, "echo", { mode: 0o750 });
  await Deno.writeFile(`${source}/block`, new Uint8Array(512).fill(7));
  await Deno.writeTextFile(`${source}/empty`, "");
  await Deno.symlink("run.sh", `${source}/link`);
  await Deno.chmod(`${source}/run.sh`, 0o750);
  await packTarGz(source, "tree", `${folder}/tree.tgz`);

  await tar("-xzpf", `${folder}/tree.tgz`, "-C", folder);
  assertEquals(await Deno.readTextFile(`${folder}/tree/${long}`), "long");
  assertEquals((await Deno.stat(`${folder}/tree/run.sh`)).mode! & 0o777, 0o750);
  assertEquals(await Deno.readFile(`${folder}/tree/block`), new Uint8Array(512).fill(7));
  assertEquals((await Deno.stat(`${folder}/tree/empty`)).size, 0);
  assertEquals(await Deno.readLink(`${folder}/tree/link`), "run.sh");
});

Deno.test("tarGz() packs a single file under its name", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/f`, "content");
  await packTarGz(`${folder}/f`, "f", `${folder}/f.tgz`);
  assertEquals(await tar("-xzOf", `${folder}/f.tgz`, "f"), "content");
});
