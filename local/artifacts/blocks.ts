/** The blocks of artifacts: files called by the SHA-256 of their content, written whole or not at all. */
import { statfsSync } from "node:fs";
import type { Bytes } from "@tiphys/base/net";
import { removeTree } from "../image/remove_tree.ts";
import { LEFT_BY_ARTIFACTS_BYTES } from "./limits.ts";

/** A block that is not what its name says, or is gone. */
export class DamagedBlock extends Error {
  override readonly name = "DamagedBlock";
}

/** The error when the disk has no room for a block. */
export class NoRoom extends Error {
  override readonly name = "NoRoom";
}

/** A folder of blocks. */
export class Blocks {
  readonly #folder: string;
  readonly #tmp: string;
  #count = 0;

  private constructor(folder: string) {
    this.#folder = `${folder}/blocks`;
    this.#tmp = `${folder}/tmp`;
  }

  /** Opens the blocks below a folder; blocks that an earlier process left half-written go. */
  static async open(folder: string): Promise<Blocks> {
    const blocks = new Blocks(folder);
    await removeTree(blocks.#tmp);
    for (const made of [blocks.#folder, blocks.#tmp]) await Deno.mkdir(made, { recursive: true, mode: 0o700 });
    return blocks;
  }

  /** Keeps a block under its sum, as {@link sumOf} says it. @throws {NoRoom} when the disk has none. */
  async write(sum: string, content: Bytes): Promise<void> {
    const part = `${this.#tmp}/${this.#count++}`;
    try {
      const { bavail, bsize } = statfsSync(this.#tmp);
      if (bavail * bsize < content.length + LEFT_BY_ARTIFACTS_BYTES) {
        throw new NoRoom(`the disk has ${Math.floor(bavail * bsize / 1024 / 1024)} MiB left`);
      }
      await Deno.writeFile(part, content, { mode: 0o600 });
      await Deno.mkdir(`${this.#folder}/${sum.slice(0, 2)}`, { recursive: true, mode: 0o700 });
      // A block that is there is written over: it may be damaged, and this one is not.
      await Deno.rename(part, this.#path(sum));
    } catch (error) {
      await Deno.remove(part).catch(() => {});
      if ((error as { code?: string }).code === "ENOSPC") throw new NoRoom("the disk is full", { cause: error });
      throw error;
    }
  }

  /** @throws {DamagedBlock} when it is not there, or is not what was written. */
  async read(sum: string): Promise<Bytes> {
    let content: Bytes;
    try {
      content = await Deno.readFile(this.#path(sum));
    } catch (error) {
      throw new DamagedBlock(`the block ${sum} cannot be read: ${(error as Error).name}`, { cause: error });
    }
    const actual = await sumOf(content);
    if (actual !== sum) throw new DamagedBlock(`the block ${sum} has the SHA-256 ${actual}`);
    return content;
  }

  /** Forgets a block; one that is not there is no failure. */
  remove(sum: string): void {
    try {
      Deno.removeSync(this.#path(sum));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  /** The sums of all blocks that lie there. */
  async *list(): AsyncGenerator<string> {
    for await (const { name, isDirectory } of Deno.readDir(this.#folder)) {
      if (!isDirectory) continue;
      for await (const block of Deno.readDir(`${this.#folder}/${name}`)) yield block.name;
    }
  }

  #path(sum: string): string {
    return `${this.#folder}/${sum.slice(0, 2)}/${sum}`;
  }
}

/** The name of a block: the SHA-256 of its content, lower case hexadecimal. */
export async function sumOf(content: Bytes): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", content)).toHex();
}
