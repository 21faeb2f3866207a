import { assertEquals } from "@std/assert";
import { announce, findRunning, withdraw } from "./announcement.ts";

const announcement = { url: "http://127.0.0.1:1", token: "t", caCert: undefined };

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("findRunning() finds a cluster from its announcement until it is withdrawn", () =>
  withFolder(async (folder) => {
    assertEquals(await findRunning(folder), undefined);
    await announce(folder, announcement);
    assertEquals((await findRunning(folder))?.url, announcement.url);
    await withdraw(folder);
    assertEquals(await findRunning(folder), undefined);
  }));

Deno.test("findRunning() does not believe the announcement of a process that is gone", () =>
  withFolder(async (folder) => {
    const child = new Deno.Command("true").spawn();
    await child.status;
    await Deno.writeTextFile(`${folder}/cluster.json`, JSON.stringify({ ...announcement, pid: child.pid }));
    assertEquals(await findRunning(folder), undefined);
  }));

Deno.test("an announcement, which holds a token, is for this user alone", () =>
  withFolder(async (folder) => {
    await announce(folder, announcement);
    assertEquals((await Deno.stat(`${folder}/cluster.json`)).mode! & 0o777, 0o600);
  }));
