/** The variables that a tag at the caret may use: those of every run, and those that the manifest declares. Pure. */
import { ITEM, type OutlineKey, type Step } from "./outline.ts";

/** Variables of every run. */
const OF_RUNS: readonly string[] = [
  "workflow.name",
  "workflow.namespace",
  "workflow.uid",
  "workflow.mainEntrypoint",
  "workflow.serviceAccountName",
  "workflow.creationTimestamp",
  "workflow.creationTimestamp.RFC3339",
  "workflow.parameters",
  "workflow.duration",
  "workflow.priority",
  "workflow.labels",
  "workflow.annotations",
];
/** Variables of a finished run, for its exit handler. */
const AT_THE_END: readonly string[] = ["workflow.status", "workflow.failures"];

/** Returns the variables at a path, closest scope first. */
export function variablesAt(keys: readonly OutlineKey[], caretPath: readonly Step[]): string[] {
  const found = new Set<string>();
  const offset = caretPath.findIndex(({ name }, index) => name === "templates" && caretPath[index + 1]?.name === ITEM);
  const template = offset < 0 ? undefined : caretPath[offset + 1];
  if (template) addTemplateVariables(found, keys, template);
  for (const name of namesInList(keys, ["arguments", "parameters"], undefined)) {
    found.add(`workflow.parameters.${name}`);
  }
  for (const variable of [...OF_RUNS, ...AT_THE_END]) found.add(variable);
  return [...found];
}

function addTemplateVariables(variables: Set<string>, keys: readonly OutlineKey[], template: Step): void {
  const own = keys.filter(({ path }) => path.includes(template));
  for (const name of namesInList(own, ["inputs", "parameters"], template)) variables.add(`inputs.parameters.${name}`);
  for (const name of namesInList(own, ["inputs", "artifacts"], template)) {
    variables.add(`inputs.artifacts.${name}.path`);
  }
  for (const name of namesInList(own, ["outputs", "parameters"], template)) {
    variables.add(`outputs.parameters.${name}.path`);
  }
  for (const name of namesInList(own, ["outputs", "artifacts"], template)) {
    variables.add(`outputs.artifacts.${name}.path`);
  }
  for (const list of ["tasks", "steps"]) {
    for (const { name, value, path } of own) {
      const around = path.slice(path.indexOf(template)).map((step) => step.name);
      const isOne = around.at(-2) === ITEM &&
        (around.at(-3) === list || around.at(-3) === ITEM && around.at(-4) === list);
      if (name !== "name" || value === "" || !isOne) continue;
      variables.add(`${list}.${value}.outputs.result`);
      variables.add(`${list}.${value}.status`);
      const item = path.at(-2);
      const called = own.find((key) => key.name === "template" && key.path.at(-2) === item)?.value;
      for (const output of outputsOf(keys, called)) variables.add(`${list}.${value}.outputs.parameters.${output}`);
    }
  }
  if (own.some(({ name }) => /^with(Items|Param|Sequence)$/.test(name))) variables.add("item");
  if (own.some(({ name }) => name === "retryStrategy")) variables.add("retries");
  for (const name of ["pod.name", "node.name"]) variables.add(name);
}

/** Returns the output parameters of a template in the manifest. */
function outputsOf(keys: readonly OutlineKey[], template: string | undefined): string[] {
  if (template === undefined || template === "") return [];
  const named = keys.find(({ name, value, path }) =>
    name === "name" && value === template && path.at(-3)?.name === "templates"
  );
  const item = named?.path.at(-2);
  return item ? namesInList(keys.filter(({ path }) => path.includes(item)), ["outputs", "parameters"], item) : [];
}

/** Returns the names in a list directly below a step, or below the spec of the workflow without a step. */
function namesInList(keys: readonly OutlineKey[], [outer, list]: readonly [string, string], step: Step | undefined) {
  return keys.flatMap(({ name, value, path }) => {
    if (name !== "name" || value === "" || path.at(-2)?.name !== ITEM) return [];
    if (path.at(-3)?.name !== list || path.at(-4)?.name !== outer) return [];
    const above = path.at(-5);
    return step ? above === step ? [value] : [] : /^(spec|workflowSpec)$/.test(above?.name ?? "") ? [value] : [];
  });
}
