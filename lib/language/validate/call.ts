/** Checks a call of a template by another one: by name, by reference, or inline. */
import { type Arguments, isProblem, type LifecycleHooks, type Template, type TemplateRef } from "@tiphys/model/api";
import { checkWholeTime } from "../template/expr/meter.ts";
import { containsPlaceholder } from "../template/scope.ts";
import { templateTypes } from "@tiphys/model/templates";
import { checkSuppliedInputs } from "./arguments.ts";
import type { Context, ResolvingDocument } from "./context.ts";
import { FieldLocation, type Report } from "./report.ts";
import type { Scope } from "./scope.ts";

/** The fields of a step, task or hook that refer to or contain the called template. */
export interface Call {
  readonly template?: string;
  readonly templateRef?: TemplateRef;
  readonly inline?: Template;
}

/** The template that contains an inline one. */
export interface OuterTemplate {
  /** Its names. Expressions of the inline template may use them, tags may not. */
  readonly scope: Scope;
  /** The inline template after the tags of the outer template were substituted. */
  readonly filled: Template | undefined;
}

/** The template of a call. */
export interface Callee {
  readonly template: Template;
  /** The document that resolves names in the template. */
  readonly home: ResolvingDocument;
  readonly place: FieldLocation;
  /** The template that contains an inline template. */
  readonly outer?: OuterTemplate;
  /** The arguments of the caller; undefined for an unknown caller, which may pass anything. */
  readonly args?: Arguments;
  /** The arguments that a run certainly passes: those of the workflow, if this is its entrypoint or exit handler. */
  readonly runArguments?: Arguments;
}

/** Checks the body of a called template; passed in, because bodies contain calls. */
export type CheckBody = (context: Context, callee: Callee) => void;

/** Options for checking a call. */
export interface CallOptions {
  /** The arguments of the caller; undefined if unknown. */
  readonly args?: Arguments;
  readonly supplied?: Arguments;
  readonly outer?: OuterTemplate;
  /** The field with the template's name. Default: `template`. */
  readonly field?: string;
  /** The name before substitution of its tags. */
  readonly written?: string;
  readonly checkBody: CheckBody;
}

/**
 * Resolves a call, reports an error if the template does not exist, checks its body, and checks that the arguments
 * supply its inputs. Undefined if it does not exist, or is only known at run time.
 */
export function checkCall(
  context: Context,
  home: ResolvingDocument,
  call: Call,
  fieldPath: FieldLocation,
  options: CallOptions,
): Template | undefined {
  checkWholeTime();
  const callee = resolveCall(context, home, call, fieldPath, options);
  if (callee === undefined) return undefined;
  const { args, supplied, outer } = options;
  if (!call.inline && templateTypes(callee.template).length === 0) {
    context.checked.add(callee.template);
    // An uncalled template is identified by its name, any other by the call.
    const isUncalled = !fieldPath.name && options.field === undefined;
    const shownName = isUncalled ? callee.place.name : fieldPath.name;
    context.report.add(callee.place.pathTo(), `${shownName} ${unknownTypeMessage(callee.template)}`.trim());
    return undefined;
  }
  options.checkBody(
    context,
    call.inline ? { ...callee, args, outer } : { ...callee, args, runArguments: supplied },
  );
  checkSuppliedInputs(context.report, callee.template, args, fieldPath);
  return callee.template;
}

/** Returns the error message for a template without a type. */
export function unknownTypeMessage({ name = "" }: Template): string {
  return `template '${name}' type is unknown`;
}

/** The hooks and the exit handler, which call templates during or after steps and tasks. */
export interface Handlers {
  readonly hooks?: LifecycleHooks;
  readonly onExit?: string;
}

/**
 * Checks the hooks and the exit handler of a step or task, or the hooks of a workflow. They are resolved when they run:
 * lint reports missing templates, but, as in Argo, the workflow is not rejected.
 */
export function checkHandlers(
  { report }: Context,
  home: ResolvingDocument,
  { hooks, onExit }: Handlers,
  fieldPath: FieldLocation,
): void {
  const find = (template: string | undefined, place: FieldLocation, field: string) => {
    if (
      !template || template.includes("{{") || containsPlaceholder(template) || templateByName(home, template, place)
    ) {
      return;
    }
    const message = undefinedTemplateMessage(report, home, template, place);
    if (report.judgesExpressions) report.addFinding(place.pathTo(field), { offset: 0, severity: "error", message });
  };
  find(onExit, fieldPath, "onExit");
  for (const [name, hook] of Object.entries(hooks ?? {})) {
    const place = fieldPath.part(`${fieldPath.name}.${name}`, "hooks", name);
    if (name !== "exit" && !hook.expression) report.add(place.pathTo(), `${place.name} Expression required`);
    find(hook.template, place, "template");
  }
}

