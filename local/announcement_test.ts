import { assertEquals, assertRejects } from "@std/assert";
import { announce, findRunning } from "./announcement.ts";

const announcement = { url: "http://127.0.0.1:1", token: "t", caCert: undefined };

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("findRunning: finds a cluster until its announcement is withdrawn", () =>
  withFolder(async (folder) => {
    assertEquals(await findRunning(folder), undefined);
    const announced = await announce(folder, announcement);
    assertEquals(await findRunning(folder), { ...announcement, pid: Deno.pid });
    await announced.withdraw();
    assertEquals(await findRunning(folder), undefined);
  }));

Deno.test("findRunning: returns the default artifact repository", () =>
  withFolder(async (folder) => {
    const artifactRepository = { s3: { endpoint: "127.0.0.1:1", bucket: "b" } };
    const announced = await announce(folder, { ...announcement, artifactRepository });
    assertEquals((await findRunning(folder))?.artifactRepository, artifactRepository);
    await announced.withdraw();
  }));

Deno.test("findRunning: an invalid announcement is an error that names the file", () =>
  withFolder(async (folder) => {
    const announced = await announce(folder, announcement);
    for (const text of ["", "null", '{"url":"http://here"}', JSON.stringify({ ...announcement, pid: "1" })]) {
      await Deno.writeTextFile(`${folder}/cluster.json`, text);
      await assertRejects(() => findRunning(folder), Error, `${folder}/cluster.json is not a valid announcement`);
    }
    await announced.withdraw();
  }));

Deno.test("findRunning: supports concurrent callers", () =>
  withFolder(async (folder) => {
    const announced = await announce(folder, announcement);
    const found = await Promise.all(Array.from({ length: 8 }, () => findRunning(folder)));
    assertEquals(found.filter((running) => running?.url !== announcement.url), []);
    await announced.withdraw();
  }));

Deno.test("findRunning: ignores the announcement of an ended process, even if its process ID is reused", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/cluster.json`, JSON.stringify({ ...announcement, pid: Deno.pid }));
    assertEquals(await Promise.all(Array.from({ length: 8 }, () => findRunning(folder))), Array(8).fill(undefined));
  }));

Deno.test("announce: replaces the announcement of a killed process", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/cluster.json`, JSON.stringify({ ...announcement, url: "http://old", pid: 1 }));
    const announced = await announce(folder, announcement);
    assertEquals((await findRunning(folder))?.url, announcement.url);
    await announced.withdraw();
  }));

Deno.test("announce: only this user can read the announcement, which contains a token", () =>
  withFolder(async (folder) => {
    const announced = await announce(folder, announcement);
    assertEquals((await Deno.stat(`${folder}/cluster.json`)).mode! & 0o777, 0o600);
    await announced.withdraw();
  }));

Deno.test("findRunning: names a data folder that is a file", () =>
  withFolder(async (folder) => {
    const dataDir = `${folder}/file`;
    await Deno.writeTextFile(dataDir, "");
    await assertRejects(() => findRunning(dataDir), Error, `Data folder ${dataDir}: it is not a folder`);
  }));
