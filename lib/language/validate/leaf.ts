/** Checks templates without calls: containers, scripts, container sets, resources, and others. */
import { atoi, isIntOrString, quantityProblem } from "@tiphys/base/go";
import type { Container, ContainerSetTemplate, ResourceTemplate, Template, VolumeMount } from "@tiphys/model/api";
import { isPlaceholder } from "../template/scope.ts";
import { type ContainerList, isReservedName, reservedNameMessage } from "@tiphys/model/container_names";
import { TextCache } from "@tiphys/base/text_cache";
import { checkWholeTime } from "../template/expr/meter.ts";
import { parseYaml, YAML_MILLIS } from "@tiphys/model/yaml";
import { type TemplateType, type WorkContainer, workContainers } from "@tiphys/model/templates";
import type { ResolvingDocument } from "./context.ts";
import { findCycle } from "./cycle.ts";
import { checkNames } from "./names.ts";
import { checkContainerValues, checkPodValues } from "./pod_values.ts";
import type { FieldLocation, Report } from "./report.ts";
import type { Scope } from "./scope.ts";
import { checkTags } from "./tags.ts";

/** The type, place and names of a leaf template, which calls no others. */
export interface LeafOptions {
  readonly type: TemplateType;
  readonly home: ResolvingDocument;
  readonly place: FieldLocation;
  readonly scope: Scope;
}

/** Checks the body of a leaf template. */
export function checkLeaf(report: Report, template: Template, { home, place, scope }: LeafOptions): void {
  const { container, containerSet, script, resource, activeDeadlineSeconds } = template;
  const { outputs: _, ...body } = template; // outputs are checked for all types
  checkTags(report, body, scope, place.part(`${place.name}:`));
  const defaults = home.spec.templateDefaults;
  if (container) {
    checkMounts(report, template, container, place);
    checkImage(report, container, defaults?.container, place.part(`${place.name}.container`, "container"));
  }
  checkPodValues(report, template, place);
  const containers = containersOf(template);
  for (const { path, container } of containers) {
    checkContainerValues(report, container, place.part(place.name, ...path));
  }
  for (const { path, container } of containers) checkQuantities(report, container, path, place);
  if (script) checkImage(report, script, defaults?.script, place.part(`${place.name}.script`, "script"));
  if (containerSet) checkContainerSet(report, template, containerSet, place);
  checkReservedNames(report, containerSet?.containers ?? [], "containerSet.containers", place);
  checkReservedNames(report, template.sidecars ?? [], "sidecars", place);
  checkReservedNames(report, template.initContainers ?? [], "initContainers", place);
  if (resource) checkResource(report, template, resource, place);
  if (activeDeadlineSeconds !== undefined && !isCountOrTag(activeDeadlineSeconds)) {
    const rule = "must be a positive integer > 0 or an argo variable";
    report.add(place.pathTo("activeDeadlineSeconds"), `${place.name}.activeDeadlineSeconds ${rule}`);
  }
  if (template.parallelism !== undefined) {
    report.add(place.pathTo("parallelism"), `${place.name}.parallelism is only valid for steps and dag templates`);
  }
}

/** Returns the containers of a template with their paths. */
function containersOf(template: Template): WorkContainer[] {
  const { sidecars = [], initContainers = [] } = template;
  const others = Object.entries({ sidecars, initContainers }).flatMap(([list, all]) =>
    all.map((container, index) => ({ path: [list, index], container }))
  );
  return [...workContainers(template), ...others];
}

function checkImage(
  report: Report,
  { image }: Container,
  defaults: Container | undefined,
  fieldPath: FieldLocation,
): void {
  if (!image && !defaults?.image) report.add(fieldPath.pathTo("image"), `${fieldPath.name}.image may not be empty`);
}

/**
 * Checks amounts of resources, which are Kubernetes quantities with optional white space; those with tags are checked
 * after substitution.
 */
function checkQuantities(
  report: Report,
  { resources = {} }: Pick<Container, "resources">,
  path: readonly (string | number)[],
  fieldPath: FieldLocation,
): void {
  for (const [kind, amounts] of Object.entries({ limits: resources.limits, requests: resources.requests })) {
    for (const [resource, amount] of Object.entries(amounts ?? {})) {
      const problem = `${amount}`.includes("{{") ? undefined : quantityProblem(`${amount}`.trim());
      if (problem === undefined) continue;
      const field = [...path, "resources", kind, resource];
      report.add(fieldPath.pathTo(...field), `${fieldPath.name}.${path[0]}.resources.${kind}.${resource}: ${problem}`);
    }
  }
}

/** Rejects names of the containers that the pod builder adds. */
function checkReservedNames(
  report: Report,
  containers: readonly { readonly name: string }[],
  list: ContainerList,
  fieldPath: FieldLocation,
): void {
  containers.forEach(({ name }, index) => {
    if (!isReservedName(name, list)) return;
    report.add(
      fieldPath.pathTo(...list.split("."), index, "name"),
      `${fieldPath.name}.${list}: ${reservedNameMessage(name)}`,
    );
  });
}

/** Checks that no two volumes or artifacts are mounted at the same path. */
function checkMounts(report: Report, template: Template, container: Container, fieldPath: FieldLocation): void {
  const mounted = new Map<string, string>();
  const mount = (path: string, subject: string, where: string, at: (string | number)[]) => {
    const earlier = mounted.get(path);
    if (earlier !== undefined) {
      report.add(fieldPath.pathTo(...at), `${fieldPath.name}.${where} '${path}' already mounted in ${earlier}`);
    }
    mounted.set(path, subject);
  };
  container.volumeMounts?.forEach(({ mountPath, name }, index) => {
    const where = `container.volumeMounts[${index}].mountPath`;
    mount(mountPath, `container.volumeMounts.${name}`, where, ["container", "volumeMounts", index, "mountPath"]);
  });
  template.inputs?.artifacts?.forEach(({ path, name }, index) => {
    const where = `inputs.artifacts[${index}].path`;
    if (path) mount(path, `inputs.artifacts.${name}`, where, ["inputs", "artifacts", index, "path"]);
  });
}

