/** What `main` leaves behind is copied to where the supervisor can see it, also when the command failed (spec/pods 4.5). */
import { PATH } from "../lib/constants.ts";
import { cleanPath } from "../lib/pod/paths.ts";
import { describe, ExecutorError } from "./failure.ts";
import { isOrdinary } from "./ordinary_file.ts";
import { mountOf, type PodTemplate } from "./template.ts";
import { at, makeSharedFolder, type World } from "./world.ts";

/**
 * Copies output parameters and packs output artifacts. Files in volumes are left where they are: the supervisor mounts
 * the same volumes.
 * @throws {ExecutorError} when something that is there cannot be copied.
 */
export async function collectOutputs(world: World, template: PodTemplate): Promise<void> {
  try {
    for (const { valueFrom } of template.outputs?.parameters ?? []) {
      if (valueFrom?.path && mountOf(template, valueFrom.path) === undefined) {
        await copyParameter(world, valueFrom.path);
      }
    }
    for (const { path } of template.outputs?.artifacts ?? []) {
      if (path && mountOf(template, path) === undefined) await packArtifact(world, path);
    }
  } catch (error) {
    throw new ExecutorError(`failed to save outputs: ${describe(error)}`, { stage: "outputs", cause: error });
  }
}

async function copyParameter(world: World, path: string): Promise<void> {
  const source = at(world, path);
  if (!await isOrdinary(source)) return world.log(`cannot save parameter ${path}: it does not exist`);
  const target = at(world, `${PATH.outputParameters}${cleanPath(path)}`);
  await makeSharedFolder(target.slice(0, target.lastIndexOf("/")));
  await Deno.writeFile(target, await Deno.readFile(source), { mode: 0o644 });
}

async function packArtifact(world: World, path: string): Promise<void> {
  const source = at(world, cleanPath(path));
  if (!await isOrdinary(source)) return world.log(`cannot save artifact ${path}: it does not exist`);
  const { packTarGz } = await import("../lib/artifact/tar.ts");
  const target = at(world, `${PATH.outputArtifacts}${cleanPath(path)}.tgz`);
  await makeSharedFolder(target.slice(0, target.lastIndexOf("/")));
  // The path itself may be a link to an input; what lies below keeps its links.
  await packTarGz(await Deno.realPath(source), source.slice(source.lastIndexOf("/") + 1), target);
}
