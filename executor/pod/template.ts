/** The template this pod runs, in the little that the executor reads of it. */
import { ENV, OFFLOADED, PATH } from "../../lib/constants.ts";
import { isBaseImagePath, mountsOfMain, overlappingMount } from "../../lib/pod/artifact_paths.ts";
import { cleanPath } from "../../lib/pod/paths.ts";
import { ExecutorError } from "../failure.ts";
import { PLAIN_FILES } from "./shared_files.ts";
import { templateOf } from "./template_shape.ts";
import { at, type World } from "../world.ts";

/** The longest template that is read, in bytes: as much as a ConfigMap can hold, and more than any template has. */
const LONGEST_TEMPLATE = 4 << 20;

/** A parameter that comes out of a file, or of an object of the cluster. */
export interface OutputParameter {
  readonly name: string;
  readonly globalName?: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly path?: string;
    readonly jsonPath?: string;
    readonly jqFilter?: string;
    readonly default?: string;
  };
}

/** An artifact as it stands in a template; the fields of its store pass through. */
export interface TemplateArtifact {
  readonly name: string;
  readonly path?: string;
  readonly optional?: boolean;
  readonly mode?: number;
  readonly recurseMode?: boolean;
  /** The form in which it travels: an object that has one of these fields. */
  readonly archive?: {
    readonly none?: unknown;
    readonly tar?: { readonly compressionLevel?: number };
    readonly zip?: unknown;
  };
  readonly raw?: { readonly data: string };
  readonly plugin?: { readonly name?: string; readonly key?: string };
  readonly [field: string]: unknown;
}

/** A container or script as far as it matters inside the pod. */
interface Runnable {
  readonly source?: string;
  readonly volumeMounts?: readonly Mount[];
}

/** The work of a resource template on an object of the cluster; its action stands in the command. */
interface ResourceWork {
  readonly manifest?: string;
  readonly manifestFrom?: { readonly artifact: TemplateArtifact };
  readonly mergeStrategy?: string;
  readonly setOwnerReference?: boolean;
  readonly successCondition?: string;
  readonly failureCondition?: string;
  readonly flags?: readonly string[];
}

/** The work of a data template: the artifacts whose paths it lists, and the steps that change the list. */
interface DataWork {
  readonly source: { readonly artifactPaths?: TemplateArtifact };
  readonly transformation?: readonly { readonly expression: string }[];
}

/** The template inside the pod. */
export interface PodTemplate {
  readonly name?: string;
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly inputs?: { readonly artifacts?: readonly TemplateArtifact[] };
  readonly outputs?: {
    readonly parameters?: readonly OutputParameter[];
    readonly artifacts?: readonly TemplateArtifact[];
  };
  readonly container?: Runnable;
  readonly script?: Runnable;
  readonly resource?: ResourceWork;
  readonly data?: DataWork;
  readonly containerSet?: {
    readonly containers: readonly (Runnable & { readonly name: string; readonly dependencies?: readonly string[] })[];
    readonly retryStrategy?: { readonly retries?: number | string; readonly duration?: string };
    readonly volumeMounts?: Runnable["volumeMounts"];
  };
  readonly archiveLocation?: {
    readonly archiveLogs?: boolean;
    readonly plugin?: { readonly name?: string };
    readonly [field: string]: unknown;
  };
}

/** Everything that must be loaded before main runs. */
export function inputArtifacts({ inputs, resource }: PodTemplate): readonly TemplateArtifact[] {
  const declared = inputs?.artifacts ?? [];
  const manifest = resource?.manifestFrom?.artifact;
  if (!manifest || declared.some(({ name }) => name === manifest.name)) return declared;
  return [...declared, manifest];
}

/** The plugin that loads an artifact, its own or the one of the template's repository; undefined when none does. */
export function pluginOf(template: PodTemplate, artifact: TemplateArtifact): string | undefined {
  if (!artifact.plugin) return undefined;
  return artifact.plugin.name ?? template.archiveLocation?.plugin?.name;
}

/** The names of the containers that do the template's work. */
export function mainContainers(template: PodTemplate): string[] {
  return template.containerSet?.containers.map(({ name }) => name) ?? ["main"];
}

/** A volume of the user, where it is mounted. */
interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

/** Main's mounts of the user's volumes, the deepest first. */
export function userMounts(template: PodTemplate): Mount[] {
  return mountsOfMain(template)
    .map(({ name, mountPath }) => ({ name, mountPath: cleanPath(mountPath) }))
    .sort((a, b) => b.mountPath.length - a.mountPath.length);
}

/** The user's mount that holds a path; undefined for a path of the image itself. */
export function mountOf(template: PodTemplate, path: string): Mount | undefined {
  return overlappingMount(template, path);
}

/**
 * Whether an auxiliary container finds what lies at a path of main in the copy that main's emissary made; else it is in
 * the mirror of main's volumes.
 */
export function isCopied(world: World, template: PodTemplate, path: string): boolean {
  return isBaseImagePath(template, path, world.env(ENV.initlessPod) === "true");
}

/** The paths at which main has volumes: those of the user, and in the legacy layout its inputs. */
export function volumesOfMain(template: PodTemplate): string[] {
  const inputs = (template.inputs?.artifacts ?? []).flatMap(({ path }) => path ?? []);
  return [...mountsOfMain(template).map(({ mountPath }) => mountPath), ...inputs].map(cleanPath);
}

/** The paths of the user's volumes that main may write to itself. */
export function writableVolumes(template: PodTemplate): string[] {
  return mountsOfMain(template).filter(({ readOnly }) => !readOnly).map(({ mountPath }) => cleanPath(mountPath));
}

/** The template's text from the environment, or from the ConfigMap it was moved to for its size; undefined without. */
export function templateTextFromEnvironment(world: World): string | undefined {
  const text = world.env(ENV.template);
  if (text !== OFFLOADED) return text || undefined;
  return PLAIN_FILES.read(at(world, `${PATH.envConfig}/${ENV.template}`), LONGEST_TEMPLATE);
}

/**
 * Reads the template as the user's containers do: the supervisor's file, or else the environment.
 * @throws {ExecutorError} naming both when it is in neither.
 */
export function readTemplate(world: World): PodTemplate {
  return parsed(templateFile(world) ?? templateTextFromEnvironment(world));
}

/**
 * Reads the template for who acts by it with rights of its own: the environment is the controller's word, the file may
 * be anybody's in this pod.
 * @throws {ExecutorError} naming both when it is in neither.
 */
export function ownTemplate(world: World): PodTemplate {
  return parsed(templateTextFromEnvironment(world) ?? templateFile(world));
}

function templateFile(world: World): string | undefined {
  return world.files.read(at(world, PATH.template), LONGEST_TEMPLATE);
}

function parsed(text: string | undefined): PodTemplate {
  if (text === undefined) {
    throw new ExecutorError(`Expected the template in ${PATH.template} or in the environment variable ${ENV.template}`);
  }
  return templateOf(text);
}
