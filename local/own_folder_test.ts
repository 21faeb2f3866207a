import { assertEquals, assertRejects } from "@std/assert";
import { needs } from "../lib/base/testing/needs.ts";
import { announce } from "./announcement.ts";
import { openStore } from "./data_folder.ts";
import { kubeconfigFile, writeKubeconfig } from "./kubeconfig.ts";
import { createPrivateFolder } from "./own_folder.ts";

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;

Deno.test("createPrivateFolder: a new folder, and an existing one with more access, are restricted to their owner", () =>
  withFolder(async (folder) => {
    const notices: string[] = [];
    const umask = Deno.umask(0);
    try {
      await createPrivateFolder(`${folder}/a/b`, (text) => notices.push(text));
      assertEquals([modeOf(`${folder}/a`), modeOf(`${folder}/a/b`), notices], [0o700, 0o700, []]);
      await Deno.chmod(`${folder}/a/b`, 0o755);
      await createPrivateFolder(`${folder}/a/b`, (text) => notices.push(text));
    } finally {
      Deno.umask(umask);
    }
    assertEquals([modeOf(`${folder}/a/b`), notices.length], [0o700, 1]);
  }));

Deno.test({
  ...needs("root", Deno.uid() === 0, "createPrivateFolder: a folder of another user is an error, and is not changed"),
  fn: () =>
    withFolder(async (folder) => {
      await Deno.mkdir(`${folder}/theirs`, { mode: 0o755 });
      await Deno.chown(`${folder}/theirs`, 1500, 1500);
      await assertRejects(
        () => createPrivateFolder(`${folder}/theirs`),
        Error,
        "belongs to the user 1500, and tiphys runs as 0",
      );
      assertEquals(modeOf(`${folder}/theirs`), 0o755);
    }),
});

Deno.test("data folder: files with secrets are restricted to their owner, also existing ones", () =>
  withFolder(async (folder) => {
    const data = `${folder}/data`;
    await Deno.mkdir(data);
    await Deno.chmod(data, 0o777);
    const umask = Deno.umask(0);
    try {
      for (const name of ["kubeconfig", "cluster.json.tmp"]) {
        await Deno.writeTextFile(`${data}/${name}`, "", { mode: 0o666 });
      }
      const store = await openStore(data);
      await store.client().create(
        { group: "", version: "v1", plural: "secrets", kind: "Secret", namespaced: true },
        "a",
        {
          metadata: { name: "s" },
        },
      );
      const announcement = { url: "https://127.0.0.1:1", token: "t", caCert: "c" };
      const announced = await announce(data, announcement);
      await writeKubeconfig(data, announcement);
      assertEquals(modeOf(data), 0o700);
      for (const { name } of Deno.readDirSync(data)) assertEquals([name, modeOf(`${data}/${name}`)], [name, 0o600]);
      assertEquals(modeOf(kubeconfigFile(data)), 0o600);
      await announced.withdraw();
      store.close();
    } finally {
      Deno.umask(umask);
    }
  }));
