/** The functions of a test that stand for templates. */
import { didYouMean, type NodeStatus, type Template } from "@tiphys/model/api";
import { callerOfDisplayName, templateNameOf } from "@tiphys/model/status";
import { callsIn, isRunBy, templateType } from "@tiphys/model/templates";
import { SimulationError } from "./error.ts";
import type { TemplateFunction } from "./options.ts";

/** The templates of one object. `home` is the name of its WorkflowTemplate; undefined for the workflow itself. */
export interface TemplateHome {
  readonly home: string | undefined;
  readonly templates: readonly Template[];
}

/** Returns the name of a node's template. For an inline template, the name of its step or task. */
export function answeredTemplate(node: NodeStatus): string {
  return templateNameOf(node) || callerOfDisplayName(node.displayName);
}

/** The functions of a simulation. Each belongs to an existing template. */
export class TemplateFunctions {
  readonly #functions: Readonly<Record<string, TemplateFunction>>;
  readonly #templates: ReadonlySet<string>;
  readonly #base: string | undefined;

  /**
   * `base` is the name of the workflow's `workflowTemplateRef`.
   * @throws {SimulationError} when a function belongs to no template, or to a template that the engine runs itself.
   */
  constructor(functions: Readonly<Record<string, TemplateFunction>>, homes: readonly TemplateHome[], base?: string) {
    this.#base = base;
    const templates = new Map(homes.flatMap(namedTemplates));
    for (const name of Object.keys(functions)) refuseUnanswerable(name, templates);
    this.#functions = functions;
    this.#templates = new Set(templates.keys());
  }

  /** Returns the names of a node's template: `WORKFLOW_TEMPLATE/TEMPLATE`, if any, and the plain name. */
  namesOf(node: NodeStatus): string[] {
    const name = answeredTemplate(node);
    const [kind, scope] = (node.templateScope ?? "").split("/");
    const home = node.templateRef?.name ?? (kind === "local" ? this.#base : scope);
    return home ? [`${home}/${name}`, name] : [name];
  }

  /** Returns the function for a node. The longer name takes precedence. */
  functionOf(node: NodeStatus): TemplateFunction | undefined {
    const name = this.namesOf(node).find((name) => Object.hasOwn(this.#functions, name));
    return name === undefined ? undefined : this.#functions[name];
  }

  /** @throws {SimulationError} when no template has that name. */
  refuseUnknown(name: string): void {
    if (!this.#templates.has(name)) throw unknownTemplate(name, this.#templates);
  }
}

function refuseUnanswerable(name: string, templates: ReadonlyMap<string, Template>): void {
  const template = templates.get(name);
  if (template === undefined) throw unknownTemplate(name, templates.keys());
  const type = templateType(template);
  if (isRunBy(type, "calls")) {
    throw new SimulationError(
      `Template ${
        JSON.stringify(name)
      } is of type ${type}, which the engine runs: provide functions for the templates that it calls`,
    );
  }
}

function unknownTemplate(name: string, templates: Iterable<string>): SimulationError {
  const names = [...templates];
  const there = names.filter((name) => !name.includes("/")).join(", ");
  return new SimulationError(
    `no template ${JSON.stringify(name)}${didYouMean(name, names) || `; templates: ${there}`}`,
  );
}

function namedTemplates({ home, templates }: TemplateHome): [string, Template][] {
  const named = templates.flatMap((template): [string, Template][] => [
    ...(template.name ? [[template.name, template] as [string, Template]] : []),
    ...inlineTemplates(template),
  ]);
  return home === undefined
    ? named
    : [...named, ...named.map(([name, template]) => [`${home}/${name}`, template] as [string, Template])];
}

function inlineTemplates(template: Template): [string, Template][] {
  return callsIn(template).flatMap(({ name, inline }): [string, Template][] =>
    inline ? [[name, inline], ...inlineTemplates(inline)] : []
  );
}
