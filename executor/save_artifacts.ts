/** The artifacts and logs that main leaves go to their stores (spec/pods 5). */
import { keyOf, packTarGz, packZip, untar, withKey } from "../lib/artifact/mod.ts";
import { hasStore } from "../lib/artifact_stores.ts";
import { PATH } from "../lib/constants.ts";
import { cleanPath } from "../lib/pod/paths.ts";
import { describe, ExecutorError } from "./failure.ts";
import { isOrdinary } from "./ordinary_file.ts";
import { retryTransient } from "./retry_transient.ts";
import { fileOfMain, mainContainers, type PodTemplate, type TemplateArtifact } from "./template.ts";
import { at, containerFolder, type World } from "./world.ts";

const NOT_CONFIGURED =
  "artifact storage is not configured; see the docs for setup instructions: https://argo-workflows.readthedocs.io/en/latest/configure-artifact-repository/";

/** What was saved, with its place, and what could not be. */
export interface Saved {
  readonly artifacts: TemplateArtifact[];
  readonly problems: string[];
}

/** A file that waits to be saved. */
interface Packed {
  readonly path: string;
  /** The last part of its key, where nothing else says one. */
  readonly name: string;
}

/** Saves the declared output artifacts. One that cannot be saved does not keep the others back. */
export async function saveArtifacts(world: World, template: PodTemplate): Promise<Saved> {
  const saved: Saved = { artifacts: [], problems: [] };
  for (const artifact of template.outputs?.artifacts ?? []) {
    if (!artifact.path) continue;
    try {
      const packed = await pack(world, template, artifact, cleanPath(artifact.path));
      if (packed) saved.artifacts.push(await save(world, template, artifact, packed));
    } catch (error) {
      saved.problems.push(describe(error));
    }
  }
  return saved;
}

/** Saves what each main container printed, where the template archives logs. */
export async function saveLogs(world: World, template: PodTemplate): Promise<Saved> {
  const saved: Saved = { artifacts: [], problems: [] };
  if (template.archiveLocation?.archiveLogs !== true) return saved;
  for (const container of mainContainers(template)) {
    const path = `${containerFolder(world, container)}/combined`;
    if (!await isThere(path)) {
      world.log(`the container ${container} has no log`);
      continue;
    }
    try {
      const log = { name: `${container}-logs` };
      saved.artifacts.push(await save(world, template, log, { path, name: `${container}.log` }));
    } catch (error) {
      saved.problems.push(`failed to save the log of ${container}: ${describe(error)}`);
    }
  }
  return saved;
}

/** The artifact as it travels; undefined for an optional one that is not there. */
async function pack(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  path: string,
): Promise<Packed | undefined> {
  const file = fileOfMain(world, template, path, PATH.outputArtifacts);
  const isCopy = file.startsWith(at(world, PATH.outputArtifacts));
  if (!await isOrdinary(isCopy ? `${file}.tgz` : file)) {
    if (!artifact.optional) throw new Error(`${path} no such file or directory`);
    world.log(`the optional artifact ${artifact.name} was not left at ${path}`);
    return undefined;
  }
  const base = path.slice(path.lastIndexOf("/") + 1);
  const { archive } = artifact;
  if (isCopy && !archive?.none && !archive?.zip) return { path: `${file}.tgz`, name: `${artifact.name}.tgz` };
  const scratch = at(world, `${PATH.outputScratch}/${artifact.name}`);
  await Deno.mkdir(scratch, { recursive: true });
  const plain = isCopy ? await unpackedCopy(`${file}.tgz`, scratch, base) : file;
  if (archive?.none) return { path: plain, name: base };
  const target = `${scratch}/packed`;
  // The path itself may be a link; what lies below keeps its links.
  const source = await Deno.realPath(plain);
  if (archive?.zip) await packZip(source, base, target);
  else await packTarGz(source, base, target, archive?.tar?.compressionLevel);
  return { path: target, name: `${artifact.name}${archive?.zip ? ".zip" : ".tgz"}` };
}

async function unpackedCopy(copy: string, scratch: string, base: string): Promise<string> {
  const folder = `${scratch}/copy`;
  await Deno.mkdir(folder, { recursive: true });
  await untar(copy, folder);
  return `${folder}/${base}`;
}

/** Brings a packed artifact to its store; the answer is the artifact with its place. */
async function save(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  { path, name }: Packed,
): Promise<TemplateArtifact> {
  const { size, isFile } = await Deno.stat(path);
  if (isFile && size === 0) world.log(`the artifact ${artifact.name} is empty`);
  const placed = place(template, artifact, name);
  const driver = await world.driverFor(placed);
  await retryTransient(world, () => driver.save(path, placed));
  if (world.env("REMOVE_LOCAL_ART_PATH") === "true") await Deno.remove(path, { recursive: true });
  return placed;
}

/** Where an artifact goes: its own place, or below that of the template's archive. */
function place(template: PodTemplate, artifact: TemplateArtifact, name: string): TemplateArtifact {
  const { archiveLogs: _, ...archive } = template.archiveLocation ?? {};
  if (hasStore(artifact) && keyOf(artifact) !== undefined) return artifact;
  const key = keyOf(archive);
  const wholeKey = key === undefined ? name : `${key}/${name}`;
  if (hasStore(artifact)) return withKey(artifact, wholeKey);
  if (!hasStore(archive)) throw new ExecutorError(NOT_CONFIGURED, { stage: "outputs", artifact: artifact.name });
  return withKey({ ...artifact, ...archive }, wholeKey);
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
