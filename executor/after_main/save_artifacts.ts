/** Upload of main's output artifacts and logs. */
import type { Place } from "@tiphys/model/artifact";
import { hasLocationOrKey } from "@tiphys/model/artifact/location";
import { untar } from "@tiphys/artifacts/formats";
import { save as transfer, type SaveFormat, type TransferResult } from "@tiphys/artifacts/transfer";
import { Folder, type Handle, openFile, resolveEntry, treeLimits } from "@tiphys/base/confined";
import { ENV, PATH } from "@tiphys/base/constants";
import { cleanPath } from "@tiphys/model/pod";
import { describeError } from "../failure.ts";
import { type ContainerLog, openLog } from "./container_log.ts";
import { findMainFile } from "./main_files.ts";
import type { SentLog } from "./sent_log.ts";
import { COMPRESSION, findUnknownCompression, usesZstd } from "../pod/compression.ts";
import { outputLocation } from "../pod/places.ts";
import { isReadFromCopy, mainContainers, type PodTemplate, type TemplateArtifact } from "../pod/template.ts";
import { createTransfer, logTransfer } from "../pod/transfers.ts";
import { at, type World } from "../world.ts";

/** The artifacts that were saved, each with its location, and the errors of those that were not. */
export interface SaveResult {
  readonly artifacts: TemplateArtifact[];
  readonly problems: string[];
}

/** A file or folder that is ready to upload. */
interface PendingUpload extends Disposable {
  readonly held: Handle;
  /** The archive format for the upload. */
  readonly packed: SaveFormat;
  /** The last segment of the key, unless the artifact sets a key. */
  readonly file: string;
  /** Deletes the copy after the upload. Undefined for files in a volume, which belong to the user. */
  readonly forget?: () => void;
}

const TMP = "/tmp";

/**
 * Saves the declared output artifacts until `stop` is aborted. An artifact that fails does not prevent the others from
 * being saved.
 */
export async function saveArtifacts(
  world: World,
  template: PodTemplate,
  stop: AbortSignal = new AbortController().signal,
): Promise<SaveResult> {
  const saved: SaveResult = { artifacts: [], problems: [] };
  const unknown = findUnknownCompression(template);
  if (unknown !== undefined) world.log(`${COMPRESSION}: expected zstd or gzip, got ${JSON.stringify(unknown)}`);
  for (const artifact of template.outputs?.artifacts ?? []) {
    if (!artifact.path) continue;
    try {
      using waiting = await prepareUpload(world, template, artifact, cleanPath(artifact.path));
      if (waiting) saved.artifacts.push(await save(world, template, artifact, waiting, stop));
    } catch (error) {
      saved.problems.push(world.redact(describeError(error)));
    }
  }
  return saved;
}

/** Saves the log of each main container if the template archives logs. */
export async function saveLogs(
  world: World,
  template: PodTemplate,
  stop: AbortSignal = new AbortController().signal,
  sent: ReadonlyMap<string, SentLog> = new Map(),
): Promise<SaveResult> {
  const saved: SaveResult = { artifacts: [], problems: [] };
  if (template.archiveLocation?.archiveLogs !== true) return saved;
  for (const container of mainContainers(template)) {
    try {
      using log = openLog(world, container);
      if (log) {
        saved.artifacts.push(await saveLog(world, template, container, log, { stop, sent: sent.get(container) }));
      } else world.log(`container ${container} has no log`);
    } catch (error) {
      saved.problems.push(world.redact(`failed to save the log of ${container}: ${describeError(error)}`));
    }
  }
  return saved;
}

/**
 * Logs up to this size are uploaded again as a single object even if a part is stored already: one request, and the
 * digest covers the whole log.
 */
const MAX_RESENT_BYTES = 16 * 1024 * 1024;

async function saveLog(
  world: World,
  template: PodTemplate,
  container: string,
  log: ContainerLog,
  { stop, sent }: { readonly stop: AbortSignal; readonly sent: SentLog | undefined },
): Promise<TemplateArtifact> {
  const name = `${container}-logs`;
  if (sent && log.held.info().size > MAX_RESENT_BYTES) {
    try {
      const moved = await sent.finish(world, log.held, stop);
      if (moved) return { ...sent.artifact, ...sizeAndDigestOf(moved) };
      world.log(
        `uploading the whole log of ${container} again: its stored part does not match, or can no longer grow`,
      );
    } catch (error) {
      stop.throwIfAborted();
      world.log(world.redact(`uploading the whole log of ${container} again: ${describeError(error)}`));
    }
  }
  return await save(world, template, { name }, { ...log, packed: { kind: "none" }, file: `${container}.log` }, stop);
}