function checkContainerSet(
  report: Report,
  template: Template,
  set: ContainerSetTemplate,
  fieldPath: FieldLocation,
): void {
  const words = `${fieldPath.name}.containerSet`;
  const { containers } = set;
  if (containers.length === 0) {
    return report.add(fieldPath.pathTo("containerSet"), `${words}.containers must have at least one container`);
  }
  checkNames(report, containers, "template", fieldPath.part(`${words}.containers`, "containerSet", "containers"));
  checkSharedMounts(report, set.volumeMounts ?? [], fieldPath.part(words, "containerSet"));
  const names = containers.map(({ name }) => name);
  containers.forEach(({ name, dependencies = [] }, index) => {
    const at = (...field: (string | number)[]) => fieldPath.pathTo("containerSet", "containers", index, ...field);
    dependencies.forEach((dependency, position) => {
      if (names.includes(dependency)) return;
      const message = `${words}.containers.${name} dependency '${dependency}' not defined`;
      report.add(at("dependencies", position), message);
    });
  });
  const cycle = findCycle(names, (name) => containers.find((node) => node.name === name)?.dependencies ?? []);
  if (cycle) {
    report.add(
      fieldPath.pathTo("containerSet", "containers"),
      `${words}.containers dependency cycle detected: ${cycle}`,
    );
  }
  const { inputs, outputs } = template;
  const hasFiles = inputs?.artifacts?.length || outputs?.parameters?.length || outputs?.artifacts?.length;
  if (hasFiles && !names.includes("main")) {
    const message = `${words}.containers must have a container named "main" for input or output`;
    report.add(fieldPath.pathTo("containerSet", "containers"), message);
  }
}

function checkSharedMounts(report: Report, mounts: readonly VolumeMount[], fieldPath: FieldLocation): void {
  const mounted = new Map<string, string>();
  mounts.forEach(({ mountPath, name }, index) => {
    const earlier = mounted.get(mountPath);
    if (earlier !== undefined) {
      const message = `${fieldPath.name}.volumeMounts[${index}].mountPath '${mountPath}' already mounted in ${earlier}`;
      report.add(fieldPath.pathTo("volumeMounts", index, "mountPath"), message);
    }
    mounted.set(mountPath, `volumeMounts.${name}`);
  });
}

function checkResource(report: Report, template: Template, resource: ResourceTemplate, fieldPath: FieldLocation): void {
  const { action, manifest, manifestFrom } = resource;
  if (action === "delete" || action === "get") return;
  const words = `${fieldPath.name}.resource`;
  if (!manifest && !manifestFrom) {
    const message = `either ${words}.manifest or ${words}.manifestFrom must be specified`;
    return report.add(fieldPath.pathTo("resource"), message);
  }
  if (manifest && manifestFrom) {
    const message = "shouldn't have both `manifest` and `manifestFrom` specified in `Manifest` for resource template";
    return report.add(fieldPath.pathTo("resource"), message);
  }
  if (manifestFrom) {
    const { name } = manifestFrom.artifact;
    if (!template.inputs?.artifacts?.some((artifact) => artifact.name === name)) {
      const message = `artifact ${name} in \`manifestFrom\` refer to a non-exist artifact`;
      report.add(fieldPath.pathTo("resource", "manifestFrom", "artifact", "name"), message);
    }
  } else if (manifest && report.readsManifest(manifest)) {
    const problem = manifestProblem(manifest);
    if (problem !== undefined) report.add(fieldPath.pathTo("resource", "manifest"), `${words}.manifest ${problem}`);
  }
}

/** Cached errors of manifests, which are checked in each pass over a cron workflow. */
const manifestProblems = new TextCache<string | undefined>({ entries: 200, size: 4 << 20 });

/**
 * Returns the error of an invalid manifest.
 * @throws {MeterError} when the time limit does not allow parsing it.
 */
function manifestProblem(manifest: string): string | undefined {
  if (manifestProblems.has(manifest)) return manifestProblems.get(manifest);
  checkWholeTime(manifest.length * YAML_MILLIS);
  // An unsubstituted, unquoted tag would be parsed as a map with a map as key, which Kubernetes does not support.
  const readable = withoutExpressions(manifest).replaceAll("{{", "[}");
  const [error] = parseYaml(readable, { allowsRepeatedKeys: true })[0]?.errors ?? [];
  const problem = error && `must be a valid yaml: ${error.message}`;
  manifestProblems.set(manifest, problem);
  return problem;
}

/**
 * Removes expressions, which are checked when the manifest is applied; multi-line expressions would not be valid YAML.
 */
function withoutExpressions(manifest: string): string {
  const parts: string[] = [];
  let from = 0;
  while (true) {
    const open = manifest.indexOf("{{", from);
    const close = open < 0 ? -1 : manifest.indexOf("}}", open + 2);
    if (close < 0) return parts.join("") + manifest.slice(from);
    const tag = manifest.slice(open + 2, close).trim();
    const isExpression = tag.startsWith("=") && !tag.slice(1).trim().includes("\n");
    parts.push(manifest.slice(from, open), isExpression ? "tag" : manifest.slice(open, close + 2));
    from = close + 2;
  }
}

function isCountOrTag(value: number | string): boolean {
  if (typeof value === "number") return Number.isInteger(value) && value >= 0;
  if (isPlaceholder(value)) return true;
  const count = atoi(value);
  return count === undefined ? isIntOrString(value) : count >= 0n;
}
