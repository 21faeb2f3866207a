/** Paths for an engine that lead to what lies below volumes, and that nobody who writes to these volumes can turn elsewhere. */
import { FAILED, readTold } from "@tiphys/portable/elf";
import { errorName } from "../program/kernel_words.ts";
import { PINNED, type PinnedMount, pinProgram } from "../program/pin_program.ts";
import type { ContainerSpec, Mount } from "../runtime.ts";
import { startProgram } from "../start_program.ts";

/** The error for something below a volume that cannot be mounted. */
export class CannotPin extends Error {
  override readonly name = "CannotPin";
}

/** The mounts with sources only, until this is disposed of: when the container has them. */
export interface Pins extends AsyncDisposable {
  readonly mounts: readonly Mount[];
}

/**
 * Opens what lies below volumes, and makes what is missing. It takes root to show that at another path. To an engine of
 * another user, what lies below a volume can only be named by its path, and who writes to the volume could put a link
 * there in the meantime: that is done for fixed volumes only.
 * @throws CannotPin.
 */
export async function pin({ mounts }: ContainerSpec, mayMount = Deno.uid() === 0): Promise<Pins> {
  const below = mounts.filter((mount): mount is PinnedMount => mount.below !== undefined);
  if (below.length === 0) return { mounts, async [Symbol.asyncDispose]() {} };
  const unsure = mayMount ? undefined : below.find(({ isFixed }) => !isFixed);
  if (unsure) {
    throw new CannotPin(
      `the subPath ${
        JSON.stringify(unsure.below)
      } of the volume at ${unsure.target} cannot be mounted by an engine without ` +
        "root, as containers may write to that volume: mount the whole volume, or use --runtime sandbox",
    );
  }
  // The mounts are not put into the container's folder, which is removed with all that is in it.
  const folder = await Deno.makeTempDir({ prefix: "tiphys-pins-" });
  const program = pinProgram(below, { folder, mayMount });
  Deno.writeFileSync(`${folder}/pin`, program.file(), { createNew: true, mode: 0o500 });
  const process = await startProgram(`${folder}/pin`, { stdin: "piped", stdout: "piped", stderr: "null" });
  const release = async () => {
    await process.stdin.close();
    await process.status;
    // The entries are removed one by one: if something still were mounted on one, nothing below it would be removed.
    for (const { name } of Deno.readDirSync(folder)) await Deno.remove(`${folder}/${name}`);
    await Deno.remove(folder);
  };
  const reader = process.stdout.getReader();
  const [told] = readTold((await reader.read()).value ?? new Uint8Array());
  await reader.cancel();
  if (told?.kind !== PINNED) {
    await release();
    const what = told?.kind === FAILED
      ? `could not ${program.steps[told.first]} (${errorName(-told.second)})`
      : "what lies below a volume could not be opened";
    throw new CannotPin(what);
  }
  return {
    mounts: mounts.map(({ below: path, ...rest }) => {
      if (path === undefined) return rest;
      const place = below.findIndex(({ target }) => target === rest.target);
      return { ...rest, source: mayMount ? `${folder}/${place}` : `${rest.source}/${path}` };
    }),
    [Symbol.asyncDispose]: release,
  };
}
