/** Logs in the embedded store are deleted with the archived row of their workflow (DB-18). */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import { silentLog } from "@tiphys/base/log";
import { WORKFLOWS } from "@tiphys/kube";
import { podNameOf } from "@tiphys/model/status";
import { logDeletionHook } from "@tiphys/service/log_removal";
import { StoredArchive } from "@tiphys/service/stored";
import { type ArtifactWorld, withArtifacts } from "../testing/artifact_world.ts";

const ENDED = "2026-11-02T00:00:00Z";

/**
 * Returns an archived workflow of pods with logs: its log, the log of an earlier workflow, and one with a shared key.
 */
function archived(uid: string, name: string, repository: object | undefined, namespace = "default"): Workflow {
  const workflow = (nodes: Record<string, object>) => ({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace, uid },
    spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "i" } }] },
    status: {
      phase: "Succeeded",
      startedAt: ENDED,
      finishedAt: ENDED,
      artifactRepositoryRef: { default: true, artifactRepository: repository },
      nodes,
    },
  } as unknown as Workflow);
  const node = (id: string, keys: Record<string, string>) => ({
    id,
    name: id === name ? name : `${name}.${id}`,
    displayName: id,
    type: "Pod",
    templateName: "main",
    phase: "Succeeded",
    outputs: { artifacts: Object.entries(keys).map(([artifact, key]) => ({ name: artifact, s3: { key } })) },
  });
  const pod = podNameOf(workflow({}), node(name, {}) as never);
  return workflow({
    [name]: node(name, { "main-logs": `${name}/${pod}/main.log`, out: `${name}/${pod}/out.tgz` }),
    again: node("again", { "main-logs": "earlier/earlier/main.log" }),
    shared: node("shared", { "main-logs": "shared/main.log" }),
  });
}

const OBJECTS = {
  "gone/gone/main.log": "hello\n",
  "gone/gone/out.tgz": "data",
  "w/w/main.log": "of an existing workflow\n",
  "earlier/earlier/main.log": "of an earlier workflow\n",
  "shared/main.log": "of several workflows\n",
};

/** Uses an archive together with the embedded store of a world. */
async function withArchive(use: (bench: ArtifactWorld, archive: OpenArchive) => Promise<void>): Promise<void> {
  await withArtifacts(OBJECTS, {}, async (bench) => {
    const { client } = bench.world;
    const repository = bench.world.artifactRepository;
    await using archive = await OpenArchive.open({ sqlite: { file: `${bench.top}/archive.db` } }, {
      clock: systemClock,
      log: silentLog,
      secret: () => Promise.reject(new Error("a database file needs no secret")),
      beforeDelete: logDeletionHook(client, () => Promise.resolve({ repository })),
    });
    await use(bench, archive);
  });
}

const without = (...keys: string[]) =>
  Object.fromEntries(Object.entries(OBJECTS).filter(([key]) => !keys.includes(key)));

Deno.test("logs: deleting an archived workflow deletes its logs and nothing else", () =>
  withArchive(async ({ world, stored }, archive) => {
    await archive.archive(archived("u1", "gone", world.artifactRepository));
    const service = new StoredArchive({
      open: () => Promise.resolve(archive),
      client: world.client,
      now: () => new Date(),
    });
    await service.delete({ uid: "u1", namespace: "default" });
    assertEquals(await stored(), without("gone/gone/main.log"));
    assertEquals(await archive.get("u1"), undefined);
  }));

Deno.test("logs: expired archived workflows are deleted with their logs", () =>
  withArchive(async ({ world, stored }, archive) => {
    await archive.archive(archived("u1", "gone", world.artifactRepository));
    assertEquals(await archive.deleteFinishedBefore(new Date("2026-12-01T00:00:00Z")), { deleted: 1, isMore: false });
    assertEquals(await stored(), without("gone/gone/main.log"));
  }));

Deno.test("logs: are kept if the cluster has a workflow of the same name", () =>
  withArchive(async ({ world, stored }, archive) => {
    assertEquals((await world.client.get(WORKFLOWS, "default", "w")).metadata.name, "w");
    await archive.archive(archived("u1", "w", world.artifactRepository));
    assertEquals(await archive.delete("u1"), true);
    assertEquals(await stored(), OBJECTS);
  }));

Deno.test("logs: are kept until the last archived workflow of the name is deleted", () =>
  withArchive(async ({ world, stored }, archive) => {
    for (const uid of ["u1", "u2"]) await archive.archive(archived(uid, "gone", world.artifactRepository));
    await archive.delete("u1");
    assertEquals(await stored(), OBJECTS);
    await archive.delete("u2");
    assertEquals(await stored(), without("gone/gone/main.log"));
  }));

Deno.test("logs: are deleted if all archived workflows of the name expire together", () =>
  withArchive(async ({ world, stored }, archive) => {
    for (const uid of ["u1", "u2"]) await archive.archive(archived(uid, "gone", world.artifactRepository));
    assertEquals(await archive.deleteFinishedBefore(new Date("2026-12-01T00:00:00Z")), { deleted: 2, isMore: false });
    assertEquals(await stored(), without("gone/gone/main.log"));
  }));

Deno.test("logs: are kept if a workflow of another namespace has the name, because keys contain no namespace", () =>
  withArchive(async ({ world, stored }, archive) => {
    await archive.archive(archived("u1", "w", world.artifactRepository, "other"));
    assertEquals(await archive.delete("u1"), true);
    for (const [uid, namespace] of [["u2", "default"], ["u3", "other"]] as const) {
      await archive.archive(archived(uid, "gone", world.artifactRepository, namespace));
    }
    await archive.delete("u2");
    assertEquals(await stored(), OBJECTS);
  }));

Deno.test("logs: are kept if the namespace of their workflow no longer exists, and the row is deleted", () =>
  withArchive(async ({ world, stored }, archive) => {
    await archive.archive(archived("u1", "gone", world.artifactRepository, "other"));
    assertEquals(await archive.delete("u1"), true);
    assertEquals(await stored(), OBJECTS);
  }));

Deno.test("logs: are kept in another store, and the row is deleted", () =>
  withArchive(async ({ world, stored }, archive) => {
    const elsewhere = { s3: { ...(world.artifactRepository as { s3: object }).s3, endpoint: "127.0.0.1:1" } };
    await archive.archive(archived("u1", "gone", elsewhere));
    assertEquals(await archive.delete("u1"), true);
    assertEquals(await stored(), OBJECTS);
  }));
