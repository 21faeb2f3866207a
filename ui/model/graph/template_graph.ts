/**
 * The graph of a manifest: nested groups as its templates call each other, with hooks, handlers and loops. Templates of
 * other objects are drawn if known. Limited: a template that calls itself is not opened again. Pure.
 */
import type { DAGTask, LifecycleHook, Template, WorkflowSpec, WorkflowStep } from "@tiphys/model/api";
import { hookNodeName, memberNodeName, onExitNodeName } from "@tiphys/model/status";
import { callsTemplates, isLoop, templateType } from "@tiphys/model/templates";
import * as words from "../text/en/template_graph.ts";
import { makePart } from "./make_part.ts";
import type { Part, PartEdge } from "./part.ts";
import { OUTERMOST_KEY } from "./parts.ts";
import { callsOf, edgesOf, itemsOf, scopeOf } from "./planned.ts";
import type { DrawnManifest, KnownObjects } from "./template_objects.ts";

/** Limits on the number of parts and the depth. */
export const MAX_PARTS = 5_000;
const MAX_DEPTH = 30;

/** A path to a field of the manifest. */
export type FieldPath = readonly (string | number)[];

/** The call and the template that a part represents. */
export interface DeclaredPart {
  readonly call: DAGTask | WorkflowStep | LifecycleHook | undefined;
  readonly template: Template | undefined;
  /** The object of the template, if it is another one. */
  readonly object: { readonly name: string; readonly isCluster: boolean } | undefined;
  /** Paths in the manifest; undefined if it does not contain them. */
  readonly callWay: FieldPath | undefined;
  readonly templateWay: FieldPath | undefined;
}

/** The graph. */
export interface TemplateGraph {
  readonly whole: Part;
  /** The declaration of each part, by key. */
  readonly parts: ReadonlyMap<string, DeclaredPart>;
  /** Whether parts were omitted. */
  readonly isCut: boolean;
  /** The templates the graph can start at. */
  readonly beginnings: readonly string[];
  /** The default start: the entrypoint of the manifest; undefined if it does not set one. */
  readonly entrypoint: string | undefined;
}

/**
 * Builds the graph of a manifest from a template; by default from its entrypoint, or from all templates that nothing
 * calls.
 */
export function templateGraph(manifest: DrawnManifest, objects: KnownObjects, begin?: string): TemplateGraph {
  return new GraphBuilder(manifest, objects).graph(begin);
}

/** The templates that calls can name, and the object that contains them. */
interface Scope {
  readonly spec: WorkflowSpec | string | undefined;
  readonly object: DeclaredPart["object"];
  readonly way: FieldPath | undefined;
}

interface Caller {
  readonly scope: Scope;
  readonly around: readonly Template[];
  /** The path to the calling template. */
  readonly way: FieldPath | undefined;
}

type TemplateCall = Pick<LifecycleHook, "template" | "templateRef"> & { readonly inline?: Template | undefined };

/** A template, and the scope of its calls. */
interface ResolvedTemplate {
  readonly template: Template | undefined;
  readonly scope: Scope;
  readonly way: FieldPath | undefined;
  /** The displayed name. */
  readonly name: string;
}

class GraphBuilder {
  readonly #manifest: DrawnManifest;
  readonly #objects: KnownObjects;
  readonly #parts = new Map<string, DeclaredPart>();
  readonly #byName = new Map<WorkflowSpec, ReadonlyMap<string, number>>();
  #made = 0;
  #isCut = false;

  constructor(manifest: DrawnManifest, objects: KnownObjects) {
    this.#manifest = manifest;
    this.#objects = objects;
  }

