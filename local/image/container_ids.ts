/**
 * The user and group IDs of this machine to which the IDs of containers are mapped. As root, all IDs of a container are
 * mapped to unused IDs, so that root of a container has no rights outside of it. Otherwise a container only has the
 * user's own ID.
 */

/** A range of IDs of this machine to which the IDs 0, 1, 2 and so on of a container are mapped. */
export interface ContainerIds {
  readonly first: number;
  readonly count: number;
}

/**
 * The IDs of a container below this number are mapped one to one. The rest of the range is for users with higher IDs.
 */
export const ORDINARY_IDS = 0x1_0000;

const COUNT = 2 * ORDINARY_IDS;

/**
 * Above all ranges that are commonly used for users, services and containers. Ranges in use on this machine are
 * skipped.
 */
const FIRST = 2_000_000_000;

/** Lines of this name in `/etc/subuid` and `/etc/subgid` assign another range. */
const NAME = "tiphys";

/** Reads a file; a missing file is empty. */
export type ReadText = (path: string) => string;

/** Returns the range; undefined if this process cannot map other IDs than its own. */
export function containerIds(
  read: ReadText = readOrEmpty,
  uid: number | null = Deno.uid(),
): ContainerIds | undefined {
  if (uid !== 0) return undefined;
  const ids = readAssignedIds(read) ?? findFreeIds(read);
  const isOurs = ["uid", "gid"].every((kind) => isMapped(ids, rowsOf(read(`/proc/self/${kind}_map`))));
  return isOurs ? ids : undefined;
}

function readAssignedIds(read: ReadText): ContainerIds | undefined {
  const [users, groups] = ["/etc/subuid", "/etc/subgid"].map((file) =>
    entriesOf(read(file)).filter(([name]) => name === NAME).map(([, first, count]) => [Number(first), Number(count)])
  );
  const found = users?.find(([first, count]) =>
    count! >= COUNT && groups?.some(([other, others]) => other === first && others! >= COUNT)
  );
  return found && { first: found[0]!, count: COUNT };
}

function findFreeIds(read: ReadText): ContainerIds {
  const taken = [
    ...["/etc/passwd", "/etc/group"].flatMap((file) => entriesOf(read(file)).map(([, , id]) => [Number(id), 1])),
    ...["/etc/subuid", "/etc/subgid"].flatMap((file) =>
      entriesOf(read(file)).map(([, first, count]) => [Number(first), Number(count)])
    ),
  ];
  let first = FIRST;
  while (taken.some(([other, count]) => other! < first + COUNT && other! + count! > first)) first += COUNT;
  return { first, count: COUNT };
}

/** Whether all IDs are mapped in the user namespace of this process. */
function isMapped({ first, count }: ContainerIds, rows: readonly (readonly number[])[]): boolean {
  return rows.some(([inside, , length]) => first >= inside! && first + count <= inside! + length!);
}

function rowsOf(text: string): number[][] {
  return text.trim().split("\n").map((line) => line.trim().split(/\s+/).map(Number));
}

function entriesOf(text: string): string[][] {
  return text.split("\n").map((line) => line.split(":")).filter((fields) => fields.length >= 3);
}

function readOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
