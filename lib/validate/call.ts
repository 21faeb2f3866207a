/** One template calling another, by name, by reference or with the template itself. */
import { type Arguments, didYouMean, type LifecycleHooks, type Template, type TemplateRef } from "../api/mod.ts";
import { checkSupply } from "./arguments.ts";
import type { Context, Home } from "./context.ts";
import { Place } from "./report.ts";
import { addGlobalOutputs, type Scope } from "./scope.ts";

/** What a step, task or hook says about the template it calls. */
export interface Call {
  readonly template?: string;
  readonly templateRef?: TemplateRef;
  readonly inline?: Template;
}

/** A template that a call leads to. */
export interface Callee {
  readonly template: Template;
  /** Where the names in it are looked up. */
  readonly home: Home;
  readonly place: Place;
  /** What an inline template sees of the one around it. */
  readonly surroundings?: Scope;
  /** What the caller gives; undefined where the caller is not known, and may give anything. */
  readonly args?: Arguments;
}

/** Checks the body of a callee; handed in, because bodies hold calls. */
export type CheckBody = (context: Context, callee: Callee) => void;

/**
 * Finds what a call leads to, reports when there is no such thing, checks its body, and that the arguments supply what
 * it takes. Undefined when there is none, or when that only shows at run time. `field` is where the name stands, and
 * `args` is left out when they are not known.
 */
export function checkCall(
  context: Context,
  home: Home,
  call: Call,
  place: Place,
  options: { args?: Arguments; surroundings?: Scope; field?: string; checkBody: CheckBody },
): Template | undefined {
  const callee = resolve(context, home, call, place, options.field ?? "template");
  if (callee === undefined) return undefined;
  addGlobalOutputs(context.globals, callee.template);
  const { args, surroundings } = options;
  options.checkBody(context, call.inline ? { ...callee, args, surroundings } : { ...callee, args });
  checkSupply(context.report, callee.template, args, place);
  return callee.template;
}

/** Checks the hooks of a workflow, step or task. Hooks that call by name must find what they call. */
export function checkHooks(
  context: Context,
  home: Home,
  hooks: LifecycleHooks | undefined,
  place: Place,
  checkBody: CheckBody,
): void {
  for (const [name, hook] of Object.entries(hooks ?? {})) {
    const at = place.part(`${place.name}.${name}`, "hooks", name);
    if (name !== "exit" && !hook.expression) context.report.add(at.at(), `${at.name} Expression required`);
    if (hook.template || hook.templateRef) checkCall(context, home, hook, at, { checkBody });
  }
}

function resolve(context: Context, home: Home, call: Call, place: Place, field: string): Callee | undefined {
  const { inline, templateRef, template: name } = call;
  if (inline) {
    const inlinePlace = place.part(`${place.name} templates.${inline.name ?? ""}`, "inline");
    return { template: inline, home, place: inlinePlace };
  }
  if (templateRef) {
    if (name) {
      context.report.add(place.at("template"), `${place.name} template name cannot be specified with templateRef`);
    }
    return resolveReference(context, templateRef, place);
  }
  if (!name || holdsBraces(name)) {
    if (!name) context.report.add(place.at(), `${place.name} template name is required`.trim());
    return undefined;
  }
  const found = named(home, name, place);
  if (found) return { ...found, home };
  context.report.add(place.at(field), undefinedMessage(home, name, place));
  return undefined;
}

function resolveReference(context: Context, ref: TemplateRef, place: Place): Callee | undefined {
  const { report, lookup } = context;
  if (!ref.name) report.add(place.at("templateRef"), `${place.name} resource name is required`);
  if (!ref.template) report.add(place.at("templateRef"), `${place.name} template name is required`);
  if (!ref.name || !ref.template || holdsBraces(ref.name + ref.template) || lookup === undefined) return undefined;
  const resource = ref.clusterScope ? lookup.clusterWorkflowTemplate(ref.name) : lookup.workflowTemplate(ref.name);
  const template = resource?.spec.templates?.find((candidate) => candidate.name === ref.template);
  if (resource === undefined && lookup.allowMissing) return undefined;
  if (resource === undefined || template === undefined) {
    const hint = didYouMean(ref.template, templateNames(resource));
    const message = `${place.name} template reference ${ref.name}.${ref.template} not found${hint}`;
    report.add(place.at("templateRef"), message);
    return undefined;
  }
  const elsewhere = place.elsewhere(`${place.name} templates.${ref.template}`);
  return { template, home: { spec: resource.spec }, place: elsewhere };
}

/** A template of the home by its name, with its place: its own one, or the caller's when it stands elsewhere. */
function named(home: Home, name: string, caller: Place): { template: Template; place: Place } | undefined {
  const templates = home.spec.templates ?? [];
  const index = templates.findIndex((template) => template.name === name);
  if (index < 0) return undefined;
  const words = `templates.${name}`;
  const place = home.path === undefined
    ? caller.elsewhere(words)
    : new Place([...home.path, "templates", index], words);
  return { template: templates[index], place };
}

function undefinedMessage(home: Home, name: string, place: Place): string {
  const hint = didYouMean(name, templateNames(home));
  return `${place.name} template name '${name}' undefined${hint}`.trim();
}

function templateNames(home: Pick<Home, "spec"> | undefined): string[] {
  return home?.spec.templates?.flatMap(({ name }) => name ? [name] : []) ?? [];
}

function holdsBraces(text: string): boolean {
  return text.includes("{{");
}
