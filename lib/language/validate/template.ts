/** Checks a template: rules for all types, then the body. */
import type { Inputs, Outputs, ResourceRequirements, Template } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { containsTag, parameterNameErrors } from "../template/name_rules.ts";
import { isLeafType, isPodType, isRunBy, type TemplateType, templateTypes, typeTitle } from "@tiphys/model/templates";
import { checkArtifactPath, checkArtifactStore, checkOutputStore } from "./artifact.ts";
import { type Callee, unknownTypeMessage } from "./call.ts";
import type { Context, ResolvingDocument } from "./context.ts";
import { checkDAG } from "./dag.ts";
import { checkDurations } from "./durations.ts";
import { checkExpressions } from "./expressions/fields.ts";
import { filledTemplate } from "./filled_template.ts";
import { checkLeaf } from "./leaf.ts";
import { checkMetrics } from "./metrics.ts";
import { checkNames } from "./names.ts";
import { checkOutputParameter } from "./output_parameter.ts";
import { checkInputReferences, checkTemplateReferences } from "./producers.ts";
import { FieldLocation, type Report } from "./report.ts";
import { checkRetries } from "./retries.ts";
import { Scope } from "./scope.ts";
import { checkPodSize } from "./sizes.ts";
import { checkSteps } from "./steps.ts";
import { checkTags } from "./tags.ts";

const TYPE_CHOICES =
  "choose one of: container, containerSet, steps, script, resource, dag, suspend, template, template ref";

/** Checks the body of a template, once per template. */
export function checkTemplate(context: Context, callee: Callee): void {
  const { template, place } = callee;
  const { report } = context;
  if (context.checked.has(template)) return;
  if (context.open.size >= LIMITS.calls) return warnAboutDepth(report, place);
  context.checked.add(template);
  context.open.add(template);
  checkTypeAndBody(context, callee);
  context.open.delete(template);
}

/**
 * Warns in lint that calls are nested too deeply. The called template is not checked as part of this call; a template
 * of the same document is checked by itself.
 */
function warnAboutDepth(report: Report, fieldPath: FieldLocation): void {
  if (!report.judgesExpressions) return;
  const message = `templates call each other more than ${LIMITS.calls} deep here: a run ends before that`;
  report.addFinding(fieldPath.pathTo(), { offset: 0, severity: "warning", message });
}

function checkTypeAndBody(context: Context, callee: Callee): void {
  const { template, place } = callee;
  const { report } = context;
  const [type, ...more] = templateTypes(template);
  if (type === undefined) return report.add(place.pathTo(), `${place.name} ${unknownTypeMessage(template)}`);
  if (more.length > 0) {
    return report.add(place.pathTo(), `${place.name} multiple template types specified. ${TYPE_CHOICES}`);
  }

  const { filled, problem } = filledTemplate(callee, type, context);
  if (problem !== undefined) report.add(place.pathTo(), `${place.name} ${problem}`);
  checkSettings(report, filled, type, place);
  const scope = new Scope(context.globals);
  if (callee.outer) scope.addNamesAround(callee.outer.scope);
  checkInputs(report, template.inputs ?? {}, type, place);
  addOwnNames(scope, template, type);
  checkBody(context, callee, { filled, type, scope });
  checkOutputs(report, filled.outputs ?? {}, type, scope, place);
  checkExpressions(report, template.outputs, scope, place, "outputs");
  if (filled.archiveLocation) {
    const location = place.part(`${place.name}.archiveLocation`, "archiveLocation");
    checkArtifactStore(report, filled.archiveLocation, location);
    checkOutputStore(report, filled.archiveLocation, location);
  }
  checkMetrics(report, filled.metrics, place);
  if (isPodType(type)) checkPodSize(report, template, place);
  // Tags of steps and tasks are checked step by step; other fields of such templates are not substituted.
  const { steps: _steps, dag: _dag, outputs: _outputs, ...rest } = template;
  if (isRunBy(type, "calls")) {
    checkExpressions(report, rest, scope, place);
    // An inline template is also substituted with the names around it.
    if (!callee.outer) checkTemplateReferences(report, template, place);
  } else if (!callee.outer) checkInputReferences(report, template, place);
}

