/** The output values of main: its result and its parameters. */
import { ENV, MAX_PARAMETER_BYTES, PATH } from "@tiphys/base/constants";
import { describeError, ExecutorError } from "../failure.ts";
import { openFile, readBounded } from "@tiphys/base/confined";
import { findMainFile } from "./main_files.ts";
import type { OutputParameter, PodTemplate } from "../pod/template.ts";
import { containerFolder, type World } from "../world.ts";

/** The maximum size of a result. Of a longer one, the last part is kept. */
const MAX_RESULT_BYTES = 256 * 1024;

function removeLastNewline(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/**
 * Returns the standard output of main without its final newline, at most its last {@link MAX_RESULT_BYTES} bytes.
 * Returns undefined if no template refers to the result, or main printed nothing.
 */
export function readResult(world: World, template: PodTemplate): string | undefined {
  if (world.env(ENV.includeScriptOutput) !== "true") return undefined;
  if (template.containerSet && !template.containerSet.containers.some(({ name }) => name === "main")) return undefined;
  const printed = world.files.tail(`${containerFolder(world, "main")}/stdout`, MAX_RESULT_BYTES);
  if (!printed) return undefined;
  if (printed.size > MAX_RESULT_BYTES) {
    world.log(`main printed ${printed.size} bytes: only the last ${MAX_RESULT_BYTES} are kept as its result`);
  }
  return removeLastNewline(printed.text);
}

/**
 * Returns the declared output parameters with their values. A parameter whose file cannot be read is returned without a
 * value, and the problem is passed to `report`.
 */
export function readParameters(
  world: World,
  template: PodTemplate,
  report: (problem: ExecutorError) => void,
): OutputParameter[] | undefined {
  const declared = (template.outputs?.parameters ?? []).filter(({ value, valueFrom }) =>
    value !== undefined || valueFrom?.path
  );
  if (declared.length === 0) return undefined;
  return declared.map((parameter) => {
    const path = parameter.valueFrom?.path;
    if (!path) return parameter; // The controller has already set its value.
    try {
      const text = readParameter(world, template, path);
      const value = text === undefined ? parameter.valueFrom?.default : removeLastNewline(text);
      if (value !== undefined) return { ...parameter, value };
      throw new Error(`open ${path}: no such file or directory`);
    } catch (error) {
      const problem = `output parameter "${parameter.name}": ${describeError(error)}`;
      report(new ExecutorError(problem, { stage: "outputs", cause: error }));
      return parameter;
    }
  });
}

function readParameter(world: World, template: PodTemplate, path: string): string | undefined {
  using left = findMainFile(world, template, path, { copies: PATH.outputParameters });
  if (!left) return undefined;
  using file = openFile(left.held, path);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(readBounded(file, MAX_PARAMETER_BYTES, path));
}
