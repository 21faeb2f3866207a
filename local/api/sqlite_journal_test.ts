import { assert, assertEquals } from "@std/assert";
import { CONFIGMAPS, type KubeObject } from "@tiphys/kube";
import { createApiServer } from "./mod.ts";

Deno.test("journal: acknowledged changes survive if the process is killed", async () => {
  const directory = await Deno.makeTempDir();
  const storePath = `${directory}/store.db`;
  const script = new URL("testdata/write_until_killed.ts", import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", script.pathname, storePath],
    stdout: "piped",
  }).spawn();
  let said = "";
  let killed = false;
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    if (!killed && said.split("\n").length > 300) {
      killed = true;
      child.kill("SIGKILL");
    }
  }
  await child.status;
  const acknowledged = said.split("\n").slice(0, -1);
  const server = createApiServer({ storePath });
  const { items } = await server.client().list<KubeObject>(CONFIGMAPS, "n");
  const kept = new Set(items.map((item) => item.metadata.name));
  const lost = acknowledged.filter((name) => !kept.has(name));
  assert(acknowledged.length >= 300 && lost.length === 0, `${lost.length} of ${acknowledged.length} are lost: ${lost}`);
  server.close();
  await Deno.remove(directory, { recursive: true });
});

Deno.test("journal: a write to a full disk fails with a retryable error that names the file", async () => {
  const directory = await Deno.makeTempDir();
  const script = new URL("testdata/write_until_full.ts", import.meta.url).pathname;
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `trap '' XFSZ; ulimit -f 2048; exec "$@"`, "sh", Deno.execPath(), "run", "-A", script, directory],
  }).output();
  assertEquals(new TextDecoder().decode(stdout), `503 Could not write "${directory}/store.db": disk I/O error\n`);
  const server = createApiServer({ storePath: `${directory}/store.db` });
  const { items } = await server.client().list<KubeObject>(CONFIGMAPS, "n");
  assert(items.length > 0, "acknowledged writes are stored");
  server.close();
  await Deno.remove(directory, { recursive: true });
});
