import { assertEquals, assertRejects } from "@std/assert";
import { pause, systemClock } from "@tiphys/base/clock";
import { type KubeClient, type KubeObject, PERSISTENT_VOLUME_CLAIMS } from "@tiphys/kube";
import { createApiServer } from "../../api/mod.ts";
import { ClaimFolders } from "./claim_folders.ts";
import { SetupError } from "../setup_error.ts";

interface World {
  readonly client: KubeClient;
  readonly dataDir: string;
  open(): Promise<ClaimFolders>;
}

async function withWorld(test: (world: World) => Promise<void>): Promise<void> {
  const api = createApiServer({ storePath: ":memory:" });
  const dataDir = await Deno.makeTempDir();
  const client = api.client();
  const onError = (subject: string, error: unknown) => {
    throw new Error(subject, { cause: error });
  };
  try {
    await test({ client, dataDir, open: () => ClaimFolders.open({ client, dataDir, onError }) });
  } finally {
    api.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}

async function claimOf({ client }: World, name = "work", namespace = "default"): Promise<string> {
  const { metadata } = await client.create<KubeObject>(PERSISTENT_VOLUME_CLAIMS, namespace, { metadata: { name } });
  return metadata.uid!;
}

const namesIn = (folder: string) => Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();

/** Resolves when a folder is removed. The watch has no timeout. */
async function untilGone(folder: string): Promise<void> {
  const parent = folder.slice(0, folder.lastIndexOf("/"));
  for (;;) {
    if (!namesIn(parent).includes(folder.slice(parent.length + 1))) return;
    await pause(systemClock, 1);
  }
}

Deno.test("claims: the folder is named after the UID, and all users in a container may write to it", () =>
  withWorld(async (world) => {
    const uid = await claimOf(world);
    const folders = await world.open();
    const folder = await folders.take("default", "work", "pod");
    assertEquals(folder, `${world.dataDir}/volumes/${uid}`);
    assertEquals(Deno.statSync(folder).mode! & 0o777, 0o777);
    assertEquals(Deno.statSync(`${world.dataDir}/volumes`).mode! & 0o777, 0o700);
    await assertRejects(
      () => folders.take("default", "other", "pod"),
      SetupError,
      'persistentvolumeclaim "other" not found',
    );
    await folders.close();
  }));

Deno.test("claims: the content is deleted with the claim, after the last pod that uses it", () =>
  withWorld(async (world) => {
    await claimOf(world);
    const folders = await world.open();
    const folder = await folders.take("default", "work", "one");
    await folders.take("default", "work", "two");
    await Deno.writeTextFile(`${folder}/file`, "kept");
    await world.client.delete(PERSISTENT_VOLUME_CLAIMS, "default", "work");
    // A second claim of the same name must not share content. Its folder shows that the deletion was processed.
    const second = await claimOf(world);
    assertEquals(namesIn(await folders.take("default", "work", "three")), []);
    folders.release("one");
    assertEquals(await Deno.readTextFile(`${folder}/file`), "kept");
    folders.release("two");
    await untilGone(folder);
    assertEquals(namesIn(`${world.dataDir}/volumes`), [second]);
    await folders.close();
  }));

Deno.test("claims: the folder of a claim that was deleted meanwhile is removed at the next start", () =>
  withWorld(async (world) => {
    const uid = await claimOf(world);
    await Deno.mkdir(`${world.dataDir}/volumes/${uid}/a`, { recursive: true });
    await Deno.mkdir(`${world.dataDir}/volumes/${crypto.randomUUID()}/a`, { recursive: true });
    await (await world.open()).close();
    assertEquals(namesIn(`${world.dataDir}/volumes`), [uid]);
  }));

Deno.test("claims: folders that an earlier version stored by name are moved, except for those without a claim", () =>
  withWorld(async (world) => {
    const uid = await claimOf(world);
    for (const name of ["work", "forgotten"]) {
      await Deno.mkdir(`${world.dataDir}/claims/default/${name}`, { recursive: true });
      await Deno.writeTextFile(`${world.dataDir}/claims/default/${name}/file`, name);
    }
    await Deno.mkdir(`${world.dataDir}/elsewhere`);
    await claimOf(world, "link", "other");
    await Deno.mkdir(`${world.dataDir}/claims/other`);
    await Deno.symlink(`${world.dataDir}/elsewhere`, `${world.dataDir}/claims/other/link`);
    const folders = await world.open();
    assertEquals(await Deno.readTextFile(`${world.dataDir}/volumes/${uid}/file`), "work");
    assertEquals(namesIn(`${world.dataDir}/volumes`), [uid]);
    assertEquals(namesIn(`${world.dataDir}/claims/default`), ["forgotten"]);
    await folders.close();
  }));
