/** Checks whole documents. */
import {
  type Arguments,
  type ClusterWorkflowTemplate,
  type CronWorkflow,
  type FieldError,
  isProblem,
  type ObjectMeta,
  type Parameter,
  type PathSegments,
  type Template,
  type Workflow,
  type WorkflowSpec,
  type WorkflowTemplate,
} from "@tiphys/model/api";
import { GoZone, ZoneError } from "@tiphys/base/go";
import { LIMITS } from "@tiphys/base/limits";
import { CronError } from "../template/cron/field.ts";
import { parseSchedule } from "../template/cron/schedule.ts";
import { LABEL } from "@tiphys/base/constants";
import { containsTag } from "../template/name_rules.ts";
import { placeholder } from "../template/scope.ts";
import { checkArguments } from "./arguments.ts";
import { checkCall, checkHandlers } from "./call.ts";
import type { Context, ResolvingDocument, TemplateLookup } from "./context.ts";
import { checkEndlessCalls } from "./endless_calls.ts";
import { checkExecutorPlugins } from "./executor_plugins.ts";
import { checkCronWhen, checkExpressions } from "./expressions/fields.ts";
import { labelSelectorProblem } from "./label_selector.ts";
import { checkNodes } from "./sizes.ts";
import { checkMetrics } from "./metrics.ts";
import { checkNames } from "./names.ts";
import { checkPodValues } from "./pod_values.ts";
import { checkSpecReferences } from "./producers.ts";
import { FieldLocation, Report } from "./report.ts";
import { checkRetries } from "./retries.ts";
import { Scope } from "./scope.ts";
import { checkPodResources, checkTemplate } from "./template.ts";

const MAX_NAME_LENGTH = 63;
/** Leaves room for the time that is appended to the name of each workflow. */
const MAX_CRON_NAME_LENGTH = 52;

/**
 * Returns the errors of a workflow, the most important first; empty if it may run. Without a lookup, references to
 * other documents are not followed. A workflow with a template reference may be passed as stored, or with its merged
 * spec. Pure, and does not throw on a parsed workflow.
 */
export function validateWorkflow(workflow: Workflow, lookup?: TemplateLookup): readonly FieldError[] {
  const report = new Report();
  checkWorkflow(report, workflow, lookup);
  return report.errors;
}

/** Checks a workflow; the functions below do the same for other kinds. */
export function checkWorkflow(report: Report, { metadata, spec, status }: Workflow, lookup?: TemplateLookup): void {
  const isMerged = status?.storedWorkflowTemplateSpec !== undefined && spec.templates !== undefined;
  checkName(report, "workflow", metadata, MAX_NAME_LENGTH);
  const isSubmittedLater = report.judgesExpressions && !report.isSubmission;
  const options = { metadata, lookup, path: ["spec"], isTemplate: false, isMerged, isSubmittedLater };
  checkSpec(report, withPlaceholdersForValues(spec), options);
}

/**
 * Returns the spec with placeholders for arguments of a WorkflowTemplate that look like tags: they are values and are
 * not substituted.
 */
function withPlaceholdersForValues(spec: WorkflowSpec): WorkflowSpec {
  const { parameters } = spec.arguments ?? {};
  if (!spec.workflowTemplateRef || !parameters?.some(({ value }) => value?.includes("{{"))) return spec;
  const held = parameters.map((parameter, index) =>
    parameter.value?.includes("{{")
      ? { ...parameter, value: placeholder(FIRST_ARGUMENT_PLACEHOLDER + index) }
      : parameter
  );
  return { ...spec, arguments: { ...spec.arguments, parameters: held } };
}

/** Placeholders from this number on are values of arguments; those of templates start at 0. */
const FIRST_ARGUMENT_PLACEHOLDER = 1_000_000;

/** Returns the errors of a WorkflowTemplate: as for a workflow, but values and the entrypoint are optional. */
export function validateWorkflowTemplate(template: WorkflowTemplate, lookup?: TemplateLookup): readonly FieldError[] {
  const report = new Report();
  checkWorkflowTemplate(report, template, lookup);
  return report.errors;
}

/** Checks a WorkflowTemplate. */
export function checkWorkflowTemplate(report: Report, template: WorkflowTemplate, lookup?: TemplateLookup): void {
  checkTemplateDocument(report, "workflow template", template, lookup);
}

