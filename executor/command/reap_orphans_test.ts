import { assertEquals } from "@std/assert";
import { needs } from "../../lib/testing/needs.ts";

const ALONE = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];

/** Whether this machine lets us be the first process of somewhere. */
async function canBeFirst(): Promise<boolean> {
  try {
    return (await new Deno.Command("unshare", { args: [...ALONE, "true"], stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

/** Leaves a process behind, and waits, not for ever, until it is gone altogether: 3 when it is, 4 when it is not. */
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
  const args = [...ALONE, Deno.execPath(), "run", "-A", "--no-config", file];
  const { code } = await new Deno.Command("unshare", { args }).output();
  await Deno.remove(file);
  return code;
}

Deno.test({
  ...needs(
    "a namespace of processes",
    await canBeFirst(),
    "reapOrphans() buries what a command leaves behind, and leaves the command's own end to the runtime",
  ),
  fn: async () => assertEquals(await runAsFirst(), 3),
});
