/**
 * The ids of this machine that stand for those of containers. Where tiphys may (as root), 0 and all others of a
 * container are ids that nobody has here, so that root of a container is nobody outside of it; else a container has
 * the user's own identity only.
 */

/** Ids of this machine that stand for 0, 1, 2 and so on of a container. */
export interface ContainerIds {
  readonly first: number;
  readonly count: number;
}

/** The ids of a container, from 0 on, that have their own; those behind are for users with higher numbers, one each. */
export const ORDINARY_IDS = 0x1_0000;

const COUNT = 2 * ORDINARY_IDS;

/** Behind all ranges that others are known to take for people, services and containers; what is taken here is left out. */
const FIRST = 2_000_000_000;

/** A line of the name in `/etc/subuid` and `/etc/subgid` says that other ids are to be taken. */
const NAME = "tiphys";

/** Reads a file; the text is empty where there is none. */
export type ReadText = (path: string) => string;

/** The ids; undefined where we may not give a process any but our own. */
export function containerIds(
  read: ReadText = readOrNothing,
  uid: number | null = Deno.uid(),
): ContainerIds | undefined {
  if (uid !== 0) return undefined;
  const ids = assignedIds(read) ?? freeIds(read);
  const isOurs = ["uid", "gid"].every((kind) => isMapped(ids, rowsOf(read(`/proc/self/${kind}_map`))));
  return isOurs ? ids : undefined;
}

function assignedIds(read: ReadText): ContainerIds | undefined {
  const [users, groups] = ["/etc/subuid", "/etc/subgid"].map((file) =>
    entriesOf(read(file)).filter(([name]) => name === NAME).map(([, first, count]) => [Number(first), Number(count)])
  );
  const found = users?.find(([first, count]) =>
    count! >= COUNT && groups?.some(([other, others]) => other === first && others! >= COUNT)
  );
  return found && { first: found[0]!, count: COUNT };
}

function freeIds(read: ReadText): ContainerIds {
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

/** Whether all the ids exist in the user namespace that we are in. */
function isMapped({ first, count }: ContainerIds, rows: readonly (readonly number[])[]): boolean {
  return rows.some(([inside, , length]) => first >= inside! && first + count <= inside! + length!);
}

function rowsOf(text: string): number[][] {
  return text.trim().split("\n").map((line) => line.trim().split(/\s+/).map(Number));
}

function entriesOf(text: string): string[][] {
  return text.split("\n").map((line) => line.split(":")).filter((fields) => fields.length >= 3);
}

function readOrNothing(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
