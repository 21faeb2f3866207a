import { assertEquals, assertRejects } from "@std/assert";
import { announce } from "./announcement.ts";
import { openStore, removeData } from "./data_folder.ts";

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

Deno.test("removeData: removes the data of a cluster, and the folder if nothing else is in it", () =>
  withFolder(async (folder) => {
    const data = `${folder}/data`;
    (await openStore(data)).close();
    await Deno.mkdir(`${data}/claims/default/work`, { recursive: true });
    await removeData(data);
    assertEquals(namesIn(folder), []);
  }));

Deno.test("removeData: also removes damaged data", () =>
  withFolder(async (folder) => {
    const data = `${folder}/data`;
    await Deno.mkdir(data);
    await Deno.writeTextFile(`${data}/objects.sqlite`, "no database");
    await removeData(data);
    assertEquals(namesIn(folder), []);
  }));

Deno.test("removeData: keeps other files, and rejects folders without a cluster", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/letter`, "dear");
    await assertRejects(() => removeData(folder), Error, "has no data of an embedded cluster");
    (await openStore(folder)).close();
    await removeData(folder);
    assertEquals(namesIn(folder), ["letter"]);
  }));

Deno.test("removeData: fails while a process uses the folder, or only its objects", () =>
  withFolder(async (folder) => {
    const store = await openStore(folder);
    await assertRejects(() => removeData(folder), Error, "another process is using it");
    store.close();
    const announced = await announce(folder, { url: "http://127.0.0.1:1", token: "t", caCert: undefined });
    await assertRejects(() => removeData(folder), Error, `Process ${Deno.pid} uses ${folder}`);
    await announced.withdraw();
    await removeData(folder);
  }));
