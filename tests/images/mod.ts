/**
 * Images for tests, made of Debian packages alone, so that no registry is needed.
 *
 * - `debian_root.ts`: what is in them;
 * - `programs/`: sources of programs that are compiled for them;
 * - `shims/`: small programs that stand in for those of well-known test images;
 * - `push.ts`: an image gets into a registry; `load.ts`: into the store of an embedded cluster;
 * - this file: which images there are, and their cache.
 */
import { ensureDebianPackages } from "../cluster/mod.ts";
import { outputOf } from "../../scripts/command.ts";
import { makeBusyboxRoot, makeDebianRoot, makeMuslRoot, makeSingleProgramRoot } from "./debian_root.ts";
import { writeImageLayout } from "../../scripts/oci_layout.ts";

export { loadLayout } from "./load.ts";
export { fullName, pushImage } from "./push.ts";

/** The kinds of root an image can have. */
export type TestRoot = "debian" | "busybox" | "musl" | "single-program";

/** An image to have: its root, folders to lay over it, and what runs when a container names nothing. */
export interface TestImage {
  readonly root: TestRoot;
  readonly overlays?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
}

const MAKERS: Record<TestRoot, (root: string) => Promise<void>> = {
  debian: makeDebianRoot,
  busybox: makeBusyboxRoot,
  musl: makeMuslRoot,
  "single-program": makeSingleProgramRoot,
};

const HERE = new URL(".", import.meta.url).pathname;

const NEEDED = [
  { name: "musl-tools", file: "/usr/bin/musl-gcc" },
  { name: "mmdebstrap", file: "/usr/bin/mmdebstrap" },
  { name: "busybox-static", file: "/bin/busybox" },
  { name: "skopeo", file: "/usr/bin/skopeo" },
];

/** The image as an OCI layout folder, made when the cache has none of the same content. */
export async function testImage(cache: string, image: TestImage): Promise<string> {
  await ensureDebianPackages(NEEDED);
  const folder = `${cache}/images/${await contentKey(image)}`;
  if (await isThere(`${folder}/index.json`)) return folder;
  console.error(`Making an image of ${image.root}`);
  await Deno.mkdir(folder, { recursive: true });
  const work = await Deno.makeTempDir({ dir: cache, prefix: ".image-" });
  try {
    await MAKERS[image.root](`${work}/root`);
    await writeImageLayout(folder, {
      ...image,
      reference: "image:1",
      roots: [`${work}/root`, ...(image.overlays ?? [])],
    });
  } finally {
    await outputOf(["rm", "-rf", work]);
  }
  return folder;
}

/** A folder with our shims at the places of an image where their callers look. */
export async function layOutShims(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/usr/local/bin`, { recursive: true });
  await Deno.copyFile(`${HERE}shims/argosay`, `${folder}/argosay`);
  await Deno.copyFile(`${HERE}shims/cowsay`, `${folder}/usr/local/bin/cowsay`);
}

/** The key of an image's content: its description, the recipe, and every file laid over it. */
async function contentKey(image: TestImage): Promise<string> {
  const recipe = [`${HERE}debian_root.ts`, `${HERE}programs/copy.c`];
  const parts = [
    JSON.stringify({ ...image, overlays: undefined }),
    ...await Promise.all(recipe.map((file) => Deno.readTextFile(file))),
  ];
  for (const overlay of image.overlays ?? []) {
    parts.push(await outputOf(["sh", "-c", "find . -type f | sort | xargs sha256sum"], { cwd: overlay }));
  }
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(parts.join("\0"))));
  return `${image.root}-${[...sum.slice(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

async function isThere(file: string): Promise<boolean> {
  try {
    await Deno.stat(file);
    return true;
  } catch {
    return false;
  }
}
