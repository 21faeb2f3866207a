/** Archives of files whose size exceeds the octal field of the header. No content is transferred. */
import { assertEquals, assertMatch } from "@std/assert";
import { Handle } from "@tiphys/base/confined";
import { needs } from "../../base/testing/needs.ts";
import { BlockReader } from "@tiphys/base/blocks";
import { tarGz } from "./mod.ts";
import { BLOCK, nextEntry } from "./tar_header.ts";
import { untarAt } from "./testing/by_path.ts";

const SIZE = 9 * 2 ** 30 + 5;

/** Creates a folder with the file `huge`, which consists of one hole. */
async function hugeFile() {
  const path = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${path}/out`);
  await Deno.writeTextFile(`${path}/huge`, "");
  await Deno.truncate(`${path}/huge`, SIZE);
  return {
    path,
    async run(script: string): Promise<string> {
      const { success, stdout, stderr } = await new Deno.Command("sh", { args: ["-ec", script], cwd: path }).output();
      if (!success) throw new Error(`${script}: ${new TextDecoder().decode(stderr)}`);
      return new TextDecoder().decode(stdout);
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

const TAR = await new Deno.Command("tar", { args: ["--version"], stdout: "piped", stderr: "null" }).output()
  .then(({ stdout }) => new TextDecoder().decode(stdout).includes("GNU tar"), () => false);

Deno.test({
  ...needs("GNU tar", TAR, "tarGz() writes the size of a file of more than 8 GiB so that GNU tar can read it"),
  fn: async () => {
    await using huge = await hugeFile();
    using held = Handle.open(`${huge.path}/huge`);
    const reader = (await tarGz(held, "huge", { level: 0 })).pipeThrough(new DecompressionStream("gzip")).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    // An extended header of one block, its own header, and the file's.
    using file = await Deno.open(`${huge.path}/archive`, { write: true, create: true });
    await file.write(value!.subarray(0, 3 * BLOCK));
    await file.truncate(3 * BLOCK + Math.ceil(SIZE / BLOCK) * BLOCK + 2 * BLOCK);
    assertMatch(await huge.run("tar --seek -tvf archive"), new RegExp(` ${SIZE} .* huge\n$`));
  },
});

for (const format of ["gnu", "posix"]) {
  Deno.test({
    ...needs(
      "GNU tar",
      TAR,
      `untar() reads the size of a file of more than 8 GiB, with and without holes, from GNU tar's format ${format}`,
    ),
    fn: async () => {
      await using file = await hugeFile();
      await file.run(`tar --format=${format} -cf - huge 2> words | head -c 10240 > whole`);
      const bytes = await Deno.readFile(`${file.path}/whole`);
      const entry = await nextEntry(new BlockReader(ReadableStream.from([bytes])));
      assertEquals("size" in entry && [entry.name, entry.size], ["huge", SIZE]);

      await file.run(`tar --format=${format} -cSf holes huge`);
      await untarAt(`${file.path}/holes`, `${file.path}/out`);
      const { size, blocks } = await Deno.stat(`${file.path}/out/huge`);
      assertEquals([size, blocks! * 512 < 2 ** 20], [SIZE, true]);
    },
  });
}
