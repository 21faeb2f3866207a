/**
 * The stand-in image: made of the common tools of this machine, and used instead of an image whose registry cannot be
 * reached. It contains programs, their libraries and a generated /etc, but no data of users, so any workflow may use
 * it.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { pack } from "tar-stream";
import type { ImageStore, StoredImage } from "../image_store.ts";
import { machineTools, type ToolFile } from "./machine_tools.ts";

/** The repository of stand-ins. The tag identifies the state of the tools. */
export const STAND_IN = "tiphys.local/stand-in";

/** Version of the layout of the image. */
const LAYOUT = 2;

/**
 * The default command of a stand-in: an error, because the command of the replaced image is unknown. Arguments replace
 * it.
 */
const NO_COMMAND = [
  "sh",
  "-c",
  "echo 'A stand-in has no default command: set the command of the container' >&2; exit 127",
];

const FOLDERS: readonly (readonly [string, number])[] = [
  ...[
    "dev",
    "etc",
    "home",
    "mnt",
    "opt",
    "proc",
    "run",
    "srv",
    "sys",
    "usr",
    "usr/bin",
    "usr/lib",
    "usr/lib64",
    "usr/local",
  ]
    .map((path) => [path, 0o755] as const),
  ...["usr/local/bin", "usr/sbin", "usr/share", "var"].map((path) => [path, 0o755] as const),
  ["root", 0o700],
  ["tmp", 0o1777],
  ["var/tmp", 0o1777],
];

const LINKS = [["bin", "usr/bin"], ["sbin", "usr/sbin"], ["lib", "usr/lib"], ["lib64", "usr/lib64"]] as const;

const ETC: Readonly<Record<string, string>> = {
  group: "root:x:0:\nnogroup:x:65534:\n",
  hosts: "127.0.0.1\tlocalhost\n::1\tlocalhost\n",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
  passwd: "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
};

/** Returns the stand-in of this machine. Creates it if it does not exist or the tools have changed. */
export async function findOrCreateStandIn(images: ImageStore): Promise<StoredImage> {
  const tools = await machineTools();
  const name = `${STAND_IN}:${await toolsKey(tools)}`;
  const present = await images.find(name);
  if (present) return present;
  const made = await images.createLocalImage(name, await layerOf(tools), {
    Env: [`PATH=${PATH}`],
    Cmd: NO_COMMAND,
    WorkingDir: "/",
  });
  for (const { name: other } of await images.list()) {
    if (other.startsWith(`${STAND_IN}:`) && other !== name) await images.remove(other);
  }
  return made;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Returns a key of the state of the tools, from their paths, sizes and times. */
async function toolsKey(tools: readonly ToolFile[]): Promise<string> {
  const hash = createHash("sha256").update(`${LAYOUT}\n`);
  for (const tool of tools) {
    hash.update(`${tool.path}\n`);
    if (tool.kind === "link") {
      hash.update(`${tool.target}\n`);
      continue;
    }
    const { size, mtime, ino } = await Deno.stat(tool.from);
    hash.update(`${tool.from} ${size} ${mtime?.getTime()} ${ino}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

async function layerOf(tools: readonly ToolFile[]): Promise<ReadableStream<Uint8Array>> {
  const tar = pack();
  const owned = { uid: 0, gid: 0, mtime: new Date(0) };
  for (const [name, mode] of FOLDERS) tar.entry({ ...owned, name, mode, type: "directory" });
  for (const [name, linkname] of LINKS) tar.entry({ ...owned, name, linkname, type: "symlink" });
  for (const [name, text] of Object.entries(ETC)) tar.entry({ ...owned, name: `etc/${name}`, mode: 0o644 }, text);
  for (const tool of tools) {
    if (tool.kind === "link") tar.entry({ ...owned, name: tool.path, linkname: tool.target, type: "symlink" });
    else tar.entry({ ...owned, name: tool.path, mode: 0o755 }, Buffer.from(await Deno.readFile(tool.from)));
  }
  tar.finalize();
  return ReadableStream.from(tar as AsyncIterable<Uint8Array>);
}
