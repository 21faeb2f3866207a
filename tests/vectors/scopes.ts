/** Checkers of the vectors of values that tags can refer to. */
import { assert, assertEquals } from "@std/assert";
import { mergeSpecs } from "../../lib/engine/spec/effective_spec.ts";
import { absentArgument } from "../../lib/language/template/absent_argument.ts";
import { aggregate } from "../../lib/language/template/aggregate.ts";
import { processArguments, substituteParameters } from "../../lib/language/template/arguments.ts";
import { evaluateCondition } from "../../lib/language/template/condition.ts";
import { transformData } from "@tiphys/language/template/data_transform";
import { workflowGlobals } from "../../lib/language/template/globals.ts";
import { nodeScope } from "../../lib/language/template/node_scope.ts";
import { outputParameters, resolveVariable } from "../../lib/language/template/output.ts";
import {
  mergeParameters,
  type ParameterFields,
  parametersJson,
  withGlobalParameter,
} from "../../lib/language/template/parameter.ts";
import { usesResultOf } from "../../lib/language/template/result_reference.ts";
import { type AttemptNode, retryScope } from "../../lib/language/template/retry_scope.ts";
import { anyString, marshalJson, type Value } from "@tiphys/base/go";
import { workflowMetadata } from "../../lib/language/template/workflow_metadata.ts";
import { type Check, checkOutcome, type Json, prune, scopeOf, type Vector } from "./vector.ts";

type Fields = { [key: string]: Json };

/** Converts parameter fields to strings, as they are once parsed; null is absent. */
function readTexts<T>(value: T): T {
  if (Array.isArray(value)) return value.map(readTexts) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inside]) => inside !== null).map(([key, inside]) => {
    const isText = key === "value" || key === "default";
    return [key, isText ? anyString(inside) : readTexts(inside)];
  });
  return Object.fromEntries(entries) as T;
}

/** The values of a vector's scope, and null for skipped ones. */
function scopeWithSkipped(vector: Vector): Map<string, Value> {
  const scope = scopeOf(vector.scope);
  for (const name of vector.skipped ?? []) scope.set(name, null);
  return scope;
}

function texts(fields: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(fields));
}

function compareTemplates(vector: Vector, ask: () => unknown): void {
  checkOutcome(
    vector,
    () => prune(ask() as Json),
    vector.output === undefined ? undefined : prune(JSON.parse(vector.output as string)),
  );
}

function retry(vector: Vector): void {
  const scope = retryScope(vector.node, new Map(Object.entries<AttemptNode>(vector.nodes)));
  assertEquals(Object.fromEntries(scope), vector.scope);
  if (vector.expression !== undefined) checkOutcome(vector, () => evaluateCondition(vector.expression, scope));
}

function globalParameters(vector: Vector): void {
  let list: readonly ParameterFields[] = vector.outputs?.parameters ?? [];
  const updated = vector.add.map((parameter: ParameterFields) => {
    const next = withGlobalParameter(list, parameter);
    const changed = next !== list;
    list = next;
    return changed;
  });
  assertEquals(updated, vector.updated);
  const isThere = vector.outputs !== null || vector.add.some(({ globalName }: ParameterFields) => globalName);
  const nothing = isThere ? "{}" : "null";
  assertEquals(list.length > 0 ? `{"parameters":${parametersJson(list)}}` : nothing, vector.output);
}

function outputs(vector: Vector): string {
  const declared = readTexts(vector.template.outputs);
  if (!declared?.parameters?.length) return "null";
  return `{"parameters":${parametersJson(outputParameters(declared.parameters, scopeWithSkipped(vector)))}}`;
}

function metadata(vector: Vector): { labels: Fields; annotations: Fields } {
  const workflow = readTexts(vector.workflow);
  const { labels, annotations } = workflowMetadata(workflow.spec.workflowMetadata ?? {}, workflowGlobals(workflow));
  const own = workflow.metadata;
  return { labels: { ...own.labels, ...labels }, annotations: { ...own.annotations, ...annotations } };
}

function transform(vector: Vector): string {
  return marshalJson(transformData(vector.data, [{ expression: vector.expression }]));
}

export const SCOPES: Record<string, Check> = {
  aggregate: (vector) => {
    const child: string =
      vector.nodes.map(({ name }: { name: string }) => name).find((name: string) => name.includes("(")) ?? "(";
    const loopName = child.slice(0, child.lastIndexOf("("));
    checkOutcome(
      vector,
      () => Object.fromEntries(aggregate(`${vector.prefix}.${vector.name}`, loopName, readTexts(vector.nodes))),
    );
  },
  globals: (vector) => checkOutcome(vector, () => Object.fromEntries(workflowGlobals(readTexts(vector.workflow)))),
  labelsfrom: (vector) =>
    checkOutcome(vector, () => metadata(vector), { labels: vector.labels, annotations: vector.annotations }),
  nodescope: (vector) => {
    const { values, artifacts } = nodeScope(
      `${vector.prefix}.${vector.name}`,
      readTexts(vector.node),
      new Map(Object.entries<AttemptNode>(readTexts(vector.nodes))),
    );
    const all: Fields = Object.fromEntries(values);
    for (const name of artifacts.keys()) all[name] = "(artifact)";
    assertEquals(all, vector.output);
  },
  retryscope: retry,
  outputs: (vector) => checkOutcome(vector, () => outputs(vector)),
  absentarg: (vector) =>
    assertEquals(absentArgument(vector.value, scopeWithSkipped(vector) as Map<string, string | null>), vector.output),
  resultref: (vector) => assertEquals(usesResultOf(vector.name, vector.template), vector.output),
  processargs: (vector) =>
    compareTemplates(vector, () =>
      processArguments(readTexts(vector.template), readTexts(vector.arguments), {
        globals: texts(vector.globals),
        locals: texts(vector.locals),
      })),
  substituteparams: (vector) =>
    compareTemplates(
      vector,
      () => substituteParameters(readTexts(vector.template), texts(vector.globals), texts(vector.locals)),
    ),
  resolvevar: (vector) => {
    const scope = scopeOf(vector.params);
    checkOutcome(vector, () => JSON.parse(marshalJson(resolveVariable(vector.value, scope).value)));
    if (vector.error === undefined) assertEquals(resolveVariable(vector.value, scope).tag, vector.tag);
  },
  mergeparameters: (vector) => {
    const merged = mergeParameters<ParameterFields>(...vector.lists);
    assertEquals(merged.length > 0 ? parametersJson(merged) : "null", vector.output);
  },
  joinspec: (vector) => {
    const joined = mergeSpecs(readTexts(vector.workflow), readTexts(vector.template), undefined) as unknown as Json;
    assertEquals(prune(JSON.parse(JSON.stringify(joined))), prune(JSON.parse(vector.output as string)));
  },
  globalparameter: globalParameters,
  datatransform: (vector) => {
    if (vector.marshalError === undefined) return checkOutcome(vector, () => transform(vector));
    try {
      transform(vector);
    } catch {
      return;
    }
    assert(false, "Expected no JSON");
  },
};
