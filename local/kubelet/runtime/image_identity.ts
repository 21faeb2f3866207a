/** Resolves the user and groups of a container with the files of its image. */
import { Folder, openFile, OutsideError, readBounded, resolveEntry } from "@tiphys/base/confined";
import type { Identity } from "./container_plan.ts";
import type { ContainerSpec } from "./runtime.ts";

/** An identity with its home folder. */
export interface ImageIdentity extends Identity {
  readonly home: string;
}

/** The image requests a user that does not exist in it. */
export class UnknownUser extends Error {
  override readonly name = "UnknownUser";
}

/** The maximum size of the files with users and groups, in bytes. */
const MAX_FILE_BYTES = 4 << 20;

type UserRequest = Pick<ContainerSpec, "user" | "group" | "imageUser">;

/**
 * Returns the identity that the pod requests, otherwise that of the image, otherwise root.
 * @throws {UnknownUser}
 */
export function imageIdentity(root: string, { user, group, imageUser }: UserRequest): ImageIdentity {
  const [imageName = "", imageGroup] = imageUser.split(":");
  const requested = user === undefined ? imageName || "0" : String(user);
  const users = readFields(root, "/etc/passwd");
  const entry = users.find(([name, , uid]) => uid === requested || user === undefined && name === requested);
  if (!entry && !/^\d+$/.test(requested)) {
    throw new UnknownUser(`unable to find user ${requested}: no matching entries in passwd file`);
  }
  const groups = readFields(root, "/etc/group");
  const named = user === undefined ? imageGroup : undefined;
  const gid = group ?? (named === undefined ? Number(entry?.[3] ?? 0) : groupId(named, groups));
  const own = entry === undefined ? [] : groups.filter(([, , , members]) => members?.split(",").includes(entry[0]!));
  return {
    user: Number(entry?.[2] ?? requested),
    group: gid,
    groups: [...new Set([gid, ...own.map(([, , id]) => Number(id))])],
    home: entry?.[5] || "/",
  };
}

function groupId(group: string, groups: readonly (readonly string[])[]): number {
  const entry = groups.find(([name, , gid]) => name === group || gid === group);
  if (entry) return Number(entry[2]);
  if (/^\d+$/.test(group)) return Number(group);
  throw new UnknownUser(`unable to find group ${group}: no matching entries in group file`);
}

function readFields(root: string, file: string): string[][] {
  try {
    using folder = Folder.open(root);
    using found = resolveEntry(folder, file, { links: "follow", last: true });
    using held = found.hold();
    if (!held) return [];
    using opened = openFile(held, file);
    const text = new TextDecoder().decode(readBounded(opened, MAX_FILE_BYTES, file));
    return text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(":"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof OutsideError) return [];
    throw error;
  }
}
