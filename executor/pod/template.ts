/** The template of this pod, with the fields that the executor reads. */
import { ENV, OFFLOADED, PATH } from "@tiphys/base/constants";
import { cleanPath, isBaseImagePath, mountsOfMain, overlappingMount } from "@tiphys/model/pod";
import { ExecutorError } from "../failure.ts";
import { PLAIN_FILES } from "./shared_files.ts";
import { type Mount, parseTemplateJson, type PodTemplate, type TemplateArtifact } from "./template_shape.ts";
import { at, type World } from "../world.ts";

export type { OutputParameter, PodTemplate, TemplateArtifact } from "./template_shape.ts";

/** The maximum size of a template, in bytes. It is larger than what a ConfigMap can hold. */
const MAX_TEMPLATE_BYTES = 4 << 20;

/** Returns all artifacts that must be loaded before main runs. */
export function inputArtifacts({ inputs, resource }: PodTemplate): readonly TemplateArtifact[] {
  const declared = inputs?.artifacts ?? [];
  const manifest = resource?.manifestFrom?.artifact;
  if (!manifest || declared.some(({ name }) => name === manifest.name)) return declared;
  return [...declared, manifest];
}

/**
 * Returns the plugin that loads an artifact: its own, or that of the template's repository. Undefined if it needs no
 * plugin.
 */
export function pluginOf(template: PodTemplate, artifact: TemplateArtifact): string | undefined {
  if (!artifact.plugin) return undefined;
  return artifact.plugin.name ?? template.archiveLocation?.plugin?.name;
}

/** Returns the names of the containers that do the template's work. */
export function mainContainers(template: PodTemplate): string[] {
  return template.containerSet?.containers.map(({ name }) => name) ?? ["main"];
}

/** Returns main's mounts of the user's volumes, deepest first. */
export function userMounts(template: PodTemplate): Mount[] {
  return mountsOfMain(template)
    .map(({ name, mountPath }) => ({ name, mountPath: cleanPath(mountPath) }))
    .sort((a, b) => b.mountPath.length - a.mountPath.length);
}

/** Returns the user's mount that contains a path; undefined for a path in the image. */
export function mountOf(template: PodTemplate, path: string): Mount | undefined {
  return overlappingMount(template, path);
}

/**
 * Whether an auxiliary container finds a path of main in the copy that main's emissary made. Otherwise the path is in
 * the mirror of main's volumes.
 */
export function isReadFromCopy(world: World, template: PodTemplate, path: string): boolean {
  return isBaseImagePath(template, path, world.env(ENV.initlessPod) === "true");
}

/** Returns the paths at which main has volumes: those of the user, and in the legacy layout its inputs. */
export function volumesOfMain(template: PodTemplate): string[] {
  const inputs = (template.inputs?.artifacts ?? []).flatMap(({ path }) => path ?? []);
  return [...mountsOfMain(template).map(({ mountPath }) => mountPath), ...inputs].map(cleanPath);
}

/** Returns the paths of the user's volumes that main may write to. */
export function writableVolumes(template: PodTemplate): string[] {
  return mountsOfMain(template).filter(({ readOnly }) => !readOnly).map(({ mountPath }) => cleanPath(mountPath));
}

/**
 * Returns the template's text from the environment, or from the ConfigMap if it is too large for a variable. Undefined
 * if the pod has neither.
 */
export function templateTextFromEnvironment(world: World): string | undefined {
  const text = world.env(ENV.template);
  if (text !== OFFLOADED) return text || undefined;
  return PLAIN_FILES.read(at(world, `${PATH.envConfig}/${ENV.template}`), MAX_TEMPLATE_BYTES);
}

/**
 * Reads the template as the user's containers do: from the supervisor's file, otherwise from the environment.
 * @throws {ExecutorError} naming both when it is in neither.
 */
export function readTemplate(world: World): PodTemplate {
  return parseTemplate(templateFile(world) ?? templateTextFromEnvironment(world));
}

/**
 * Reads the template for a container with additional permissions. The environment comes first, because the controller
 * wrote it; any container of the pod may have written the file.
 * @throws {ExecutorError} naming both when it is in neither.
 */
export function readPodTemplate(world: World): PodTemplate {
  return parseTemplate(templateTextFromEnvironment(world) ?? templateFile(world));
}

function templateFile(world: World): string | undefined {
  return world.files.read(at(world, PATH.template), MAX_TEMPLATE_BYTES);
}

function parseTemplate(text: string | undefined): PodTemplate {
  if (text === undefined) {
    throw new ExecutorError(`Expected the template in ${PATH.template} or in the environment variable ${ENV.template}`);
  }
  return parseTemplateJson(text);
}
