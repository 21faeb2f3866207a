/** Copies of main's outputs, made where the supervisor can read them, even if the command failed. */
import { MAX_PARAMETER_BYTES, PATH } from "@tiphys/base/constants";
import { cleanPath } from "@tiphys/model/pod";
import { describeError, ExecutorError } from "../failure.ts";
import { isRegularFile } from "../pod/ordinary_file.ts";
import { PLAIN_FILES, temporaryPathFor } from "../pod/shared_files.ts";
import { mountOf, type PodTemplate } from "../pod/template.ts";
import { at, type World } from "../world.ts";

/**
 * Copies output parameters and packs output artifacts. Files in volumes are not copied: the supervisor mounts the same
 * volumes.
 * @throws {ExecutorError} when an existing output cannot be copied.
 */
export async function collectOutputs(world: World, template: PodTemplate): Promise<void> {
  try {
    for (const { name, valueFrom } of template.outputs?.parameters ?? []) {
      if (valueFrom?.path && mountOf(template, valueFrom.path) === undefined) {
        await copyParameter(world, name, valueFrom.path);
      }
    }
    for (const { path, archive } of template.outputs?.artifacts ?? []) {
      if (path && mountOf(template, path) === undefined) {
        await packOrFail(world, path, archive?.tar?.compressionLevel);
      }
    }
  } catch (error) {
    throw new ExecutorError(`failed to save outputs: ${describeError(error)}`, { stage: "outputs", cause: error });
  }
}

async function copyParameter(world: World, name: string, path: string): Promise<void> {
  const source = at(world, path);
  if (!await isRegularFile(source)) return world.log(`cannot save parameter ${path}: it does not exist`);
  const target = at(world, `${PATH.outputParameters}${cleanPath(path)}`);
  world.files.makeFolder(target.slice(0, target.lastIndexOf("/")));
  try {
    world.files.write(target, PLAIN_FILES.read(source, MAX_PARAMETER_BYTES) ?? "");
  } catch (error) {
    throw new Error(`output parameter "${name}": ${describeError(error)}`, { cause: error });
  }
}

async function packOrFail(world: World, path: string, level: number | undefined): Promise<void> {
  try {
    await packArtifact(world, path, level);
  } catch (error) {
    throw new Error(`output artifact ${path}: ${describeError(error)}`, { cause: error });
  }
}

async function packArtifact(world: World, path: string, level: number | undefined): Promise<void> {
  const source = at(world, cleanPath(path));
  if (!await isRegularFile(source)) return world.log(`cannot save artifact ${path}: it does not exist`);
  const [{ tarGz }, { Handle }] = await Promise.all([
    import("@tiphys/artifacts/formats/tar"),
    import("@tiphys/base/confined/handle"),
  ]);
  const target = at(world, `${PATH.outputArtifacts}${cleanPath(path)}.tgz`);
  world.files.makeFolder(target.slice(0, target.lastIndexOf("/")));
  // The path itself may be a link to an input and is followed. Links inside it are kept.
  using held = Handle.open(source, { follow: true });
  const archive = await tarGz(held, source.slice(source.lastIndexOf("/") + 1), {
    warn: world.log,
    ...(level === undefined ? {} : { level }),
  });
  // Written to a temporary file and renamed: a truncated archive could be mistaken for a complete one.
  const temporary = temporaryPathFor(target);
  try {
    await Deno.writeFile(temporary, archive, { mode: 0o644 });
    await Deno.rename(temporary, target);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}
