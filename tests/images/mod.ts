/**
 * Images for tests, built from Debian packages only, so that no registry is needed.
 *
 * - `debian_root.ts`: the root file systems
 * - `programs/`: sources of programs that are compiled for the images
 * - `shims/`: small replacements for the programs of well-known test images
 * - `push.ts`: pushes an image to a registry; `load.ts`: loads it into the store of an embedded cluster
 * - this file: the images and their cache
 */
import { ensureDebianPackages } from "../cluster/mod.ts";
import { outputOf } from "../../scripts/command.ts";
import { makeBusyboxRoot, makeDebianRoot, makeMuslRoot, makeSingleProgramRoot } from "./debian_root.ts";
import { writeImageLayout } from "../../scripts/oci_layout.ts";

export { loadLayout } from "./load.ts";
export { fullName, pushImage } from "./push.ts";

/** The kinds of root file system that an image can have. */
export type TestRoot = "debian" | "busybox" | "musl" | "single-program";

/** An image to build: its root file system, folders to copy over it, and its default entrypoint and command. */
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

/** Returns the image as an OCI layout folder. Builds it if the cache has no image of the same content. */
export async function testImage(cache: string, image: TestImage): Promise<string> {
  await ensureDebianPackages(NEEDED);
  const folder = `${cache}/images/${await contentKey(image)}`;
  if (await isThere(`${folder}/index.json`)) return folder;
  console.error(`Building a test image with the root ${image.root}`);
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

/** Copies the shims into a folder, at the paths of an image where workflows expect these programs. */
export async function copyShims(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/usr/local/bin`, { recursive: true });
  await Deno.copyFile(`${HERE}shims/argosay`, `${folder}/argosay`);
  await Deno.copyFile(`${HERE}shims/cowsay`, `${folder}/usr/local/bin/cowsay`);
}

/** The cache key of an image: a hash of its description, the build recipe, and every file of its overlays. */
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
