/**
 * A partially loaded file of an earlier process: `NAME.part` next to `NAME.tmp` identifies its content. Files from
 * before the last boot of the machine are ignored, because they may not have reached the disk.
 */
import { type Folder, type Handle, openFile, readBounded } from "@tiphys/base/confined";
import type { TransientChunks } from "@tiphys/base/net/chunks";
import type { ContentInfo, Place } from "@tiphys/model/artifact";
import { sumOfJson } from "./sum_of_json.ts";

/** Maximum size of `NAME.part` in bytes. */
const MAX_NOTE_BYTES = 1024;

/** Number of bytes per read. */
const READ_BYTES = 65_536;

/** Returns the identification of content at a place; undefined for content that cannot be resumed. */
export async function contentMark(
  { store, key, settings }: Place,
  { etag, size }: ContentInfo,
): Promise<string | undefined> {
  const start = machineBootId();
  if (etag === undefined || size === undefined || start === undefined) return undefined;
  return await sumOfJson([store, key, settings, etag, size, start]);
}

function machineBootId(): string | undefined {
  try {
    return Deno.readTextFileSync("/proc/sys/kernel/random/boot_id").trim();
  } catch {
    return undefined;
  }
}

/** Opens the loaded part of content with this mark; undefined when no part exists. */
export function openPartialFile(folder: Folder, name: string, mark: string, max: number): Handle | undefined {
  if (readMark(folder, name) !== mark) return undefined;
  const held = folder.openEntry(`${name}.tmp`);
  const { isFile, size } = held?.info() ?? { isFile: false, size: 0 };
  if (held && isFile && size > 0 && size <= max) return held;
  held?.[Symbol.dispose]();
  return undefined;
}

function readMark(folder: Folder, name: string): string | undefined {
  using held = folder.openEntry(`${name}.part`);
  if (!held?.info().isFile) return undefined;
  using file = openFile(held, name);
  return file.statSync().size > MAX_NOTE_BYTES
    ? undefined
    : new TextDecoder().decode(readBounded(file, MAX_NOTE_BYTES, `${name}.part`));
}

/** Records the content of `NAME.tmp`. */
export function writeMark(folder: Folder, name: string, mark: string): void {
  using file = folder.createAndOpen(`${name}.part`);
  file.writeSync(new TextEncoder().encode(mark));
}

/** Yields the first bytes of a file, then the rest. */
export async function* appendToStored(
  handle: Handle,
  { bytes, rest: remaining, stop }: {
    readonly bytes: number;
    readonly rest: TransientChunks;
    readonly stop: AbortSignal;
  },
): TransientChunks {
  try {
    using file = openFile(handle, "a part of a file");
    const buffer = new Uint8Array(READ_BYTES);
    for (let left = bytes; left > 0;) {
      const read = await file.read(buffer.subarray(0, Math.min(left, buffer.length)));
      if (read === null) throw new Error("the previously loaded part became shorter");
      left -= read;
      stop.throwIfAborted();
      yield buffer.subarray(0, read);
    }
    yield* remaining;
  } finally {
    await remaining.return(undefined);
  }
}