/** Prepares an artifact for upload. Returns undefined if an optional artifact does not exist. */
async function prepareUpload(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  path: string,
): Promise<PendingUpload | undefined> {
  const left = findMainFile(world, template, path, {
    copies: PATH.outputArtifacts,
    suffix: isReadFromCopy(world, template, path) ? ".tgz" : "",
  });
  if (!left) {
    if (!artifact.optional) throw new Error(`${path} no such file or directory`);
    world.log(`optional artifact ${artifact.name} not found at ${path}`);
    return undefined;
  }
  const base = path.slice(path.lastIndexOf("/") + 1);
  const { archive } = artifact;
  const isZstd = usesZstd(template);
  const file = archive?.none ? base : `${artifact.name}${archive?.zip ? ".zip" : isZstd ? ".tar.zst" : ".tgz"}`;
  if (!left.isCopy) return { ...left, file, packed: saveFormatOf(archive, base, isZstd) };
  const forget = () => left.parent.remove(left.name);
  // The emissary of main has packed it already, with the compression level of the template.
  if (!archive?.none && !archive?.zip) {
    return {
      ...left,
      file,
      forget,
      packed: isZstd ? { kind: "repacked", ...compressionLevelOf(archive) } : { kind: "none" },
    };
  }
  const dispose = new DisposableStack();
  dispose.use(left);
  try {
    const held = dispose.use(await unpackCopy(world, left.held, artifact.name, base));
    const packed = saveFormatOf(archive, base, isZstd);
    return { held, file, forget, packed, [Symbol.dispose]: () => dispose.dispose() };
  } catch (error) {
    dispose.dispose();
    throw error;
  }
}

function saveFormatOf(archive: TemplateArtifact["archive"], name: string, isZstd: boolean): SaveFormat {
  if (archive?.none) return { kind: "none" };
  if (archive?.zip) return { kind: "zip", name };
  return { kind: "tar", name, ...compressionLevelOf(archive), ...(isZstd ? { with: "zstd" } : {}) };
}

function compressionLevelOf(archive: TemplateArtifact["archive"]): { readonly level?: number } {
  const level = archive?.tar?.compressionLevel;
  return level === undefined ? {} : { level };
}

/** Returns a folder for repacking an artifact. Sidecars of artifact plugins write next to it. */
function scratchFolder(world: World, artifact: string): Folder {
  Deno.mkdirSync(at(world, TMP), { recursive: true });
  using tmp = Folder.open(at(world, TMP));
  using found = resolveEntry(tmp, `${PATH.outputScratch.slice(TMP.length)}/${artifact}`, {
    links: "refuse",
    make: 0o777,
  });
  return found.parent!.openFolder(found.name) ?? found.parent!.createFolder(found.name);
}

async function unpackCopy(world: World, copy: Handle, artifact: string, base: string): Promise<Handle> {
  using scratch = scratchFolder(world, artifact);
  scratch.remove("copy");
  using folder = scratch.createFolder("copy");
  using archive = openFile(copy, base);
  await untar(readParts(archive), folder, { limits: treeLimits(folder, world.env), warn: world.log });
  const held = folder.openEntry(base);
  if (held && !held.info().isSymlink) return held;
  held?.[Symbol.dispose]();
  throw new Error(`the archive that main's emissary made of ${base} does not contain it`);
}

async function* readParts(file: Deno.FsFile): AsyncGenerator<Uint8Array> {
  for (let part = new Uint8Array(65_536);; part = new Uint8Array(65_536)) {
    const read = await file.read(part);
    if (read === null) return;
    yield part.subarray(0, read);
  }
}

/** Uploads an artifact. Returns it as it is reported. */
async function save(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  { held, packed, file, forget }: PendingUpload,
  stop: AbortSignal,
): Promise<TemplateArtifact> {
  const info = held.info();
  if (info.isFile && info.size === 0) world.log(`artifact ${artifact.name} is empty`);
  const { place, reported } = outputLocation(template, artifact, file);
  const driver = await world.driverFor(place);
  const how = { ...createTransfer(world, stop, artifact.name), mayExist: mayBeStoredAlready(world, artifact, place) };
  const moved = await logTransfer(how, { what: "save", place }, () => transfer(driver, place, { held, packed, how }));
  // Files in a volume belong to the user and have no `forget`.
  if (world.env("REMOVE_LOCAL_ART_PATH") === "true") forget?.();
  const { digest: _, size: __, objects: ___, ...declared } = reported;
  return { ...declared, ...sizeAndDigestOf(moved) };
}

/**
 * Reports whether an earlier run may have stored an artifact at the same key. That is possible only if the template
 * sets the key and the key contains nothing unique to this run. In all other cases the store is not queried, which
 * saves a request for each upload.
 */
function mayBeStoredAlready(world: World, artifact: TemplateArtifact, { key }: Place): boolean {
  if (!hasLocationOrKey(artifact)) return false;
  const own = [ENV.podName, ENV.workflowName, ENV.workflowUid].flatMap((name) => world.env(name) || []);
  return !own.some((name) => key.includes(name));
}

/**
 * The size and digest of a saved artifact, for the status of its node. A folder that is stored as several objects has
 * no digest.
 */
function sizeAndDigestOf({ kind, bytes, objects, sha256 }: TransferResult): Partial<TemplateArtifact> {
  return {
    ...(sha256 === undefined ? {} : { digest: `sha256:${sha256}` }),
    size: bytes,
    ...(kind === "folder" ? { objects } : {}),
  };
}
