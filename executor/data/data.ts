/**
 * `argoexec data`: the main container of a data template. Lists the objects of a store, transforms the list, and
 * reports the result.
 */
import { list, NotListableError } from "@tiphys/artifacts/transfer";
import { marshalJson } from "@tiphys/base/go/json";
import { transformData } from "@tiphys/language/template/data_transform";
import { describeError, ExecutorError } from "../failure.ts";
import { terminationSignal } from "../pod/end_of_pod.ts";
import { runTemplateWork } from "../own_work.ts";
import { placeToList } from "../pod/places.ts";
import type { PodTemplate, TemplateArtifact } from "../pod/template.ts";
import { createTransfer } from "../pod/transfers.ts";
import type { World } from "../world.ts";

/** The maximum size of the result of a data template, in bytes: it is stored in the workflow. */
const MAX_LIST_BYTES = 1 << 20;

/** Runs the command. Resolves to its exit code. */
export async function data(world: World, ending: AbortSignal = terminationSignal()): Promise<number> {
  return await runTemplateWork(world, ending, async (template, signal) => {
    try {
      return { result: await process(world, template, signal) };
    } catch (error) {
      throw new ExecutorError(`unable to process data template: ${describeError(error)}`, { cause: error });
    }
  });
}

async function process(world: World, template: PodTemplate, stop: AbortSignal): Promise<string> {
  if (!template.data) throw new ExecutorError("no data template found");
  const { source, transformation = [] } = template.data;
  if (!source.artifactPaths) {
    throw new ExecutorError("unable to process data source: no valid source is used for data template");
  }
  const files = await listFiles(world, template, source.artifactPaths, stop);
  const result = marshalJson(transformData(files, transformation.filter(({ expression }) => expression !== "")));
  const { length } = new TextEncoder().encode(result);
  if (length <= MAX_LIST_BYTES) return result;
  throw new ExecutorError(
    `the result for ${files.length} files has ${length} bytes, and the limit is ${MAX_LIST_BYTES}: ` +
      "filter the files",
  );
}

async function listFiles(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  stop: AbortSignal,
): Promise<readonly string[]> {
  try {
    const place = placeToList(template, artifact);
    return await list(await world.driverFor(place), place, createTransfer(world, stop, artifact.name));
  } catch (error) {
    const why = error instanceof NotListableError
      ? `artifact "${artifact.name}" is in ${error.message}: a data template needs artifactPaths in a store that can`
      : describeError(error);
    throw new ExecutorError(world.redact(`unable to process data source: unable to source artifact paths: ${why}`), {
      cause: error,
    });
  }
}
