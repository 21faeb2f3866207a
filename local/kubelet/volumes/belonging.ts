/**
 * The owner of files that containers are given: their root, which has another number on this machine where it may have
 * one.
 */
import { lchownSync } from "node:fs";
import { ORDINARY_IDS } from "../../image/container_ids.ts";

/** The number that user and group 0 of containers have here; undefined: everything is our own, and of containers, too. */
export type RootId = number | undefined;

/** Gives something to the root of containers. */
export function giveToRoot(path: string, rootId: RootId): void {
  if (rootId !== undefined) Deno.chownSync(path, rootId, rootId);
}

/**
 * Gives a folder with all that is in it to containers whose numbers begin elsewhere than those that had it before. To be called
 * while nobody writes there.
 */
export function adopt(folder: string, rootId: RootId): void {
  if (rootId === undefined || isOf(Deno.lstatSync(folder), rootId)) return;
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) adopt(path, rootId);
    else adoptOne(path, rootId);
  }
  adoptOne(folder, rootId);
}

function adoptOne(path: string, rootId: number): void {
  const before = Deno.lstatSync(path);
  if (isOf(before, rootId)) return;
  const inside = (id: number | null) => rootId + Math.min(id ?? 0, ORDINARY_IDS - 2);
  lchownSync(path, inside(before.uid), inside(before.gid));
  // A change of the owner takes the set-uid bits away; they come back, as they mean nothing outside of containers now.
  if (before.isFile && ((before.mode ?? 0) & 0o6000) !== 0) Deno.chmodSync(path, before.mode! & 0o7777);
}

function isOf({ uid }: Deno.FileInfo, rootId: number): boolean {
  return (uid ?? 0) >= rootId && (uid ?? 0) < rootId + 2 * ORDINARY_IDS;
}
