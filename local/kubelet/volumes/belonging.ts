/** The owner of files for containers: their root user, which may have another ID on this machine. */
import { lchownSync } from "node:fs";
import { ORDINARY_IDS } from "../../image/container_ids.ts";

/**
 * The ID on this machine of user and group 0 in containers. If undefined, containers have the identity of this process.
 */
export type RootId = number | undefined;

/** Changes the owner to the root user of containers. */
export function giveToRoot(path: string, rootId: RootId): void {
  if (rootId !== undefined) Deno.chownSync(path, rootId, rootId);
}

/**
 * Changes the owners in a folder to a new range of IDs of containers. Must be called while nobody writes there.
 */
export function changeOwners(folder: string, rootId: RootId): void {
  if (rootId === undefined || isOwnedBy(Deno.lstatSync(folder), rootId)) return;
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) changeOwners(path, rootId);
    else changeOwner(path, rootId);
  }
  changeOwner(folder, rootId);
}

function changeOwner(path: string, rootId: number): void {
  const before = Deno.lstatSync(path);
  if (isOwnedBy(before, rootId)) return;
  const inside = (id: number | null) => rootId + Math.min(id ?? 0, ORDINARY_IDS - 2);
  lchownSync(path, inside(before.uid), inside(before.gid));
  // Changing the owner clears setuid bits. They are restored, since they now have no effect outside of containers.
  if (before.isFile && ((before.mode ?? 0) & 0o6000) !== 0) Deno.chmodSync(path, before.mode! & 0o7777);
}

function isOwnedBy({ uid }: Deno.FileInfo, rootId: number): boolean {
  return (uid ?? 0) >= rootId && (uid ?? 0) < rootId + 2 * ORDINARY_IDS;
}
