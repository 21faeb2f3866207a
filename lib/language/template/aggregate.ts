/** The outputs of a finished loop: lists of the outputs of its children. */
import { JsonError, marshalJson, unmarshalJson } from "@tiphys/base/go/json";
import type { Value } from "@tiphys/base/go/value";
import { TemplateError } from "./error.ts";
import { Item } from "./item.ts";

/** The fields of a child's node that this module reads. */
export interface LoopChild {
  readonly name: string;
  readonly phase?: string;
  readonly nodeFlag?: { readonly hooked?: boolean; readonly retried?: boolean };
  readonly outputs?: {
    readonly result?: string;
    readonly parameters?: readonly { readonly name: string; readonly value?: string }[];
  } | null;
}

/**
 * Returns the outputs of a loop under `prefix` (`steps.a`): those of the children that succeeded, ordered by index.
 * `loopName` is the children's name up to the parenthesis. Hooks and attempts are not counted. A loop without children
 * has no outputs.
 *
 * @throws {TemplateError} when a result is not valid JSON, because it could not be an element of the JSON list, or when
 * an output has no value.
 */
export function aggregate(prefix: string, loopName: string, children: readonly LoopChild[]): Map<string, string> {
  const scope = new Map<string, string>();
  if (children.length === 0) return scope;
  const results: string[] = [];
  const outputs: Record<string, string>[] = [];
  const valuesOf = new Map<string, string[]>();
  for (const child of succeededChildren(loopName, children)) {
    const { result, parameters } = child.outputs ?? {};
    if (result !== undefined) results.push(jsonOf(result, prefix, child));
    if (!parameters?.length) continue;
    outputs.push(Object.fromEntries(parameters.map((parameter) => [parameter.name, valueOf(parameter, child)])));
    for (const { name, value } of parameters) {
      const values = valuesOf.get(name);
      if (values) values.push(value!);
      else valuesOf.set(name, [value!]);
    }
  }
  scope.set(`${prefix}.outputs.result`, `[${results.join(",")}]`);
  scope.set(`${prefix}.outputs.parameters`, marshalJson(outputs));
  for (const [name, values] of valuesOf) scope.set(`${prefix}.outputs.parameters.${name}`, listOf(values));
  return scope;
}

function jsonOf(result: string, prefix: string, child: LoopChild): string {
  try {
    return Item.parse(result).json;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const what = `the result of "${child.name}" is not JSON, and the results of a loop make a JSON list`;
    throw new TemplateError(`${prefix}.outputs.result: ${what}: ${error.message}`, { cause: error });
  }
}

function valueOf({ name, value }: { readonly name: string; readonly value?: string }, child: LoopChild): string {
  if (value !== undefined) return value;
  throw new TemplateError(`Expected a value of the output parameter "${name}" of "${child.name}", got none`);
}

function succeededChildren(loopName: string, children: readonly LoopChild[]): LoopChild[] {
  const index = ({ name }: LoopChild) => parseInt(name.slice(loopName.length + 1), 10);
  return children
    .filter(({ phase, nodeFlag }) => phase === "Succeeded" && !nodeFlag?.hooked && !nodeFlag?.retried)
    .sort((a, b) => index(a) - index(b));
}

/** Embeds the values as JSON when all of them are lists or objects; otherwise every value is a JSON string. */
function listOf(values: readonly string[]): string {
  const parsed = values.map(listOrObject);
  return marshalJson(parsed.includes(undefined) ? values : parsed as Value[]);
}

function listOrObject(text: string): Value | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return unmarshalJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}