/** Returns the errors of a ClusterWorkflowTemplate, as for a WorkflowTemplate. */
export function validateClusterWorkflowTemplate(
  template: ClusterWorkflowTemplate,
  lookup?: TemplateLookup,
): readonly FieldError[] {
  const report = new Report();
  checkClusterWorkflowTemplate(report, template, lookup);
  return report.errors;
}

/** Checks a ClusterWorkflowTemplate. */
export function checkClusterWorkflowTemplate(
  report: Report,
  template: ClusterWorkflowTemplate,
  lookup?: TemplateLookup,
): void {
  checkTemplateDocument(report, "cluster workflow template", template, lookup);
}

/** Returns the errors of a CronWorkflow and of the workflows that it creates. */
export function validateCronWorkflow(cronWorkflow: CronWorkflow, lookup?: TemplateLookup): readonly FieldError[] {
  const report = new Report();
  checkCronWorkflow(report, cronWorkflow, lookup);
  return report.errors;
}

/** Checks a CronWorkflow. */
export function checkCronWorkflow(report: Report, { metadata, spec }: CronWorkflow, lookup?: TemplateLookup): void {
  checkName(report, "cron workflow", metadata, MAX_CRON_NAME_LENGTH);
  if (spec.schedules.length === 0) {
    report.add(["spec", "schedules"], "cron workflow must have at least one schedule");
  }
  const most = LIMITS.schedules;
  if (spec.schedules.length > most) {
    const count = spec.schedules.length;
    report.add(["spec", "schedules"], `the cron workflow has ${count} schedules; the maximum is ${most}`);
  }
  spec.schedules.slice(0, most).forEach((schedule, index) => {
    const problem = scheduleProblem(schedule);
    const path = ["spec", "schedules", index] as const;
    if (problem === NEVER_FIRES) {
      // Argo accepts such a schedule, so only lint reports it.
      if (report.judgesExpressions) report.add(path, `cron schedule ${schedule} ${NEVER_FIRES}`);
    } else if (problem !== undefined) report.add(path, `cron schedule ${schedule} is malformed: ${problem}`);
  });
  const zoneProblem = timeZoneProblem(spec.timezone ?? "");
  if (zoneProblem !== undefined) {
    report.add(["spec", "timezone"], `invalid timezone ${JSON.stringify(spec.timezone)}: ${zoneProblem}`);
  }
  if ((spec.startingDeadlineSeconds ?? 0) < 0) {
    report.add(["spec", "startingDeadlineSeconds"], "startingDeadlineSeconds must be positive");
  }
  const child = { ...spec.workflowMetadata };
  checkSpec(report, spec.workflowSpec, {
    metadata: child,
    lookup,
    path: ["spec", "workflowSpec"],
    isTemplate: false,
    isMerged: false,
  });
  const { when, stopStrategy } = spec;
  checkExpressions(report, { stopStrategy }, new Scope(), new FieldLocation(["spec"], ""));
  checkCronWhen(report, when ?? "", new FieldLocation(["spec"], ""));
}

function checkTemplateDocument(
  report: Report,
  words: string,
  { metadata, spec }: WorkflowTemplate,
  lookup: TemplateLookup | undefined,
): void {
  checkName(report, words, metadata, MAX_NAME_LENGTH);
  checkSpec(report, spec, { metadata, lookup, path: ["spec"], isTemplate: true, isMerged: false });
}

function checkName(report: Report, description: string, { name = "" }: ObjectMeta, max: number): void {
  if (name.length <= max) return;
  const rule = `must not be more than ${max} characters long (currently ${name.length})`;
  report.add(["metadata", "name"], `${description} name ${JSON.stringify(name)} ${rule}`);
}

interface SpecOptions {
  readonly metadata: ObjectMeta;
  readonly lookup?: TemplateLookup;
  readonly path: PathSegments;
  /** Whether a workflow that uses this may provide values later. */
  readonly isTemplate: boolean;
  /** Whether the referenced template is merged. */
  readonly isMerged: boolean;
  /** Whether values may be provided on submission. */
  readonly isSubmittedLater?: boolean;
}

/** Returns the error of a spec, before merging, that has both a template reference and templates. */
export function templatesBesideReference({ workflowTemplateRef, templates }: WorkflowSpec): string | undefined {
  if (!workflowTemplateRef || !templates?.length) return undefined;
  return "Templates is invalid field in spec if workflow referred WorkflowTemplate reference";
}

