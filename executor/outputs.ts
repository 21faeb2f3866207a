/** The values that main leaves: its printed result, and its parameters. */
import { ENV, PATH } from "../lib/constants.ts";
import { ExecutorError } from "./failure.ts";
import { fileOfMain, type OutputParameter, type PodTemplate } from "./template.ts";
import { containerFolder, readIfThere, type World } from "./world.ts";

/** A result is cut to its last part of this size. */
const MAX_RESULT_BYTES = 256 * 1024;

function withoutLastNewline(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** What main printed, when somebody refers to it. */
export async function readResult(world: World, template: PodTemplate): Promise<string | undefined> {
  if (world.env(ENV.includeScriptOutput) !== "true") return undefined;
  if (template.containerSet && !template.containerSet.containers.some(({ name }) => name === "main")) return undefined;
  const file = `${containerFolder(world, "main")}/stdout`;
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  if (bytes.length > MAX_RESULT_BYTES) {
    world.log(`the output of main has ${bytes.length} bytes; its result is the last ${MAX_RESULT_BYTES} of them`);
    bytes = bytes.subarray(bytes.length - MAX_RESULT_BYTES);
  }
  return withoutLastNewline(new TextDecoder().decode(bytes));
}

/**
 * The declared output parameters with their values.
 * @throws {ExecutorError} when a file is missing and there is no default.
 */
export async function readParameters(
  world: World,
  template: PodTemplate,
): Promise<(OutputParameter & { value: string })[] | undefined> {
  const declared = (template.outputs?.parameters ?? []).filter(({ value, valueFrom }) =>
    value !== undefined || valueFrom?.path
  );
  if (declared.length === 0) return undefined;
  return await Promise.all(declared.map(async (parameter) => {
    const path = parameter.valueFrom?.path;
    // A value that was known before the pod ran.
    if (!path) return { ...parameter, value: parameter.value! };
    const file = fileOfMain(world, template, path, PATH.outputParameters);
    const text = await readIfThere(file);
    if (text !== undefined) return { ...parameter, value: withoutLastNewline(text) };
    const fallback = parameter.valueFrom?.default;
    if (fallback === undefined) {
      throw new ExecutorError(`output parameter "${parameter.name}": open ${path}: no such file or directory`);
    }
    return { ...parameter, value: fallback };
  }));
}
