/** The contents of artifacts to measure: one large file, or a folder of many small ones. */

/** The content of an artifact. */
export type Content =
  | { readonly kind: "big"; readonly bytes: number }
  | { readonly kind: "many"; readonly files: number };

/** The size of each of many files, in bytes. */
const SMALL_BYTES = 10_000;
/** The number of files per subfolder. */
const FOLDER_FILES = 100;
/** The size of the block that a large file repeats, in bytes. Larger than the window of any compression. */
const BLOCK_BYTES = 16 << 20;

/** The contents of a full measurement, and of a quick one. */
export const WHOLE: readonly Content[] = [{ kind: "big", bytes: 2e9 }, { kind: "many", files: 10_000 }];
export const QUICK: readonly Content[] = [{ kind: "big", bytes: 2e8 }, { kind: "many", files: 1_000 }];

/** The printed name of a content: `1 x 2 GB`, `10,000 x 10 kB`. */
export function nameOf(content: Content): string {
  if (content.kind === "many") return `${content.files.toLocaleString("en")} x 10 kB`;
  return `1 x ${content.bytes >= 1e9 ? `${content.bytes / 1e9} GB` : `${content.bytes / 1e6} MB`}`;
}

/** Parses `big:BYTES` or `many:FILES`. Numbers may be written as 5e9. @throws {Error} for any other text. */
export function parseContent(text: string): Content {
  const [kind, amount] = text.split(":");
  const number = Number(amount);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`expected KIND:NUMBER, got ${JSON.stringify(text)}`);
  if (kind === "big") return { kind, bytes: number };
  if (kind === "many") return { kind, files: number };
  throw new Error(`expected big:BYTES or many:FILES, got ${JSON.stringify(text)}`);
}

/** Writes a content to a path. */
export async function makeContent(content: Content, path: string): Promise<void> {
  const block = words(BLOCK_BYTES);
  if (content.kind === "big") {
    using file = await Deno.open(path, { write: true, create: true });
    for (let left = content.bytes; left > 0;) {
      const part = block.subarray(0, Math.min(left, block.length));
      for (let done = 0; done < part.length;) done += file.writeSync(part.subarray(done));
      left -= part.length;
    }
    return;
  }
  for (let index = 0; index < content.files; index++) {
    const folder = `${path}/${Math.floor(index / FOLDER_FILES)}`;
    if (index % FOLDER_FILES === 0) await Deno.mkdir(folder, { recursive: true });
    const from = index * SMALL_BYTES % (block.length - SMALL_BYTES);
    await Deno.writeFile(`${folder}/${index}`, block.subarray(from, from + SMALL_BYTES));
  }
}

/** Deterministic text that compresses to about a third, like logs and tables. */
function words(bytes: number): Uint8Array {
  const text = new Uint8Array(bytes);
  let state = 1;
  for (let offset = 0; offset < bytes; offset++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const draw = state >>> 16;
    text[offset] = draw % 7 === 0 ? 0x20 : draw % 61 === 0 ? 0x0a : 0x61 + draw % 9;
  }
  return text;
}
