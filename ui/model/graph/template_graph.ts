/**
 * The graph of a manifest: boxes within boxes as its templates call each other, with hooks, handlers and loops. What other
 * objects hold is drawn where they are known. Bounded: a template that is called from itself is not opened again. Pure.
 */
import type { DAGTask, LifecycleHook, Template, WorkflowSpec, WorkflowStep } from "@tiphys/model/api";
import { hookNodeName, isLoop, memberNodeName, onExitNodeName, templateType } from "@tiphys/model/status";
import * as words from "../text/en/template_graph.ts";
import { makePart } from "./make_part.ts";
import type { Part, PartEdge } from "./part.ts";
import { WHOLE } from "./parts.ts";
import { callsOf, edgesOf, itemsOf, scopeOf } from "./planned.ts";
import type { DrawnManifest, KnownObjects } from "./template_objects.ts";

/** The parts after which nothing more is opened, and how deep. */
export const MOST_PARTS = 5_000;
const DEEPEST = 30;

/** A way to a field of the manifest. */
export type FieldWay = readonly (string | number)[];

/** What a part stands for: a call, and the template that it calls. */
export interface DeclaredPart {
  readonly call: DAGTask | WorkflowStep | LifecycleHook | undefined;
  readonly template: Template | undefined;
  /** The object of the template, where that is another one. */
  readonly object: { readonly name: string; readonly isCluster: boolean } | undefined;
  /** The places in the manifest; undefined where it does not hold them. */
  readonly callWay: FieldWay | undefined;
  readonly templateWay: FieldWay | undefined;
}

/** The graph. */
export interface TemplateGraph {
  readonly whole: Part;
  /** What each part stands for, by its key. */
  readonly parts: ReadonlyMap<string, DeclaredPart>;
  /** Whether there would be more. */
  readonly isCut: boolean;
  /** The templates that it can begin at, and the one at which it does where nobody says one; undefined for several. */
  readonly beginnings: readonly string[];
  readonly entrypoint: string | undefined;
}

/** Makes the graph of a manifest that begins at a template; at its entrypoint, or at all that nothing calls, where none is said. */
export function templateGraph(manifest: DrawnManifest, known: KnownObjects, begin?: string): TemplateGraph {
  return new Declared(manifest, known).graph(begin);
}

/** The templates that names mean, and where they stand. */
interface Scope {
  readonly spec: WorkflowSpec | string | undefined;
  readonly object: DeclaredPart["object"];
  readonly way: FieldWay | undefined;
}

interface Caller {
  readonly scope: Scope;
  readonly around: readonly Template[];
  /** The way to the template that calls. */
  readonly way: FieldWay | undefined;
}

type Called = Pick<LifecycleHook, "template" | "templateRef"> & { readonly inline?: Template | undefined };

/** A template, and the scope in which it calls others. */
interface Found {
  readonly template: Template | undefined;
  readonly scope: Scope;
  readonly way: FieldWay | undefined;
  /** The name that is shown for it. */
  readonly name: string;
}

class Declared {
  readonly #manifest: DrawnManifest;
  readonly #known: KnownObjects;
  readonly #parts = new Map<string, DeclaredPart>();
  readonly #byName = new Map<WorkflowSpec, ReadonlyMap<string, number>>();
  #made = 0;
  #isCut = false;

  constructor(manifest: DrawnManifest, known: KnownObjects) {
    this.#manifest = manifest;
    this.#known = known;
  }

  graph(begin: string | undefined): TemplateGraph {
    const { name, spec, path } = this.#manifest;
    const scope = this.#ownScope();
    const whole = typeof scope.spec === "object" ? scope.spec : undefined;
    const names = (whole?.templates ?? []).flatMap((one) => one.name || []);
    const entrypoint = spec.entrypoint ?? whole?.entrypoint;
    const entry = begin ?? entrypoint;
    const roots = entry === undefined || entry === "" ? uncalled(whole) : [entry];
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
    // Handlers belong to the run, not to one of its templates.
    const handlers = begin === undefined && members.length > 0
      ? this.#handlers(name, { ...whole, ...spec }, caller, path)
      : [];
    const edges = isOne ? handlers.map((_, at): PartEdge => ({ from: 0, to: members.length + at, kind: "hook" })) : [];
    const [only] = members;
    const all = only && isOne && handlers.length === 0 && only.members.length > 0
      ? makePart({ ...only, key: WHOLE, kind: "box" })
      : makePart({ key: WHOLE, label: name, kind: "box", members: [...members, ...handlers], edges, declared: "" });
    return { whole: all, parts: this.#parts, isCut: this.#isCut, beginnings: names, entrypoint };
  }

  /** The templates of the manifest, or of the object that it takes all of them from. */
  #ownScope(): Scope {
    const { spec, path } = this.#manifest;
    const { workflowTemplateRef: ref } = spec;
    return ref ? this.#scopeOf(ref) : { spec, object: undefined, way: path };
  }

  #scopeOf(ref: { readonly name?: string; readonly clusterScope?: boolean }): Scope {
    const { name = "", clusterScope: isCluster = false } = ref;
    return { spec: this.#known.get(scopeOf(ref)), object: { name, isCluster }, way: undefined };
  }