function checkSpec(report: Report, spec: WorkflowSpec, options: SpecOptions): void {
  const { lookup, path, isTemplate, isSubmittedLater = false } = options;
  const place = new FieldLocation(path, "");
  const referred = options.isMerged ? undefined : spec.workflowTemplateRef;
  const beside = referred && templatesBesideReference(spec);
  if (beside) report.add(place.pathTo("templates"), beside);
  const home = referred ? referencedHome(report, referred, lookup, place) : { spec, path };
  checkNames(report, spec.templates ?? [], "template", place.part("spec.templates", "templates"));
  const args = mergedArguments(spec, referred ? home?.spec : undefined);
  const arguments_ = place.part("spec.arguments", "arguments");
  // Values may come from the workflow's template, which is not always available.
  checkArguments(report, args, arguments_, {
    allowMissingValues: isTemplate || isSubmittedLater || home === undefined,
  });
  checkPodValues(report, spec, place);
  checkRetries(report, spec.retryStrategy, place);
  checkPodResources(report, spec.podResources, place.part("spec.podResources", "podResources"));
  // Argo only fails to emit such metrics at run time and continues, so lint reports this without rejecting the
  // workflow.
  if (report.judgesExpressions) checkMetrics(report, spec.metrics, place);
  const selectorProblem = spec.podGC?.labelSelector && labelSelectorProblem(spec.podGC.labelSelector);
  if (selectorProblem !== undefined) {
    report.add(place.pathTo("podGC", "labelSelector"), `podGC.labelSelector invalid: ${selectorProblem}`);
  }
  checkExecutorPlugins(report, spec.executorPlugins ?? [], place);

  const entrypoint = spec.entrypoint || home?.spec.entrypoint;
  if (!entrypoint && !isTemplate && home !== undefined) report.add(place.pathTo(), "spec.entrypoint is required");
  if (home === undefined) return;
  const context = {
    report,
    lookup,
    globals: globalNames(spec, home, args, options),
    values: knownValues(args),
    checked: new Set<never>(),
    open: new Set<never>(),
  };
  checkTemplates(context, home, { spec, args, entrypoint, place, isTemplate });
  // The other fields are substituted for each pod, with names that are not known here.
  const { arguments: own, hooks, metrics, workflowMetadata } = spec;
  checkExpressions(report, { arguments: own, hooks, metrics, workflowMetadata }, context.globals, place);
  checkSpecReferences(report, spec, place);
  checkEndlessCalls(report, spec, place);
  checkNodes(report, home.spec, entrypoint, place);
}

interface EntryPoint {
  readonly spec: WorkflowSpec;
  readonly args: Arguments;
  readonly entrypoint?: string;
  readonly place: FieldLocation;
  readonly isTemplate: boolean;
}

/** Checks the templates in the order of a run, then those that are not reachable. */
function checkTemplates(
  context: Context,
  home: ResolvingDocument,
  { spec, args, entrypoint, place, isTemplate }: EntryPoint,
): void {
  const given = isTemplate ? undefined : args;
  const options = { checkBody: checkTemplate, args: given, supplied: given };
  if (entrypoint) checkCall(context, home, { template: entrypoint }, place, { ...options, field: "entrypoint" });
  const onExit = spec.onExit || home.spec.onExit;
  if (onExit || spec.hooks || home.spec.hooks) context.globals.add("workflow.failures");
  if (onExit) {
    if (home.spec.templates?.some(hasDynamicArtifact)) context.globals.allow("workflow.outputs.artifacts.");
    checkCall(context, home, { template: onExit }, place, { ...options, field: "onExit" });
  }
  checkHandlers(context, home, { hooks: spec.hooks }, place.part("hooks"));
  for (const template of home.spec.templates ?? []) {
    if (template.name) checkCall(context, home, { template: template.name }, place, { checkBody: checkTemplate });
  }
}

/** Whether a template exports an artifact under a name that is only known at run time. */
function hasDynamicArtifact({ outputs }: Template): boolean {
  return outputs?.artifacts?.some(({ globalName }) => globalName !== undefined && containsTag(globalName)) ?? false;
}

