/** The artifacts that main leaves. */
import { driverFor } from "../lib/artifact/mod.ts";
import { hasStore } from "../lib/artifact_stores.ts";
import { PATH } from "../lib/constants.ts";
import { describe, ExecutorError } from "./failure.ts";
import { fileOfMain, type PodTemplate, type TemplateArtifact } from "./template.ts";
import { at, type World } from "./world.ts";

const NOT_CONFIGURED =
  "artifact storage is not configured; see the docs for setup instructions: https://argo-workflows.readthedocs.io/en/latest/configure-artifact-repository/";

/**
 * Sees to it that every artifact that main left has a place to go to.
 * @throws {ExecutorError} naming all that have none, and all that are missing and not optional.
 */
export async function checkArtifactStores(world: World, template: PodTemplate): Promise<void> {
  const problems: string[] = [];
  for (const artifact of template.outputs?.artifacts ?? []) {
    const problem = artifact.path && await problemOf(world, template, artifact, artifact.path);
    if (problem) problems.push(problem);
  }
  if (problems.length) throw new ExecutorError(problems.join("; "));
}

async function problemOf(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  path: string,
): Promise<string | undefined> {
  if (!await isThere(world, template, path)) {
    return artifact.optional ? undefined : `${path} no such file or directory`;
  }
  const place = hasStore(artifact) ? artifact : { ...template.archiveLocation, name: artifact.name };
  if (!hasStore(place)) return NOT_CONFIGURED;
  return await driverFor(place).then(() => undefined, describe);
}

async function isThere(world: World, template: PodTemplate, path: string): Promise<boolean> {
  const file = fileOfMain(world, template, path, PATH.outputArtifacts);
  const copied = file.startsWith(at(world, PATH.outputArtifacts));
  return await Deno.stat(copied ? `${file}.tgz` : file).then(() => true, () => false);
}