interface Body {
  /** The template with substituted tags; expressions are checked in the original. */
  readonly filled: Template;
  readonly type: TemplateType;
  readonly scope: Scope;
}

function checkBody(context: Context, callee: Callee, { filled, type, scope }: Body): void {
  const { template, home, place } = callee;
  const caller = { context, home, place, scope, checkBody: checkTemplate };
  if (filled.steps) checkSteps(filled.steps, template.steps ?? [], caller);
  else if (filled.dag) checkDAG(filled.dag, template.dag!, caller);
  else {
    checkLeaf(context.report, filled, { type, home, place, scope });
    if (!callee.outer) checkPodMetadata(context.report, home, scope, place);
    const { outputs: _, ...body } = withoutReplacedValues(callee);
    checkExpressions(context.report, body, scope, place);
  }
}

/** Checks the tags in the workflow's `podMetadata`, which is substituted for each pod like the template's own. */
function checkPodMetadata(report: Report, home: ResolvingDocument, scope: Scope, fieldPath: FieldLocation): void {
  const words = `${fieldPath.name}:`;
  const place = home.path === undefined
    ? fieldPath.elsewhere(words)
    : new FieldLocation([...home.path, "podMetadata"], words);
  checkTags(report, home.spec.podMetadata, scope, place);
  checkExpressions(report, home.spec.podMetadata, scope, place);
}

/** Returns the template without the input values that its caller replaces, whose tags are never evaluated. */
function withoutReplacedValues({ template, args }: Callee): Template {
  const { inputs } = template;
  if (inputs?.parameters === undefined) return template;
  const parameters = inputs.parameters.map((input) => {
    const isReplaced = args === undefined || args.parameters?.some(({ name }) => name === input.name);
    return isReplaced ? { ...input, value: undefined } : input;
  });
  return { ...template, inputs: { ...inputs, parameters } };
}

/**
 * Returns the prefix of messages that identifies the caller of a template, with a trailing space; empty without a
 * caller.
 */
function callerPrefix({ name = "" }: Template, { name: words }: FieldLocation): string {
  const own = `templates.${name}`;
  return words.endsWith(` ${own}`) ? words.slice(0, -own.length) : "";
}

/** Checks settings that only some types support. */
function checkSettings(report: Report, template: Template, type: TemplateType, fieldPath: FieldLocation): void {
  const { podResources, resourceClaims, timeout, pendingTimeout, initContainers } = template;
  const caller = callerPrefix(template, fieldPath);
  checkRetries(report, template.retryStrategy, fieldPath);
  checkDurations(report, template, fieldPath);
  if (podResources) {
    const resources = fieldPath.part(`${fieldPath.name}.podResources`, "podResources");
    if (isRunBy(type, "agent")) {
      report.add(resources.pathTo(), `${resources.name} is not supported for ${typeTitle(type)} templates`);
    } else checkPodResources(report, podResources, resources);
  }
  if (resourceClaims?.length && !isPodType(type)) {
    const message = `${fieldPath.name}.resourceClaims is not supported for ${
      typeTitle(type)
    } templates, which do not create a pod`;
    report.add(fieldPath.pathTo("resourceClaims"), message);
  }
  initContainers?.forEach((container, index) => {
    if (container.name === "") {
      report.add(
        fieldPath.pathTo("initContainers", index, "name"),
        `${caller}initContainers must all have container name`,
      );
    }
  });
  if (timeout) {
    if (!isLeafType(type)) {
      report.add(fieldPath.pathTo("timeout"), `${caller}${typeTitle(type)} template doesn't support timeout field`);
    } else if (/^[-+]?\d+$/.test(timeout)) {
      report.add(fieldPath.pathTo("timeout"), `${caller}${template.name} has invalid duration format in timeout`);
    }
  }
  if (pendingTimeout && !isLeafType(type)) {
    report.add(
      fieldPath.pathTo("pendingTimeout"),
      `${caller}${typeTitle(type)} template doesn't support pendingTimeout field`,
    );
  }
  if (template.activeDeadlineSeconds !== undefined && isRunBy(type, "calls")) {
    report.add(
      fieldPath.pathTo("activeDeadlineSeconds"),
      `${fieldPath.name}.activeDeadlineSeconds is only valid for leaf templates`,
    );
  }
}

