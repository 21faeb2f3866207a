import { assertEquals, assertRejects } from "@std/assert";
import type { SynchronizationSettings } from "@tiphys/model/api";
import { synchronizationFile } from "../../local/data_files.ts";
import { CommandError } from "../command_error.ts";
import { EmbeddedLimits, storeSynchronization } from "./embedded_locks.ts";

const LIMIT = { type: "DATABASE", namespace: "default", key: "k" } as const;
const noSecret = () => Promise.reject(new Error("a database file needs no secret"));

async function withLimits(act: (limits: EmbeddedLimits) => Promise<void>, dataDir: string): Promise<void> {
  const limits = new EmbeddedLimits(dataDir, noSecret);
  try {
    await act(limits);
  } finally {
    await limits.close();
  }
}

Deno.test("EmbeddedLimits: commands change the limits in the database that the cluster's settings name", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "locks" });
  try {
    const given: SynchronizationSettings = { sqlite: { file: `${dataDir}/elsewhere.sqlite` }, controllerName: "c" };
    assertEquals(await storeSynchronization(dataDir, given), given);
    await withLimits(async (limits) => void await limits.create({ ...LIMIT, limit: 3 }), dataDir);
    assertEquals((await Deno.stat(`${dataDir}/elsewhere.sqlite`)).isFile, true);
    // A cluster without database settings uses the default database again.
    await storeSynchronization(dataDir, { semaphoreLimitCacheSeconds: 5 });
    await withLimits(async (limits) => void await assertRejects(() => limits.get(LIMIT)), dataDir);
    await Deno.writeTextFile(synchronizationFile(dataDir), "{");
    await withLimits(
      async (limits) => void await assertRejects(() => limits.get(LIMIT), CommandError, "--settings"),
      dataDir,
    );
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
