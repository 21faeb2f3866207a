/** The executor's image as a file: properties that can be checked without a cluster. */
import { assert, assertEquals } from "@std/assert";
import { buildImages } from "../../../scripts/build.ts";
import { outputOf } from "../../../scripts/command.ts";
import { FAST_COMPRESSION } from "../../install/mod.ts";
import type { Case } from "../case.ts";

/**
 * Deno and its C library, our program, git and ssh with their libraries, licenses, and a folder for temporary files.
 */
const BELONGS = [
  /^(argo-bin|tmp\/|bin\/|bin\/deno|bin\/argoexec|lib\/|lib\/[\w.-]+\.so\.\d+|lib\/argoexec\/|lib\/argoexec\/[\w.-]+\.c?js)$/,
  /^(git\/|git\/bin\/|git\/bin\/(git|ssh|git-remote-https?)|git\/lib\/|git\/lib\/[\w.-]+\.so(\.\d+)*|git\/ca-certificates\.crt)$/,
  /^etc\/(ssh\/(ssh_known_hosts)?)?$/,
  /^share\/(doc\/([\w.+-]+\/(copyright|LICENSE|THIRD_PARTY_NOTICES\.txt)?)?)?$/,
];

export const PACKAGING: readonly Case[] = [
  {
    title: "executor image: two builds from scratch have the same bytes",
    async run({ executorArchive }) {
      const folder = await Deno.makeTempDir({ prefix: "build-" });
      try {
        const [again] = (await buildImages(folder, FAST_COMPRESSION)).map(({ archive }) => archive);
        const sums = (await outputOf(["sha256sum", executorArchive, again ?? ""])).match(/^[0-9a-f]{64}/gm) ?? [];
        assertEquals(sums[0], sums[1]);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  },
  {
    title: "executor image: standard tools can read it, and it contains only what it needs",
    async run({ executorArchive }) {
      const folder = await Deno.makeTempDir({ prefix: "image-" });
      try {
        const copy = [
          "skopeo",
          "copy",
          "--quiet",
          "--dest-decompress",
          `oci-archive:${executorArchive}`,
          `dir:${folder}`,
        ];
        await outputOf(copy);
        const { layers } = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
        for (const { digest } of layers as { digest: string }[]) {
          const names = await outputOf(["tar", "-tf", `${folder}/${digest.replace("sha256:", "")}`]);
          for (const name of names.trim().split("\n").map((line) => line.replace(/^\.\//, "")).filter(Boolean)) {
            assert(BELONGS.some((pattern) => pattern.test(name)), `The image holds ${name}`);
          }
        }
        return `${((await Deno.stat(executorArchive)).size / 1e6).toFixed(1)} MB`;
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  },
];