function resolveCall(
  context: Context,
  home: ResolvingDocument,
  call: Call,
  fieldPath: FieldLocation,
  { field = "template", written }: CallOptions,
): Callee | undefined {
  const { inline, templateRef, template: name } = call;
  if (inline) {
    warnAboutInline(context.report, call, fieldPath);
    const inlinePlace = fieldPath.part(`${fieldPath.name} templates.${inline.name ?? ""}`, "inline");
    return { template: inline, home, place: inlinePlace };
  }
  if (templateRef) {
    if (name) {
      context.report.add(
        fieldPath.pathTo("template"),
        `${fieldPath.name} template name cannot be specified with templateRef`,
      );
    }
    return resolveReference(context, templateRef, fieldPath);
  }
  if (!name) {
    context.report.add(fieldPath.pathTo(), `${fieldPath.name} template name is required`.trim());
    return undefined;
  }
  const found = templateByName(home, name, fieldPath);
  if (found) return { ...found, home };
  // Messages contain the substituted name, except for names that are only known at run time.
  const shownName = written !== undefined && containsPlaceholder(name) ? written : name;
  context.report.add(fieldPath.pathTo(field), undefinedTemplateMessage(context.report, home, shownName, fieldPath));
  return undefined;
}

/** Reports to lint the other templates that a call with an inline template names: Argo runs the inline one. */
function warnAboutInline(report: Report, call: Call, fieldPath: FieldLocation): void {
  if (!report.judgesExpressions) return;
  for (const field of ["template", "templateRef"] as const) {
    if (!call[field]) continue;
    const message = "has no effect, because the call has an inline template";
    report.addFinding(fieldPath.pathTo(field), { offset: 0, severity: "warning", message });
  }
}

function resolveReference(context: Context, ref: TemplateRef, fieldPath: FieldLocation): Callee | undefined {
  const { report, lookup } = context;
  if (!ref.name) report.add(fieldPath.pathTo("templateRef"), `${fieldPath.name} resource name is required`);
  if (!ref.template) report.add(fieldPath.pathTo("templateRef"), `${fieldPath.name} template name is required`);
  if (!ref.name || !ref.template || isDynamic(ref) || lookup === undefined) return undefined;
  const resource = ref.clusterScope ? lookup.clusterWorkflowTemplate(ref.name) : lookup.workflowTemplate(ref.name);
  if (isProblem(resource)) {
    report.add(fieldPath.pathTo("templateRef"), resource.message);
    return undefined;
  }
  const template = resource?.spec.templates?.find((candidate) => candidate.name === ref.template);
  if (resource === undefined && lookup.allowMissing) return undefined;
  if (resource === undefined || template === undefined) {
    const hint = report.hint(ref.template, templateNames(resource));
    const message = `${fieldPath.name} template reference ${ref.name}.${ref.template} not found${hint}`;
    report.add(fieldPath.pathTo("templateRef"), message);
    return undefined;
  }
  const elsewhere = fieldPath.elsewhere(`${fieldPath.name} templates.${ref.template}`);
  return { template, home: { spec: resource.spec }, place: elsewhere };
}

/** Returns a template of the home by name, with its place: its own one, or the caller's for another document. */
function templateByName(
  home: ResolvingDocument,
  name: string,
  caller: FieldLocation,
): { template: Template; place: FieldLocation } | undefined {
  const templates = home.spec.templates ?? [];
  const index = indexesByName(templates).get(name);
  const template = index === undefined ? undefined : templates[index];
  if (index === undefined || template === undefined) return undefined;
  const words = `${caller.name} templates.${name}`.trim();
  const place = home.path === undefined
    ? caller.elsewhere(words)
    : new FieldLocation([...home.path, "templates", index], words);
  return { template, place };
}

/** Returns the indexes of templates by name; the first of each name. */
function indexesByName(templates: readonly Template[]): ReadonlyMap<string, number> {
  let places = templateIndexes.get(templates);
  if (!places) {
    places = new Map(templates.map(({ name = "" }, index) => [name, index] as const).toReversed());
    templateIndexes.set(templates, places);
  }
  return places;
}

const templateIndexes = new WeakMap<readonly Template[], ReadonlyMap<string, number>>();

function undefinedTemplateMessage(
  report: Report,
  home: ResolvingDocument,
  name: string,
  fieldPath: FieldLocation,
): string {
  const hint = report.hint(name, templateNames(home));
  return `${fieldPath.name} template name '${name}' undefined${hint}`.trim();
}

function templateNames(home: Pick<ResolvingDocument, "spec"> | undefined): string[] {
  return home?.spec.templates?.flatMap(({ name }) => name ? [name] : []) ?? [];
}

/** Whether a reference is only known at run time after substitution; expressions do not count. */
function isDynamic({ name = "", template = "" }: TemplateRef): boolean {
  const opened = [name, template].flatMap((text) => text.split("{{").slice(1));
  return opened.some((tag) => !tag.startsWith("=")) || containsPlaceholder(name) || containsPlaceholder(template);
}
