/** Reads ELF files: their loader, the libraries that they need, and where these may be. */

/** The dynamic linking information of an ELF file. */
export interface Linking {
  /** The path of the loader; undefined for a static program. */
  readonly loader: string | undefined;
  /** Names of libraries. */
  readonly needed: readonly string[];
  /** Library folders in the file. `$ORIGIN` is not replaced. */
  readonly searched: readonly string[];
}

const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;
const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const PT_INTERP = 3;
const DT_NEEDED = 1n;
const DT_STRTAB = 5n;
const DT_RPATH = 15n;
const DT_RUNPATH = 29n;

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: bigint;
  readonly size: number;
}

/** Reads a 64-bit little-endian file, the format of both supported processors; undefined for other files. */
export function readLinking(file: Uint8Array): Linking | undefined {
  try {
    return parseLinking(file);
  } catch (error) {
    // The headers refer to offsets outside of the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parseLinking(file: Uint8Array): Linking | undefined {
  if (file[0] !== 0x7f || file[1] !== 0x45 || file[2] !== 0x4c || file[3] !== 0x46) return undefined;
  if (file[4] !== CLASS_64 || file[5] !== LITTLE_ENDIAN) return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const segments = segmentsOf(view);
  const interpreter = segments.find(({ type }) => type === PT_INTERP);
  const loader = interpreter && textAt(file, interpreter.offset);
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
  if (!dynamic) return { loader, needed: [], searched: [] };
  const entries: [bigint, bigint][] = [];
  for (let offset = dynamic.offset; offset + 16 <= dynamic.offset + dynamic.size; offset += 16) {
    entries.push([view.getBigUint64(offset, true), view.getBigUint64(offset + 8, true)]);
  }
  const table = entries.find(([tag]) => tag === DT_STRTAB)?.[1];
  if (table === undefined) return { loader, needed: [], searched: [] };
  const texts = fileOffset(segments, table);
  const all = (...tags: bigint[]) =>
    entries.filter(([tag]) => tags.includes(tag)).map(([, value]) => textAt(file, texts + Number(value)));
  const searched = all(DT_RPATH, DT_RUNPATH).flatMap((folders) => folders.split(":")).filter((folder) => folder !== "");
  return { loader, needed: all(DT_NEEDED), searched };
}

function segmentsOf(view: DataView): Segment[] {
  const [table, size, count] = [
    Number(view.getBigUint64(32, true)),
    view.getUint16(54, true),
    view.getUint16(56, true),
  ];
  return Array.from({ length: count }, (_, index) => {
    const offset = table + index * size;
    return {
      type: view.getUint32(offset, true),
      offset: Number(view.getBigUint64(offset + 8, true)),
      address: view.getBigUint64(offset + 16, true),
      size: Number(view.getBigUint64(offset + 32, true)),
    };
  });
}

/** Returns the file offset of a virtual address. */
function fileOffset(segments: readonly Segment[], address: bigint): number {
  const holder = segments.find((segment) =>
    segment.type === PT_LOAD && address >= segment.address && address < segment.address + BigInt(segment.size)
  );
  return holder ? holder.offset + Number(address - holder.address) : Number(address);
}

function textAt(file: Uint8Array, from: number): string {
  const end = file.indexOf(0, from);
  if (end < 0) throw new RangeError("A string in the file is not terminated");
  return new TextDecoder().decode(file.subarray(from, end));
}
