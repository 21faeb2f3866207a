/**
 * Makes input artifacts appear at their paths in the template: symbolic links into the folder that the supervisor
 * filled. Artifacts that are mounted at their paths need no link.
 */
import { PATH } from "@tiphys/base/constants";
import { cleanPath, mountedFolders } from "@tiphys/model/pod";
import { describeError, ExecutorError } from "../failure.ts";
import { type PodTemplate, type TemplateArtifact, userMounts } from "../pod/template.ts";
import { at, type World } from "../world.ts";

/**
 * Links every input artifact that was loaded.
 * @throws {ExecutorError} when a link would replace content of a user's volume.
 */
export async function linkInputs(world: World, template: PodTemplate): Promise<void> {
  const mounted = mountedFolders(template).map(({ name }) => name);
  const artifacts = (template.inputs?.artifacts ?? []).filter(({ name, path }) => path && !mounted.includes(name));
  // In a resource template main is the executor itself, which reads the manifest from the folder of inputs.
  if (artifacts.length === 0 || template.resource) return;
  const before = Deno.cwd();
  // Leaves the working directory, because an artifact may replace it.
  Deno.chdir(at(world, PATH.varRunArgo));
  // Outer paths are linked first, so that an inner artifact is placed inside the outer one.
  const byDepth = artifacts.toSorted((a, b) => depth(a.path!) - depth(b.path!));
  try {
    for (const artifact of byDepth) await linkOrFail(world, template, artifact);
  } finally {
    checkFolder(before);
  }
}

function checkFolder(folder: string): void {
  try {
    Deno.chdir(folder);
  } catch (error) {
    throw new ExecutorError(`cannot enter the working directory ${folder}: ${describeError(error)}`, {
      stage: "link",
    });
  }
}

function depth(path: string): number {
  return cleanPath(path).split("/").length;
}

async function linkOrFail(world: World, template: PodTemplate, artifact: TemplateArtifact): Promise<void> {
  try {
    await linkInput(world, template, artifact);
  } catch (error) {
    if (error instanceof ExecutorError) throw error;
    throw new ExecutorError(
      `failed to link input artifact "${artifact.name}" at ${artifact.path}: ${describeError(error)}`,
      { stage: "link", artifact: artifact.name, cause: error },
    );
  }
}

async function linkInput(world: World, template: PodTemplate, artifact: TemplateArtifact): Promise<void> {
  const source = at(world, `${PATH.inputArtifacts}/${artifact.name}`);
  // The source is missing for an optional artifact without a value, and for one that was loaded straight into a volume.
  if (!await exists(source)) return;
  const target = at(world, cleanPath(artifact.path!));
  await Deno.mkdir(target.slice(0, target.lastIndexOf("/")) || "/", { recursive: true, mode: 0o755 });
  if (await isLinkTo(target, source)) return; // This container has run before.
  if (await exists(target)) {
    await refuseVolume(world, template, artifact, target);
    await Deno.remove(target, { recursive: true });
  }
  await Deno.symlink(source, target);
}

async function isLinkTo(path: string, target: string): Promise<boolean> {
  return await Deno.readLink(path).then((linkTarget) => linkTarget === target, () => false);
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
 * Checks that a target is outside of the user's volumes, whose content must not be replaced.
 * @throws {Error} when it is inside one, even if only through a symbolic link.
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
    // The image may contain a link on the path at which the volume is mounted.
    const volume = await Deno.realPath(at(world, mountPath)).catch(() => at(world, mountPath));
    if (real !== volume && !real.startsWith(`${volume}/`) && !volume.startsWith(`${real}/`)) continue;
    throw new ExecutorError(
      `refusing to stage input artifact "${artifact.name}" at ${artifact.path}: it resolves to ${real} ` +
        `inside volume mount "${name}" (${mountPath})`,
      { stage: "link", artifact: artifact.name },
    );
  }
}