  #find({ template: name = "", templateRef, inline }: Called, { scope, way }: Caller, inlineWay?: FieldWay): Found {
    if (inline) return { template: inline, scope, way: way && inlineWay, name: "" };
    const from = templateRef ? this.#scopeOf(templateRef) : scope;
    const wanted = templateRef?.template ?? name;
    const at = typeof from.spec === "object" ? this.#namesOf(from.spec).get(wanted) : undefined;
    return {
      template: at === undefined ? undefined : (from.spec as WorkflowSpec).templates?.[at],
      scope: from,
      way: at === undefined ? undefined : from.way && [...from.way, "templates", at],
      name: templateRef ? `${templateRef.name}/${wanted}` : wanted,
    };
  }

  /** The places of templates by their names: asked for each call, looked for once. */
  #namesOf(spec: WorkflowSpec): ReadonlyMap<string, number> {
    const known = this.#byName.get(spec);
    if (known) return known;
    const names = new Map((spec.templates ?? []).map(({ name = "" }, at) => [name, at]));
    this.#byName.set(spec, names);
    return names;
  }

  #part(
    key: string,
    label: string,
    call: DeclaredPart["call"],
    found: Found,
    caller: Caller,
    { callWay, prefix = (kind: string) => kind }: {
      readonly callWay?: FieldWay | undefined;
      readonly prefix?: (kind: string) => string;
    } = {},
  ): Part {
    const { template, scope, way } = found;
    this.#made++;
    this.#parts.set(key, { call, template, object: scope.object, callWay, templateWay: way });
    const loop = call && "name" in call && isLoop(call) ? call : undefined;
    const items = loop && itemsOf(loop);
    const said = prefix(this.#wordsOf(found, caller));
    const facts = { key, label, template: found.name, family: "idle" } as const;
    const isBox = template && (template.dag || template.steps);
    if (!isBox || !this.#opens(template, caller)) {
      const named = found.name === "" || found.name === label ? said : `${found.name} · ${said}`;
      return makePart({ ...facts, kind: loop ? "loop" : "leaf", items, declared: named });
    }
    const inner = { scope, around: [...caller.around, template], way };
    const members: Part[] = [];
    const hooks: { readonly of: string; readonly part: Part }[] = [];
    const ways = callWays(template, way);
    for (const [at, { name, call: one }] of callsOf(template, key).entries()) {
      const callWay = ways?.[at];
      const called = this.#find(one, inner, callWay && [...callWay, "inline"]);
      members.push(this.#part(name, one.name ?? "", one, called, inner, { callWay }));
      for (const part of this.#handlers(name, one, inner, callWay)) hooks.push({ of: name, part });
    }
    const edges = [...edgesOf(template, key, members)];
    const places = new Map(members.map((member, at) => [member.key, at]));
    for (const { of, part } of hooks) {
      edges.push({ from: places.get(of)!, to: members.push(part) - 1, kind: "hook" });
    }
    const times = loop ? ` ×${items ?? "?"}` : "";
    return makePart({ ...facts, label: `${label}${times}`, kind: "box", members, edges, declared: said });
  }

  /** Whether a template is opened; what is not says why. */
  #opens(template: Template, { around }: Caller): boolean {
    if (around.includes(template)) return false;
    if (this.#made <= MOST_PARTS && around.length < DEEPEST) return true;
    this.#isCut = true;
    return false;
  }

  #wordsOf({ template, scope }: Found, { around }: Caller): string {
    if (!template) return typeof scope.spec === "object" ? words.isMissing : words.isUnknown;
    const kind = templateType(template) ?? words.noKind;
    if (!template.dag && !template.steps) return kind;
    if (around.includes(template)) return words.calledFromItself(kind);
    return this.#made > MOST_PARTS || around.length >= DEEPEST ? words.notOpened(kind) : kind;
  }

  /** The hooks and the exit handler of a call, or of the whole. */
  #handlers(
    key: string,
    { hooks, onExit }: Pick<WorkflowSpec, "hooks" | "onExit">,
    caller: Caller,
    way: FieldWay | undefined,
  ): Part[] {
    const all: [string, string, LifecycleHook, FieldWay | undefined][] = Object.entries(hooks ?? {}).map(
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
    return all.map(([at, label, hook, callWay]) =>
      this.#part(at, label, hook, this.#find(hook, caller), caller, { callWay, prefix: words.handler })
    );
  }
}

/** The ways to the calls of a template, in the order in which it has them. */
function callWays(template: Template, way: FieldWay | undefined): FieldWay[] | undefined {
  if (!way) return undefined;
  if (template.dag) return template.dag.tasks.map((_, at) => [...way, "dag", "tasks", at]);
  return (template.steps ?? []).flatMap((group, at) => group.map((_, place) => [...way, "steps", at, place]));
}

/** The templates that no other of the object calls; all of them where each is called. */
function uncalled(spec: WorkflowSpec | undefined): string[] {
  const templates = spec?.templates ?? [];
  const called = new Set(templates.flatMap((one) => callsOf(one, "").flatMap(({ call }) => call.template ?? [])));
  const names = templates.flatMap(({ name }) => name || []);
  const free = names.filter((name) => !called.has(name));
  return free.length > 0 ? free : names;
}
