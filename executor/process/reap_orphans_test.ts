import { assertEquals } from "@std/assert";
import { needs } from "../../lib/base/testing/needs.ts";
import { AS_FIRST, canBeFirst } from "../testing/first_process.ts";

/**
 * Creates an orphan and polls until it is gone. Exits with 3 when it is gone, 4 when it is still there after a limit.
 */
const LEAVE_ORPHAN = `
  orphan=$(sh -c 'true >&- & echo $!'); tries=0
  while [ -d /proc/$orphan ] && [ $tries -lt 500 ]; do sleep 0.01; tries=$((tries + 1)); done
  [ -d /proc/$orphan ] && exit 4 || exit 3`;

async function runAsFirst(): Promise<number> {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(
    file,
    `import { reapOrphans } from ${JSON.stringify(new URL("./reap_orphans.ts", import.meta.url).href)};
     const child = new Deno.Command("sh", { args: ["-c", ${JSON.stringify(LEAVE_ORPHAN)}], detached: true }).spawn();
     using _ = reapOrphans(child.pid);
     Deno.exit((await child.status).code);`,
  );
  const [program = "", ...args] = [...AS_FIRST, Deno.execPath(), "run", "-A", "--no-config", file];
  const { code } = await new Deno.Command(program, { args }).output();
  await Deno.remove(file);
  return code;
}

Deno.test({
  ...needs(
    "a namespace of processes",
    await canBeFirst(),
    "reapOrphans: reaps orphans of a command but not the command itself",
  ),
  fn: async () => assertEquals(await runAsFirst(), 3),
});