  graph(begin: string | undefined): TemplateGraph {
    const { name, spec, path } = this.#manifest;
    const scope = this.#ownScope();
    const whole = typeof scope.spec === "object" ? scope.spec : undefined;
    const names = (whole?.templates ?? []).flatMap((template) => template.name || []);
    const entrypoint = spec.entrypoint ?? whole?.entrypoint;
    const entry = begin ?? entrypoint;
    const roots = entry === undefined || entry === "" ? uncalledTemplates(whole) : [entry];
    const caller = { scope, around: [], way: undefined };
    const isOne = roots.length === 1;
    const members = typeof scope.spec === "object"
      ? roots.map((root) => {
        const found = this.#find({ template: root }, caller);
        return this.#part(isOne ? name : memberNodeName(name, root), root, undefined, found, caller);
      })
      : [
        this.#part(name, scope.object?.name ?? name, undefined, {
          template: undefined,
          scope,
          way: undefined,
          name: "",
        }, caller),
      ];
    // Handlers belong to the workflow, not to one of its templates.
    const handlers = begin === undefined && members.length > 0
      ? this.#handlers(name, { ...whole, ...spec }, caller, path)
      : [];
    const edges = isOne
      ? handlers.map((_, index): PartEdge => ({ from: 0, to: members.length + index, kind: "hook" }))
      : [];
    const [only] = members;
    const all = only && isOne && handlers.length === 0 && only.members.length > 0
      ? makePart({ ...only, key: OUTERMOST_KEY, kind: "box" })
      : makePart({
        key: OUTERMOST_KEY,
        label: name,
        kind: "box",
        members: [...members, ...handlers],
        edges,
        declared: "",
      });
    return { whole: all, parts: this.#parts, isCut: this.#isCut, beginnings: names, entrypoint };
  }

  /** The templates of the manifest, or of the object in its `workflowTemplateRef`. */
  #ownScope(): Scope {
    const { spec, path } = this.#manifest;
    const { workflowTemplateRef: ref } = spec;
    return ref ? this.#scopeOf(ref) : { spec, object: undefined, way: path };
  }

  #scopeOf(ref: { readonly name?: string; readonly clusterScope?: boolean }): Scope {
    const { name = "", clusterScope: isCluster = false } = ref;
    return { spec: this.#objects.get(scopeOf(ref)), object: { name, isCluster }, way: undefined };
  }

  #find(
    { template: name = "", templateRef, inline }: TemplateCall,
    { scope, way }: Caller,
    inlineWay?: FieldPath,
  ): ResolvedTemplate {
    if (inline) return { template: inline, scope, way: way && inlineWay, name: "" };
    const from = templateRef ? this.#scopeOf(templateRef) : scope;
    const wanted = templateRef?.template ?? name;
    const index = typeof from.spec === "object" ? this.#namesOf(from.spec).get(wanted) : undefined;
    return {
      template: index === undefined ? undefined : (from.spec as WorkflowSpec).templates?.[index],
      scope: from,
      way: index === undefined ? undefined : from.way && [...from.way, "templates", index],
      name: templateRef ? `${templateRef.name}/${wanted}` : wanted,
    };
  }

  /** The index of templates by name, computed once because each call uses it. */
  #namesOf(spec: WorkflowSpec): ReadonlyMap<string, number> {
    const known = this.#byName.get(spec);
    if (known) return known;
    const names = new Map((spec.templates ?? []).map(({ name = "" }, index) => [name, index]));
    this.#byName.set(spec, names);
    return names;
  }

  #part(
    key: string,
    label: string,
    call: DeclaredPart["call"],
    resolved: ResolvedTemplate,
    caller: Caller,
    { callWay, prefix = (kind: string) => kind }: {
      readonly callWay?: FieldPath | undefined;
      readonly prefix?: (kind: string) => string;
    } = {},
  ): Part {
    const { template, scope, way } = resolved;
    this.#made++;
    this.#parts.set(key, { call, template, object: scope.object, callWay, templateWay: way });
    const loop = call && "name" in call && isLoop(call) ? call : undefined;
    const items = loop && itemsOf(loop);
    const said = prefix(this.#describe(resolved, caller));
    const facts = { key, label, template: resolved.name, family: "idle" } as const;
    const isBox = template && callsTemplates(template);
    if (!isBox || !this.#canOpen(template, caller)) {
      const named = resolved.name === "" || resolved.name === label ? said : `${resolved.name} · ${said}`;
      return makePart({ ...facts, kind: loop ? "loop" : "leaf", items, declared: named });
    }
    const inner = { scope, around: [...caller.around, template], way };
    const members: Part[] = [];
    const hooks: { readonly of: string; readonly part: Part }[] = [];
    const ways = callPaths(template, way);
    for (const [index, { name, call: templateCall }] of callsOf(template, key).entries()) {
      const callWay = ways?.[index];
      const called = this.#find(templateCall, inner, callWay && [...callWay, "inline"]);
      members.push(this.#part(name, templateCall.name ?? "", templateCall, called, inner, { callWay }));
      for (const part of this.#handlers(name, templateCall, inner, callWay)) hooks.push({ of: name, part });
    }
    const edges = [...edgesOf(template, key, members)];
    const places = new Map(members.map((member, index) => [member.key, index]));
    for (const { of, part } of hooks) {
      edges.push({ from: places.get(of)!, to: members.push(part) - 1, kind: "hook" });
    }
    const times = loop ? ` ×${items ?? "?"}` : "";
    return makePart({ ...facts, label: `${label}${times}`, kind: "box", members, edges, declared: said });
  }

  /** Reports whether a template is opened, and records why not. */
  #canOpen(template: Template, { around }: Caller): boolean {
    if (around.includes(template)) return false;
    if (this.#made <= MAX_PARTS && around.length < MAX_DEPTH) return true;
    this.#isCut = true;
    return false;
  }

  #describe({ template, scope }: ResolvedTemplate, { around }: Caller): string {
    if (!template) return typeof scope.spec === "object" ? words.isMissing : words.isUnknown;
    const kind = templateType(template) ?? words.noKind;
    if (!callsTemplates(template)) return kind;
    if (around.includes(template)) return words.calledFromItself(kind);
    return this.#made > MAX_PARTS || around.length >= MAX_DEPTH ? words.notOpened(kind) : kind;
  }

  /** Returns the hooks and the exit handler of a call, or of the workflow. */
  #handlers(
    key: string,
    { hooks, onExit }: Pick<WorkflowSpec, "hooks" | "onExit">,
    caller: Caller,
    way: FieldPath | undefined,
  ): Part[] {
    const all: [string, string, LifecycleHook, FieldPath | undefined][] = Object.entries(hooks ?? {}).map(
      ([name, hook]) => [
        name === "exit" ? onExitNodeName(key) : hookNodeName(key, name),
        name === "exit" ? words.exitHandler : name,
        hook,
        way && [...way, "hooks", name],
      ],
    );
    if (onExit && !hooks?.exit) {
      all.push([onExitNodeName(key), words.exitHandler, { template: onExit }, way && [...way, "onExit"]]);
    }
    return all.map(([name, label, hook, callWay]) =>
      this.#part(name, label, hook, this.#find(hook, caller), caller, { callWay, prefix: words.handler })
    );
  }
}

/** Returns the paths to the calls of a template, in order. */
function callPaths(template: Template, way: FieldPath | undefined): FieldPath[] | undefined {
  if (!way) return undefined;
  if (template.dag) return template.dag.tasks.map((_, index) => [...way, "dag", "tasks", index]);
  return (template.steps ?? []).flatMap((group, index) =>
    group.map((_, position) => [...way, "steps", index, position])
  );
}

/** Returns the templates that no other template of the object calls; all if each is called. */
function uncalledTemplates(spec: WorkflowSpec | undefined): string[] {
  const templates = spec?.templates ?? [];
  const called = new Set(
    templates.flatMap((template) => callsOf(template, "").flatMap(({ call }) => call.template ?? [])),
  );
  const names = templates.flatMap(({ name }) => name || []);
  const free = names.filter((name) => !called.has(name));
  return free.length > 0 ? free : names;
}
