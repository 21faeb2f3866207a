/** The functions of a test that stand in for the templates of nodes. */
import { didYouMean, type NodeStatus, type Template } from "../lib/api/mod.ts";
import { callerOfDisplayName, templateNameOf } from "../lib/status/mod.ts";
import { SimulationError } from "./error.ts";
import type { TemplateFunction } from "./options.ts";

/** Templates of one object; `home` is the WorkflowTemplate they are in, undefined for those of the workflow. */
export interface TemplateHome {
  readonly home: string | undefined;
  readonly templates: readonly Template[];
}

/** The name of the template of a node; an inline template goes by the name of its step or task. */
export function answeredTemplate(node: NodeStatus): string {
  return templateNameOf(node) || callerOfDisplayName(node.displayName);
}

/** The functions of a simulation, each of which has a template. */
export class TemplateFunctions {
  readonly #functions: Readonly<Record<string, TemplateFunction>>;
  readonly #known: ReadonlySet<string>;
  readonly #base: string | undefined;

  /**
   * `base` is the WorkflowTemplate that the workflow as a whole is an instance of.
   * @throws {SimulationError} when a function has no template, or one that is not for functions to answer.
   */
  constructor(functions: Readonly<Record<string, TemplateFunction>>, homes: readonly TemplateHome[], base?: string) {
    this.#base = base;
    const templates = new Map(homes.flatMap(namedTemplates));
    for (const name of Object.keys(functions)) refuseUnfit(name, templates);
    this.#functions = functions;
    this.#known = new Set(templates.keys());
  }

  /** Names of the template of a node: with the WorkflowTemplate that it is in, and plain. */
  namesOf(node: NodeStatus): string[] {
    const name = answeredTemplate(node);
    const [kind, scope] = (node.templateScope ?? "").split("/");
    const home = node.templateRef?.name ?? (kind === "local" ? this.#base : scope);
    return home ? [`${home}/${name}`, name] : [name];
  }

  /** The function for a node; the longer name goes first. */
  of(node: NodeStatus): TemplateFunction | undefined {
    const name = this.namesOf(node).find((name) => Object.hasOwn(this.#functions, name));
    return name === undefined ? undefined : this.#functions[name];
  }

  /** @throws {SimulationError} when there is no template of that name. */
  refuseUnknown(name: string): void {
    if (!this.#known.has(name)) throw unknown(name, this.#known);
  }
}

function refuseUnfit(name: string, templates: ReadonlyMap<string, Template>): void {
  const template = templates.get(name);
  if (template === undefined) throw unknown(name, templates.keys());
  const type = template.steps ? "steps" : template.dag ? "dag" : undefined;
  if (type !== undefined) {
    throw new SimulationError(
      `Template ${
        JSON.stringify(name)
      } is of type ${type}, which the engine runs: give functions for the templates it calls`,
    );
  }
}

function unknown(name: string, known: Iterable<string>): SimulationError {
  const names = [...known];
  const there = names.filter((one) => !one.includes("/")).join(", ");
  return new SimulationError(
    `There is no template ${JSON.stringify(name)}${didYouMean(name, names) || `: there are ${there}`}`,
  );
}

function namedTemplates({ home, templates }: TemplateHome): [string, Template][] {
  const named = templates.flatMap((template): [string, Template][] => [
    ...(template.name ? [[template.name, template] as [string, Template]] : []),
    ...inlineTemplates(template),
  ]);
  return home === undefined
    ? named
    : [...named, ...named.map(([name, one]) => [`${home}/${name}`, one] as [string, Template])];
}

function inlineTemplates(template: Template): [string, Template][] {
  const callers = [...template.steps?.flat() ?? [], ...template.dag?.tasks ?? []];
  return callers.flatMap(({ name, inline }): [string, Template][] =>
    inline ? [[name, inline], ...inlineTemplates(inline)] : []
  );
}
