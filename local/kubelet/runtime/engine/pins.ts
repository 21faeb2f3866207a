/**
 * Creates paths for an engine to content below volumes, which cannot be redirected by those who can write to the
 * volumes.
 */
import { FAILED, readReports } from "@tiphys/portable/elf";
import { errorName } from "../program/kernel_words.ts";
import { PINNED, type PinnedMount, pinProgram } from "../program/pin_program.ts";
import type { ContainerSpec, Mount } from "../runtime.ts";
import { startProgram } from "../start_program.ts";

/** Content below a volume cannot be mounted. */
export class CannotPinError extends Error {
  override readonly name = "CannotPin";
}

/** The mounts without `below`. They are valid until disposal, which is safe once the container has them mounted. */
export interface Pins extends AsyncDisposable {
  readonly mounts: readonly Mount[];
}

/**
 * Opens content below volumes, creating what is missing, and mounts it at separate paths, which requires root. For an
 * engine of another user, such content can only be named by its path, and those who can write to the volume could
 * replace it by a link in the meantime. So that is allowed for fixed volumes only.
 * @throws CannotPin.
 */
export async function pinMounts({ mounts }: ContainerSpec, mayMount = Deno.uid() === 0): Promise<Pins> {
  const below = mounts.filter((mount): mount is PinnedMount => mount.below !== undefined);
  if (below.length === 0) return { mounts, async [Symbol.asyncDispose]() {} };
  const unsure = mayMount ? undefined : below.find(({ isFixed }) => !isFixed);
  if (unsure) {
    throw new CannotPinError(
      `the subPath ${
        JSON.stringify(unsure.below)
      } of the volume at ${unsure.target} cannot be mounted by an engine without ` +
        "root, as containers may write to that volume: mount the whole volume, or use --runtime sandbox",
    );
  }
  // The mounts are not in the container's folder, since that is removed with all its content.
  const folder = await Deno.makeTempDir({ prefix: "tiphys-pins-" });
  const program = pinProgram(below, { folder, mayMount });
  Deno.writeFileSync(`${folder}/pin`, program.file(), { createNew: true, mode: 0o500 });
  const process = await startProgram(`${folder}/pin`, { stdin: "piped", stdout: "piped", stderr: "null" });
  const release = async () => {
    await process.stdin.close();
    await process.status;
    // Entries are removed individually: if something is still mounted on one, nothing below it must be removed.
    for (const { name } of Deno.readDirSync(folder)) await Deno.remove(`${folder}/${name}`);
    await Deno.remove(folder);
  };
  const reader = process.stdout.getReader();
  const [report] = readReports((await reader.read()).value ?? new Uint8Array());
  await reader.cancel();
  if (report?.kind !== PINNED) {
    await release();
    const what = report?.kind === FAILED
      ? `could not ${program.steps[report.first]} (${errorName(-report.second)})`
      : "a path below a volume could not be opened";
    throw new CannotPinError(what);
  }
  return {
    mounts: mounts.map(({ below: path, ...mount }) => {
      if (path === undefined) return mount;
      const place = below.findIndex(({ target }) => target === mount.target);
      return { ...mount, source: mayMount ? `${folder}/${place}` : `${mount.source}/${path}` };
    }),
    [Symbol.asyncDispose]: release,
  };
}