/** Checks that pod-level resources are cpu, memory or huge pages, as in Kubernetes. */
export function checkPodResources(
  report: Report,
  resources: ResourceRequirements | undefined,
  fieldPath: FieldLocation,
): void {
  if (resources?.claims?.length) {
    report.add(fieldPath.pathTo("claims"), `${fieldPath.name}.claims is not supported for pod-level resources`);
  }
  for (const field of ["limits", "requests"] as const) {
    for (const name of Object.keys(resources?.[field] ?? {})) {
      if (name === "cpu" || name === "memory" || name.startsWith("hugepages-")) continue;
      const message = `${fieldPath.name}: ${JSON.stringify(name)} is not a valid pod-level resource, ` +
        "only cpu, memory and hugepages-* are supported";
      report.add(fieldPath.pathTo(field, name), message);
    }
  }
}

function checkInputs(report: Report, inputs: Inputs, type: TemplateType, fieldPath: FieldLocation): void {
  const name = `${fieldPath.name}.inputs`;
  checkNames(
    report,
    inputs.parameters ?? [],
    "parameter",
    fieldPath.part(`${name}.parameters`, "inputs", "parameters"),
  );
  checkNames(report, inputs.artifacts ?? [], "parameter", fieldPath.part(`${name}.artifacts`, "inputs", "artifacts"));
  inputs.artifacts?.forEach((artifact, index) => {
    const place = fieldPath.part(`${name}.artifacts.${artifact.name}`, "inputs", "artifacts", index);
    checkArtifactPath(report, artifact, isLeafType(type), place);
    if (artifact.from) report.add(place.pathTo("from"), `${place.name}.from not valid in inputs`);
    checkArtifactStore(report, artifact, place);
  });
}

/** Adds the names that only the template itself may use. */
function addOwnNames(scope: Scope, { inputs, outputs }: Template, type: TemplateType): void {
  const { parameters = [], artifacts = [] } = inputs ?? {};
  if (parameters.length > 0) scope.add("inputs.parameters");
  for (const { name } of parameters) scope.add(`inputs.parameters.${name}`);
  for (const { name } of artifacts) {
    scope.add(`inputs.artifacts.${name}`);
    if (isLeafType(type)) scope.add(`inputs.artifacts.${name}.path`);
  }
  if (isPodType(type)) scope.add("pod.name");
  if (!isLeafType(type)) return;
  for (const { name, path } of outputs?.artifacts ?? []) if (path) scope.add(`outputs.artifacts.${name}.path`);
  for (const { name, valueFrom } of outputs?.parameters ?? []) {
    if (valueFrom?.path) scope.add(`outputs.parameters.${name}.path`);
  }
}

function checkOutputs(
  report: Report,
  outputs: Outputs,
  type: TemplateType,
  scope: Scope,
  fieldPath: FieldLocation,
): void {
  const name = `${fieldPath.name}.outputs`;
  checkNames(
    report,
    outputs.parameters ?? [],
    "parameter",
    fieldPath.part(`${name}.parameters`, "outputs", "parameters"),
  );
  checkNames(report, outputs.artifacts ?? [], "parameter", fieldPath.part(`${name}.artifacts`, "outputs", "artifacts"));
  checkTags(report, outputs, scope, fieldPath.part(name, "outputs"));
  outputs.artifacts?.forEach((artifact, index) => {
    const place = fieldPath.part(`${name}.artifacts.${artifact.name}`, "outputs", "artifacts", index);
    checkArtifactPath(report, artifact, isLeafType(type), place);
    checkArtifactStore(report, artifact, place);
    checkOutputStore(report, artifact, place);
    checkGlobalName(report, artifact.globalName, place);
  });
  outputs.parameters?.forEach((parameter, index) => {
    const place = fieldPath.part(`${name}.parameters.${parameter.name}`, "outputs", "parameters", index);
    checkOutputParameter(report, parameter, type, place);
    checkGlobalName(report, parameter.globalName, place);
  });
}

function checkGlobalName(report: Report, globalName: string | undefined, fieldPath: FieldLocation): void {
  if (!globalName || containsTag(globalName)) return;
  const [error] = parameterNameErrors(globalName);
  if (error !== undefined) report.add(fieldPath.pathTo("globalName"), `${fieldPath.name}.globalName: ${error}`);
}
