/** The values that main leaves: its printed result, and its parameters. */
import { ENV, PATH } from "../lib/constants.ts";
import { ExecutorError } from "./failure.ts";
import { isOrdinary } from "./ordinary_file.ts";
import { fileOfMain, type OutputParameter, type PodTemplate } from "./template.ts";
import { containerFolder, type World } from "./world.ts";

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
  try {
    using opened = await Deno.open(file);
    const { size } = await opened.stat();
    if (size > MAX_RESULT_BYTES) {
      world.log(`the output of main has ${size} bytes; its result is the last ${MAX_RESULT_BYTES} of them`);
      await opened.seek(size - MAX_RESULT_BYTES, Deno.SeekMode.Start);
    }
    return withoutLastNewline(await new Response(opened.readable).text());
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The declared output parameters with their values; one whose file is missing has none, and `report` is told. */
export async function readParameters(
  world: World,
  template: PodTemplate,
  report: (problem: ExecutorError) => void,
): Promise<OutputParameter[] | undefined> {
  const declared = (template.outputs?.parameters ?? []).filter(({ value, valueFrom }) =>
    value !== undefined || valueFrom?.path
  );
  if (declared.length === 0) return undefined;
  return await Promise.all(declared.map(async (parameter) => {
    const path = parameter.valueFrom?.path;
    if (!path) return parameter; // Its value was known before the pod ran.
    const file = fileOfMain(world, template, path, PATH.outputParameters);
    const text = await isOrdinary(file) ? await Deno.readTextFile(file) : undefined;
    const value = text === undefined ? parameter.valueFrom?.default : withoutLastNewline(text);
    if (value !== undefined) return { ...parameter, value };
    const problem = `output parameter "${parameter.name}": open ${path}: no such file or directory`;
    report(new ExecutorError(problem, { stage: "outputs" }));
    return parameter;
  }));
}