function knownValues({ parameters = [] }: Arguments): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name, value } of parameters) if (value !== undefined) values.set(`workflow.parameters.${name}`, value);
  return values;
}

function referencedHome(
  report: Report,
  { name = "", clusterScope }: NonNullable<WorkflowSpec["workflowTemplateRef"]>,
  lookup: TemplateLookup | undefined,
  fieldPath: FieldLocation,
): ResolvingDocument | undefined {
  if (lookup === undefined) return undefined;
  const found = clusterScope ? lookup.clusterWorkflowTemplate(name) : lookup.workflowTemplate(name);
  if (found === undefined) {
    if (lookup.allowMissing) return undefined;
    const kind = clusterScope ? "clusterworkflowtemplates" : "workflowtemplates";
    report.add(fieldPath.pathTo("workflowTemplateRef"), `${kind}.argoproj.io ${JSON.stringify(name)} not found`);
    return undefined;
  }
  if (isProblem(found)) {
    report.add(fieldPath.pathTo("workflowTemplateRef"), found.message);
    return undefined;
  }
  return { spec: found.spec };
}

/**
 * Returns a workflow's own arguments, and those of its template that it does not set. A value must be in the `enum` of
 * the template.
 */
function mergedArguments({ arguments: own = {} }: WorkflowSpec, template: WorkflowSpec | undefined): Arguments {
  const join = <Named extends { name: string; value?: string; enum?: Parameter["enum"] }>(
    ours: Named[] = [],
    theirs: Named[] = [],
  ) => [
    ...ours.map((named) => {
      const other = theirs.find(({ name }) => name === named.name);
      if (!("valueFrom" in named) && named.value === undefined) return { ...other, ...named };
      return other?.enum && named.value !== undefined ? { ...named, enum: named.enum ?? other.enum } : named;
    }),
    ...theirs.filter(({ name }) => !ours.some((named) => named.name === name)),
  ];
  return {
    parameters: join(own.parameters, template?.arguments?.parameters),
    artifacts: join(own.artifacts, template?.arguments?.artifacts),
  };
}

/** Returns the names that all templates may use. */
function globalNames(
  spec: WorkflowSpec,
  home: ResolvingDocument,
  args: Arguments,
  { metadata, isTemplate }: SpecOptions,
): Scope {
  const scope = new Scope();
  scope.add(
    ...["name", "namespace", "mainEntrypoint", "serviceAccountName", "uid", "status"].map((field) =>
      `workflow.${field}`
    ),
  );
  const parameters = args.parameters ?? [];
  if (parameters.length > 0) scope.add("workflow.parameters", "workflow.parameters.json");
  for (const { name } of parameters) scope.add(`workflow.parameters.${name}`);
  if (isTemplate) scope.allow("workflow.parameters");
  for (const kind of ["labels", "annotations"] as const) {
    scope.add(`workflow.${kind}`, `workflow.${kind}.json`);
    const { workflowMetadata: own } = spec;
    const { workflowMetadata: template } = home.spec;
    for (const source of [metadata[kind], own?.[kind], template?.[kind]]) {
      scope.add(...Object.keys(source ?? {}).map((key) => `workflow.${kind}.${key}`));
    }
    if (kind === "labels") {
      // The controller labels a workflow with its template's name.
      if (isTemplate || spec.workflowTemplateRef) {
        scope.add(
          ...[LABEL.workflowTemplate, LABEL.clusterWorkflowTemplate].map((label) => `workflow.labels.${label}`),
        );
      }
      const computed = { ...own?.labelsFrom, ...template?.labelsFrom };
      scope.add(...Object.keys(computed).map((key) => `workflow.labels.${key}`));
    }
  }
  if (spec.priority !== undefined) scope.add("workflow.priority");
  return scope;
}

const NEVER_FIRES = "never fires: no month that it allows has such a day";

function scheduleProblem(schedule: string): string | undefined {
  try {
    return parseSchedule(schedule).neverFires ? NEVER_FIRES : undefined;
  } catch (error) {
    if (error instanceof CronError) return error.place?.hint ? `${error.reason}; ${error.place.hint}` : error.reason;
    throw error;
  }
}

function timeZoneProblem(name: string): string | undefined {
  try {
    GoZone.load(name);
    return undefined;
  } catch (error) {
    if (error instanceof ZoneError) return error.message;
    throw error;
  }
}
