/** `argoexec data`: main of a data template. Lists what a store holds, transforms the list, and reports the result. */
import { hasStore } from "../../lib/artifact_stores.ts";
import { marshalJson } from "../../lib/go/json.ts";
import { transformData } from "../../lib/template/data_transform.ts";
import { describe, ExecutorError } from "../failure.ts";
import { endOfPod } from "../end_of_pod.ts";
import { doOwnWork } from "../own_work.ts";
import { retryTransient } from "../retry_transient.ts";
import type { PodTemplate, TemplateArtifact } from "../template.ts";
import type { World } from "../world.ts";

/** Runs the command; resolves to its exit code. */
export async function data(world: World, ending: AbortSignal = endOfPod()): Promise<number> {
  return await doOwnWork(world, ending, async (template) => {
    try {
      return { result: await process(world, template) };
    } catch (error) {
      throw new ExecutorError(`unable to process data template: ${describe(error)}`, { cause: error });
    }
  });
}

async function process(world: World, template: PodTemplate): Promise<string> {
  if (!template.data) throw new ExecutorError("no data template found");
  const { source, transformation = [] } = template.data;
  if (!source.artifactPaths) {
    throw new ExecutorError("unable to process data source: no valid source is used for data template");
  }
  const files = await listFiles(world, template, source.artifactPaths);
  return marshalJson(transformData(files, transformation.filter(({ expression }) => expression !== "")));
}

async function listFiles(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
): Promise<readonly string[]> {
  // What names no store lies in the one that the pod's other artifacts go to.
  const located = hasStore(artifact) ? artifact : { ...template.archiveLocation, name: artifact.name };
  try {
    const driver = await world.driverFor(located);
    return await retryTransient(world, () => driver.listObjects(located));
  } catch (error) {
    throw new ExecutorError(
      `unable to process data source: unable to source artifact paths: ${describe(error)}`,
      { cause: error },
    );
  }
}
