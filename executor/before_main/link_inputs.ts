/**
 * Input artifacts appear where the template wants them: as links into the folder the supervisor filled.
 * Those that are mounted at their paths are there already.
 */
import { PATH } from "../../lib/constants.ts";
import { mountedFolders } from "../../lib/pod/artifact_paths.ts";
import { cleanPath } from "../../lib/pod/paths.ts";
import { describe, ExecutorError } from "../failure.ts";
import { type PodTemplate, type TemplateArtifact, userMounts } from "../pod/template.ts";
import { at, type World } from "../world.ts";

/**
 * Links every input artifact that was loaded.
 * @throws {ExecutorError} when that would clear away what lies in a volume of the user.
 */
export async function linkInputs(world: World, template: PodTemplate): Promise<void> {
  const mounted = mountedFolders(template).map(({ name }) => name);
  const artifacts = (template.inputs?.artifacts ?? []).filter(({ name, path }) => path && !mounted.includes(name));
  // The executor itself is main of a resource template, and looks for the manifest where it was loaded to.
  if (artifacts.length === 0 || template.resource) return;
  const before = Deno.cwd();
  // A folder that is about to be replaced must not be the one we stand in.
  Deno.chdir(at(world, PATH.varRunArgo));
  // Outer paths come first, so that an inner artifact lands inside the outer one.
  const byDepth = artifacts.toSorted((a, b) => depth(a.path!) - depth(b.path!));
  try {
    for (const artifact of byDepth) await linkOrTell(world, template, artifact);
  } finally {
    enter(before);
  }
}

function enter(folder: string): void {
  try {
    Deno.chdir(folder);
  } catch (error) {
    throw new ExecutorError(`the working directory ${folder} must be a directory: ${describe(error)}`, {
      stage: "link",
    });
  }
}

function depth(path: string): number {
  return cleanPath(path).split("/").length;
}

async function linkOrTell(world: World, template: PodTemplate, artifact: TemplateArtifact): Promise<void> {
  try {
    await link(world, template, artifact);
  } catch (error) {
    if (error instanceof ExecutorError) throw error;
    throw new ExecutorError(
      `failed to link input artifact "${artifact.name}" at ${artifact.path}: ${describe(error)}`,
      { stage: "link", artifact: artifact.name, cause: error },
    );
  }
}

async function link(world: World, template: PodTemplate, artifact: TemplateArtifact): Promise<void> {
  const source = at(world, `${PATH.inputArtifacts}/${artifact.name}`);
  // No entry: an optional artifact that was not given, or one that was loaded straight into a volume.
  if (!await exists(source)) return;
  const target = at(world, cleanPath(artifact.path!));
  await Deno.mkdir(target.slice(0, target.lastIndexOf("/")) || "/", { recursive: true, mode: 0o755 });
  if (await isLinkTo(target, source)) return; // This container was started before.
  if (await exists(target)) {
    await refuseVolume(world, template, artifact, target);
    await Deno.remove(target, { recursive: true });
  }
  await Deno.symlink(source, target);
}

async function isLinkTo(path: string, target: string): Promise<boolean> {
  return await Deno.readLink(path).then((found) => found === target, () => false);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Checks that a target lies outside of the volumes of the user, whose content belongs to others.
 * @throws {Error} when it lies in one, also where its path only leads there by a link.
 */
async function refuseVolume(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  target: string,
): Promise<void> {
  const folder = await Deno.realPath(target.slice(0, target.lastIndexOf("/")) || "/");
  const real = `${folder}/${target.slice(target.lastIndexOf("/") + 1)}`;
  for (const { name, mountPath } of userMounts(template)) {
    // The image may have a link on the way to the place where the volume is mounted.
    const volume = await Deno.realPath(at(world, mountPath)).catch(() => at(world, mountPath));
    if (real !== volume && !real.startsWith(`${volume}/`) && !volume.startsWith(`${real}/`)) continue;
    throw new ExecutorError(
      `refusing to stage input artifact "${artifact.name}" at ${artifact.path}: it resolves to ${real} ` +
        `inside volume mount "${name}" (${mountPath})`,
      { stage: "link", artifact: artifact.name },
    );
  }
}
