import { assertEquals, assertRejects } from "@std/assert";
import type { PersistenceSettings, Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { ClusterService } from "@tiphys/service";
import { persistenceFile } from "../../local/data_files.ts";
import { openStore } from "../../local/mod.ts";
import { connect } from "./connect.ts";
import { CommandError } from "../command_error.ts";
import { EmbeddedArchive, storePersistence } from "./embedded_archive.ts";

const AT = "2026-01-01T00:00:00Z";

const OFFLOADED: Workflow = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "w" },
  spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  status: { phase: "Running", startedAt: AT, offloadNodeStatusVersion: "fnv:1" },
};

const NODES = {
  w: { id: "w", name: "w", displayName: "w", type: "Suspend", phase: "Running", templateName: "main", startedAt: AT },
};

/** Creates a data folder with a workflow whose nodes are in the archive that `file` returns, or in the default one. */
async function withFolder(act: (dataDir: string) => Promise<void>, file?: (dataDir: string) => string) {
  const dataDir = await Deno.makeTempDir({ prefix: "embedded" });
  try {
    await storePersistence(dataDir, file && { nodeStatusOffLoad: true, sqlite: { file: file(dataDir) } });
    const store = await openStore(dataDir);
    const client = store.client();
    const { metadata } = await client.create<Workflow>(WORKFLOWS, "default", OFFLOADED);
    const archive = new EmbeddedArchive(dataDir, () => Promise.reject(new Error("a database file needs no secret")));
    const row = { uid: metadata.uid ?? "", version: "fnv:1", namespace: "default" };
    await archive.nodes.save(row, JSON.stringify(NODES), new Date());
    await assertRejects(() => new ClusterService(client).get("default", "w"), Error, "ARGO_SERVER");
    await archive.close();
    store.close();
    await act(dataDir);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

Deno.test("EmbeddedArchive: commands read and change offloaded nodes", () =>
  withFolder(async (dataDir) => {
    const { service, close } = await connect({ dataDir });
    assertEquals(Object.keys((await service.get("default", "w")).status?.nodes ?? {}), ["w"]);
    const seen: (string | undefined)[] = [];
    const enough = new AbortController();
    for await (const { status } of service.follow("default", "w", enough.signal)) {
      seen.push(status?.nodes?.w?.phase);
      if (seen.length === 1) await service.resume("default", "w");
      else enough.abort();
    }
    assertEquals(seen, ["Running", "Succeeded"]);
    await close();
  }));

Deno.test("EmbeddedArchive: commands use the database that the cluster's settings name", () =>
  withFolder(async (dataDir) => {
    const { service, close } = await connect({ dataDir });
    assertEquals((await service.get("default", "w")).status?.nodes?.w?.phase, "Running");
    await close();
    const names = [...Deno.readDirSync(dataDir)].map(({ name }) => name);
    assertEquals([names.includes("other.db"), names.includes("archive.sqlite")], [true, false]);
  }, (dataDir) => `${dataDir}/other.db`));

const noSecret = () => Promise.reject(new Error("a database file needs no secret"));

/** Settings that name another database. */
const settingsOf = (dataDir: string) => ({ archive: true, sqlite: { file: `${dataDir}/other.db` } });

async function withData(act: (dataDir: string) => Promise<void>) {
  const dataDir = await Deno.makeTempDir({ prefix: "embedded" });
  try {
    await act(dataDir);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

for (const text of ["", '{"archive": true, "sqlite": {"fi', "[]", "undefined"]) {
  Deno.test(`EmbeddedArchive: an invalid persistence.json with ${JSON.stringify(text)} is an error, and no other database is used`, () =>
    withData(async (dataDir) => {
      await Deno.writeTextFile(persistenceFile(dataDir), text);
      const archive = new EmbeddedArchive(dataDir, noSecret);
      await assertRejects(() => archive.open(), CommandError, "start the cluster again with its --settings");
      assertEquals([...Deno.readDirSync(dataDir)].map(({ name }) => name), ["persistence.json"]);
    }));
}

Deno.test("storePersistence: replaces existing settings atomically", () =>
  withData(async (dataDir) => {
    const settings = settingsOf(dataDir);
    await storePersistence(dataDir, settings);
    const watcher = Deno.watchFs(dataDir);
    const path = persistenceFile(dataDir);
    // A leftover of a crash during an earlier start.
    await Deno.writeTextFile(`${path}.part`, "{");
    await storePersistence(dataDir, settings);
    await Deno.writeTextFile(`${dataDir}/done`, "");
    const seen: string[] = [];
    for await (const { kind, paths } of watcher) {
      if (paths.includes(`${dataDir}/done`)) break;
      if (paths.includes(path)) seen.push(kind);
    }
    assertEquals(seen.filter((kind) => kind === "remove" || kind === "create"), []);
    assertEquals(JSON.parse(await Deno.readTextFile(path)), settings);
    assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    assertEquals([...Deno.readDirSync(dataDir)].map(({ name }) => name).sort(), ["done", "persistence.json"]);
  }));

Deno.test("EmbeddedArchive: offloads nodes only if the controller's settings enable that", () =>
  withData(async (dataDir) => {
    const row = { uid: "u", version: "fnv:1", namespace: "default" };
    for (const nodeStatusOffLoad of [false, true]) {
      await storePersistence(dataDir, { ...settingsOf(dataDir), nodeStatusOffLoad });
      const archive = new EmbeddedArchive(dataDir, noSecret);
      assertEquals(await archive.nodes.save(row, JSON.stringify(NODES), new Date()), nodeStatusOffLoad);
      assertEquals(await archive.nodes.load(row), nodeStatusOffLoad ? NODES : undefined);
      await archive.close();
    }
  }));

Deno.test("storePersistence: settings without a database use the one of the data folder, and archive by default", () =>
  withData(async (dataDir) => {
    const sqlite = { file: `${await Deno.realPath(dataDir)}/archive.sqlite` };
    const rows: [PersistenceSettings, PersistenceSettings][] = [
      [{ archiveTTL: "30d" }, { archive: true, nodeStatusOffLoad: true, sqlite, archiveTTL: "30d" }],
      [{ archive: false }, { archive: false, nodeStatusOffLoad: true, sqlite }],
    ];
    for (const [given, kept] of rows) {
      assertEquals(await storePersistence(dataDir, given), kept);
      const archive = new EmbeddedArchive(dataDir, noSecret);
      await archive.open();
      await archive.close();
    }
  }));
