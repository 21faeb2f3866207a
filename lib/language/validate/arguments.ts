/** Checks arguments: they must be valid, and supply all required inputs of a template. */
import type { Arguments, Artifact, Parameter, Template } from "@tiphys/model/api";
import { shortened } from "@tiphys/base/limits";
import { isAmong } from "@tiphys/model/api/chosen_list";
import { hasLocationOrKey } from "@tiphys/model/artifact/location";
import { checkArtifactStore } from "./artifact.ts";
import { checkNames } from "./names.ts";
import type { FieldLocation, Report } from "./report.ts";

/** Options for checking arguments. */
export interface ArgumentOptions {
  /** Whether a parameter may be without a value, because it is provided later. */
  readonly allowMissingValues: boolean;
}

/** Checks the arguments at a place; messages refer to each as `place.NAME`. */
export function checkArguments(
  report: Report,
  { parameters = [], artifacts = [] }: Arguments,
  fieldPath: FieldLocation,
  options: ArgumentOptions,
): void {
  checkNames(report, parameters, "parameter", fieldPath.part(`${fieldPath.name}.parameters`, "parameters"));
  checkNames(report, artifacts, "parameter", fieldPath.part(`${fieldPath.name}.artifacts`, "artifacts"));
  parameters.forEach((parameter, index) => {
    checkParameter(
      report,
      parameter,
      fieldPath.part(`${fieldPath.name}.${parameter.name}`, "parameters", index),
      options,
    );
  });
  artifacts.forEach((artifact, index) => {
    checkArtifact(report, artifact, fieldPath.part(`${fieldPath.name}.${artifact.name}`, "artifacts", index));
  });
}

function checkParameter(
  report: Report,
  parameter: Parameter,
  fieldPath: FieldLocation,
  options: ArgumentOptions,
): void {
  const { value, valueFrom } = parameter;
  if (value === undefined && valueFrom === undefined && !options.allowMissingValues) {
    report.add(fieldPath.pathTo(), `${fieldPath.name}.value or ${fieldPath.name}.valueFrom is required`);
  }
  if (valueFrom !== undefined) {
    const hasSource = valueFrom.configMapKeyRef || valueFrom.event || valueFrom.supplied;
    const hasOther = valueFrom.path || valueFrom.jsonPath || valueFrom.parameter || valueFrom.expression;
    if (!hasSource || hasOther) {
      const message = `${fieldPath.name}.valueFrom only allows: default, configMapKeyRef and supplied`;
      report.add(fieldPath.pathTo("valueFrom"), message);
    }
  }
  checkEnum(report, parameter, fieldPath, options);
}

function checkEnum(report: Report, parameter: Parameter, fieldPath: FieldLocation, options: ArgumentOptions): void {
  if (parameter.enum === undefined) return;
  if (parameter.enum.length === 0) {
    report.add(fieldPath.pathTo("enum"), `${fieldPath.name}.enum should contain at least one value`);
  } else if (parameter.value === undefined) {
    if (!options.allowMissingValues) report.add(fieldPath.pathTo(), `${fieldPath.name}.value is required`);
  } else if (!isAmong(parameter.enum, parameter.value)) {
    const problem = `${fieldPath.name}.value should be present in ${fieldPath.name}.enum list`;
    report.add(
      fieldPath.pathTo("value"),
      shortened(`${problem}: ${choiceText(report, parameter.enum, parameter.value)}`),
    );
  }
}

/** Maximum number of choices in a message. */
const MAX_NAMED_CHOICES = 20;

function choiceText(report: Report, choices: readonly string[], value: string): string {
  const named = choices.slice(0, MAX_NAMED_CHOICES).map((choice) => JSON.stringify(choice)).join(", ");
  const rest = choices.length - MAX_NAMED_CHOICES;
  const all = rest > 0 ? `${named} and ${rest} more` : named;
  return `expected one of ${all}, got ${JSON.stringify(value)}${report.hint(value, choices)}`;
}

function checkArtifact(report: Report, artifact: Artifact, fieldPath: FieldLocation): void {
  checkArtifactStore(report, artifact, fieldPath);
  if (!artifact.from && !hasLocationOrKey(artifact)) {
    report.add(fieldPath.pathTo(), `${fieldPath.name}.from, artifact location, or key is required`);
  } else if (artifact.from && artifact.fromExpression) {
    report.add(fieldPath.pathTo(), `${fieldPath.name} shouldn't have both \`from\` and \`fromExpression\` in Artifact`);
  }
}

/**
 * Checks that the arguments of a call supply all required inputs of a template. `args` is undefined for an unknown
 * caller.
 */
export function checkSuppliedInputs(
  report: Report,
  template: Template,
  args: Arguments | undefined,
  fieldPath: FieldLocation,
): void {
  if (args === undefined) return;
  const { parameters = [], artifacts = [] } = template.inputs ?? {};
  const who = `${fieldPath.name} templates.${template.name ?? ""}`.trim();
  for (const input of parameters) {
    const given = args.parameters?.find(({ name }) => name === input.name);
    if (isSupplied(input, given)) continue;
    report.add(fieldPath.pathTo(), `${who} inputs.parameters.${input.name} was not supplied`);
  }
  for (const input of artifacts) {
    if (input.optional || hasLocationOrKey(input)) continue;
    if (!args.artifacts?.some(({ name }) => name === input.name)) {
      report.add(fieldPath.pathTo(), `${who} inputs.artifacts.${input.name} was not supplied`);
    }
  }
}

/**
 * Whether an input has a value. An argument without a value removes the input's value and default; of other sources,
 * only a ConfigMap provides a value.
 */
function isSupplied(input: Parameter, argument: Parameter | undefined): boolean {
  const { value, valueFrom } = argument ?? { value: input.value ?? input.default, valueFrom: input.valueFrom };
  return value !== undefined || valueFrom?.configMapKeyRef !== undefined;
}
