/** The blocks of artifacts: files named after the SHA-256 of their content, written atomically. */
import { statfsSync } from "node:fs";
import type { Bytes } from "@tiphys/base/net";
import { removeTree } from "../image/remove_tree.ts";
import { LEFT_BY_ARTIFACTS_BYTES } from "./limits.ts";

/** The error for a block that does not match its checksum or does not exist. */
export class DamagedBlockError extends Error {
  override readonly name = "DamagedBlock";
}

/** The error for a full disk or an exceeded limit. */
export class NoSpaceError extends Error {
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

  /** Opens the blocks below a folder. Removes incomplete blocks of an earlier process. */
  static async open(folder: string): Promise<Blocks> {
    const blocks = new Blocks(folder);
    await removeTree(blocks.#tmp);
    for (const made of [blocks.#folder, blocks.#tmp]) await Deno.mkdir(made, { recursive: true, mode: 0o700 });
    return blocks;
  }

  /** Stores a block under its checksum, as returned by {@link sumOf}. @throws {NoSpaceError} if the disk is full. */
  async write(sum: string, content: Bytes): Promise<void> {
    const part = `${this.#tmp}/${this.#count++}`;
    try {
      const { bavail, bsize } = statfsSync(this.#tmp);
      if (bavail * bsize < content.length + LEFT_BY_ARTIFACTS_BYTES) {
        throw new NoSpaceError(`the disk has ${Math.floor(bavail * bsize / 1024 / 1024)} MiB left`);
      }
      await Deno.writeFile(part, content, { mode: 0o600 });
      await Deno.mkdir(`${this.#folder}/${sum.slice(0, 2)}`, { recursive: true, mode: 0o700 });
      // An existing block is replaced, because it may be damaged.
      await Deno.rename(part, this.#path(sum));
    } catch (error) {
      await Deno.remove(part).catch(() => {});
      if ((error as { code?: string }).code === "ENOSPC") throw new NoSpaceError("the disk is full", { cause: error });
      throw error;
    }
  }

  /** @throws {DamagedBlockError} if the block does not exist or does not match its checksum. */
  async read(sum: string): Promise<Bytes> {
    let content: Bytes;
    try {
      content = await Deno.readFile(this.#path(sum));
    } catch (error) {
      throw new DamagedBlockError(`the block ${sum} cannot be read: ${(error as Error).name}`, { cause: error });
    }
    const actual = await sumOf(content);
    if (actual !== sum) throw new DamagedBlockError(`the block ${sum} has the SHA-256 ${actual}`);
    return content;
  }

  /** Removes a block; a missing block is not an error. */
  remove(sum: string): void {
    try {
      Deno.removeSync(this.#path(sum));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  /** Lists the checksums of all stored blocks. */
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

/** Returns the name of a block: the SHA-256 of its content in lowercase hexadecimal digits. */
export async function sumOf(content: Bytes): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", content)).toHex();
}
