/** Who a container of an image runs as: names are looked up in the image's own files. */
import type { Identity } from "../../../lib/elf/mod.ts";
import { scopedPath } from "../../image/scoped_path.ts";
import type { ContainerSpec } from "./runtime.ts";

/** An identity, and the home that goes with it. */
export interface ImageIdentity extends Identity {
  readonly home: string;
}

/** An image wants to be run as somebody whom it does not know. */
export class UnknownUser extends Error {
  override readonly name = "UnknownUser";
}

type Wanted = Pick<ContainerSpec, "user" | "group" | "imageUser">;

/** By the pod's word, else by the image's, else root. Throws UnknownUser. */
export function imageIdentity(root: string, { user, group, imageUser }: Wanted): ImageIdentity {
  const [imageName = "", imageGroup] = imageUser.split(":");
  const wanted = user === undefined ? imageName || "0" : String(user);
  const users = lines(root, "/etc/passwd");
  const entry = users.find(([name, , uid]) => uid === wanted || user === undefined && name === wanted);
  if (!entry && !/^\d+$/.test(wanted)) {
    throw new UnknownUser(`unable to find user ${wanted}: no matching entries in passwd file`);
  }
  const groups = lines(root, "/etc/group");
  const named = user === undefined ? imageGroup : undefined;
  const gid = group ?? (named === undefined ? Number(entry?.[3] ?? 0) : groupId(named, groups));
  const own = entry === undefined ? [] : groups.filter(([, , , members]) => members?.split(",").includes(entry[0]!));
  return {
    user: Number(entry?.[2] ?? wanted),
    group: gid,
    groups: [...new Set([gid, ...own.map(([, , id]) => Number(id))])],
    home: entry?.[5] || "/",
  };
}

function groupId(wanted: string, groups: readonly (readonly string[])[]): number {
  const entry = groups.find(([name, , gid]) => name === wanted || gid === wanted);
  if (entry) return Number(entry[2]);
  if (/^\d+$/.test(wanted)) return Number(wanted);
  throw new UnknownUser(`unable to find group ${wanted}: no matching entries in group file`);
}

function lines(root: string, file: string): string[][] {
  try {
    const text = Deno.readTextFileSync(scopedPath(root, file, { followLast: true }));
    return text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(":"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
    throw error;
  }
}
