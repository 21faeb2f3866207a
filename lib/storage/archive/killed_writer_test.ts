/** An archive in a file after its process was killed during a write. */
import { assert, assertEquals } from "@std/assert";
import { sql } from "kysely";
import { systemClock } from "@tiphys/base/clock";
import { openDatabase } from "../database/mod.ts";
import { silentLog } from "@tiphys/base/log";
import { OpenArchive } from "./open_archive.ts";

const WRITER = new URL("./testing/endless_writer.ts", import.meta.url).pathname;

/** Starts a writer, kills it after it has printed `lines` numbers, and returns how many it had printed. */
async function killedAfter(file: string, lines: number): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", WRITER, file],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let said = 0;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const before = said;
    said += text.split("\n").length - 1;
    if (before < lines && said >= lines) child.kill("SIGKILL");
  }
  assertEquals((await child.status).signal, "SIGKILL");
  return said;
}

Deno.test("archive: a file contains all workflows archived before its process was killed, with their labels, and accepts more (DB-19)", async () => {
  const folder = await Deno.makeTempDir({ prefix: "killed" });
  const file = `${folder}/archive.db`;
  const secret = () => Promise.reject(new TypeError("a file needs no secret"));
  try {
    // The second writer continues with the file of the first.
    for (const lines of [3, 7]) {
      const said = await killedAfter(file, lines);
      await using archive = await OpenArchive.open({ sqlite: { file } }, {
        clock: systemClock,
        log: silentLog,
        secret,
      });
      const { items } = await archive.list();
      const numbers = items.map(({ metadata }) => Number(metadata.name.slice("w-".length)));
      for (let number = 0; number < said; number++) assert(numbers.includes(number), `${number} is lost`);
      assertEquals(
        items.map(({ metadata }) => metadata.labels?.number),
        numbers.map(String),
      );
      const messages = await Promise.all(items.map(async ({ metadata }) => (await archive.get(metadata.uid))?.status));
      assertEquals(new Set(messages.map((status) => status?.message)), new Set(["m".repeat(20_000)]));
    }
    await using database = openDatabase({ sqlite: { file } }, { clock: systemClock, secret });
    const { rows } = await database.query((db) => sql<{ integrity_check: string }>`pragma integrity_check`.execute(db));
    assertEquals(rows.map((row) => row.integrity_check), ["ok"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
