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
function scopeWithSkipped(v: Vector): Map<string, Value> {
  const scope = scopeOf(v.scope);
  for (const name of v.skipped ?? []) scope.set(name, null);
  return scope;
}

function texts(fields: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(fields));
}

function compareTemplates(v: Vector, ask: () => unknown): void {
  checkOutcome(
    v,
    () => prune(ask() as Json),
    v.output === undefined ? undefined : prune(JSON.parse(v.output as string)),
  );
}

function retry(v: Vector): void {
  const scope = retryScope(v.node, new Map(Object.entries<AttemptNode>(v.nodes)));
  assertEquals(Object.fromEntries(scope), v.scope);
  if (v.expression !== undefined) checkOutcome(v, () => evaluateCondition(v.expression, scope));
}

function globalParameters(v: Vector): void {
  let list: readonly ParameterFields[] = v.outputs?.parameters ?? [];
  const updated = v.add.map((parameter: ParameterFields) => {
    const next = withGlobalParameter(list, parameter);
    const changed = next !== list;
    list = next;
    return changed;
  });
  assertEquals(updated, v.updated);
  const isThere = v.outputs !== null || v.add.some(({ globalName }: ParameterFields) => globalName);
  const nothing = isThere ? "{}" : "null";
  assertEquals(list.length > 0 ? `{"parameters":${parametersJson(list)}}` : nothing, v.output);
}

function outputs(v: Vector): string {
  const declared = readTexts(v.template.outputs);
  if (!declared?.parameters?.length) return "null";
  return `{"parameters":${parametersJson(outputParameters(declared.parameters, scopeWithSkipped(v)))}}`;
}

function metadata(v: Vector): { labels: Fields; annotations: Fields } {
  const workflow = readTexts(v.workflow);
  const { labels, annotations } = workflowMetadata(workflow.spec.workflowMetadata ?? {}, workflowGlobals(workflow));
  const own = workflow.metadata;
  return { labels: { ...own.labels, ...labels }, annotations: { ...own.annotations, ...annotations } };
}

function transform(v: Vector): string {
  return marshalJson(transformData(v.data, [{ expression: v.expression }]));
}

export const SCOPES: Record<string, Check> = {
  aggregate: (v) => {
    const child: string =
      v.nodes.map(({ name }: { name: string }) => name).find((name: string) => name.includes("(")) ?? "(";
    const loopName = child.slice(0, child.lastIndexOf("("));
    checkOutcome(v, () => Object.fromEntries(aggregate(`${v.prefix}.${v.name}`, loopName, readTexts(v.nodes))));
  },
  globals: (v) => checkOutcome(v, () => Object.fromEntries(workflowGlobals(readTexts(v.workflow)))),
  labelsfrom: (v) => checkOutcome(v, () => metadata(v), { labels: v.labels, annotations: v.annotations }),
  nodescope: (v) => {
    const { values, artifacts } = nodeScope(
      `${v.prefix}.${v.name}`,
      readTexts(v.node),
      new Map(Object.entries<AttemptNode>(readTexts(v.nodes))),
    );
    const all: Fields = Object.fromEntries(values);
    for (const name of artifacts.keys()) all[name] = "(artifact)";
    assertEquals(all, v.output);
  },
  retryscope: retry,
  outputs: (v) => checkOutcome(v, () => outputs(v)),
  absentarg: (v) => assertEquals(absentArgument(v.value, scopeWithSkipped(v) as Map<string, string | null>), v.output),
  resultref: (v) => assertEquals(usesResultOf(v.name, v.template), v.output),
  processargs: (v) =>
    compareTemplates(v, () =>
      processArguments(readTexts(v.template), readTexts(v.arguments), {
        globals: texts(v.globals),
        locals: texts(v.locals),
      })),
  substituteparams: (v) =>
    compareTemplates(v, () => substituteParameters(readTexts(v.template), texts(v.globals), texts(v.locals))),
  resolvevar: (v) => {
    const scope = scopeOf(v.params);
    checkOutcome(v, () => JSON.parse(marshalJson(resolveVariable(v.value, scope).value)));
    if (v.error === undefined) assertEquals(resolveVariable(v.value, scope).tag, v.tag);
  },
  mergeparameters: (v) => {
    const merged = mergeParameters<ParameterFields>(...v.lists);
    assertEquals(merged.length > 0 ? parametersJson(merged) : "null", v.output);
  },
  joinspec: (v) => {
    const joined = mergeSpecs(readTexts(v.workflow), readTexts(v.template), undefined) as unknown as Json;
    assertEquals(prune(JSON.parse(JSON.stringify(joined))), prune(JSON.parse(v.output as string)));
  },
  globalparameter: globalParameters,
  datatransform: (v) => {
    if (v.marshalError === undefined) return checkOutcome(v, () => transform(v));
    try {
      transform(v);
    } catch {
      return;
    }
    assert(false, "Expected no JSON");
  },
};
