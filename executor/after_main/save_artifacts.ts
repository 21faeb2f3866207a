/** The artifacts and logs that main leaves go to their stores. */
import {
  hasLocationOrKey,
  type Moved,
  type Packed,
  type Place,
  save as transfer,
  untar,
} from "../../lib/artifact/mod.ts";
import { Folder, type Held, openFile, treeLimits, walk } from "../../lib/confined/mod.ts";
import { ENV, PATH } from "../../lib/constants.ts";
import { cleanPath } from "../../lib/pod/paths.ts";
import { describe } from "../failure.ts";
import { type ContainerLog, logOf } from "./container_log.ts";
import { leftByMain } from "./main_files.ts";
import type { SentLog } from "./sent_log.ts";
import { COMPRESSION, packsWithZstd, unknownCompression } from "../pod/compression.ts";
import { outputPlace } from "../pod/places.ts";
import { isCopied, mainContainers, type PodTemplate, type TemplateArtifact } from "../pod/template.ts";
import { told, transferOf } from "../pod/transfers.ts";
import { at, type World } from "../world.ts";

/** The artifacts that were saved, each with its place, and why others could not be. */
export interface Saved {
  readonly artifacts: TemplateArtifact[];
  readonly problems: string[];
}

/** A file or folder that waits to be saved. */
interface Waiting extends Disposable {
  readonly held: Held;
  /** The form in which it travels. */
  readonly packed: Packed;
  /** The last part of its key, where nothing else says one. */
  readonly file: string;
  /** Takes it away: it was staged for us, and is nobody's own. */
  readonly forget?: () => void;
}

const TMP = "/tmp";

/** Saves the declared output artifacts, until `stop`. One that cannot be saved does not keep the others back. */
export async function saveArtifacts(
  world: World,
  template: PodTemplate,
  stop: AbortSignal = new AbortController().signal,
): Promise<Saved> {
  const saved: Saved = { artifacts: [], problems: [] };
  const unknown = unknownCompression(template);
  if (unknown !== undefined) world.log(`${COMPRESSION}: expected zstd or gzip, got ${JSON.stringify(unknown)}`);
  for (const artifact of template.outputs?.artifacts ?? []) {
    if (!artifact.path) continue;
    try {
      using waiting = await prepare(world, template, artifact, cleanPath(artifact.path));
      if (waiting) saved.artifacts.push(await save(world, template, artifact, waiting, stop));
    } catch (error) {
      saved.problems.push(world.redact(describe(error)));
    }
  }
  return saved;
}

/** Saves what each main container printed, where the template archives logs. */
export async function saveLogs(
  world: World,
  template: PodTemplate,
  stop: AbortSignal = new AbortController().signal,
  sent: ReadonlyMap<string, SentLog> = new Map(),
): Promise<Saved> {
  const saved: Saved = { artifacts: [], problems: [] };
  if (template.archiveLocation?.archiveLogs !== true) return saved;
  for (const container of mainContainers(template)) {
    try {
      using log = logOf(world, container);
      if (log) {
        saved.artifacts.push(await saveLog(world, template, container, log, { stop, sent: sent.get(container) }));
      } else world.log(`the container ${container} has no log`);
    } catch (error) {
      saved.problems.push(world.redact(`failed to save the log of ${container}: ${describe(error)}`));
    }
  }
  return saved;
}

/** The size up to which a log is sent anew as a whole: as one object, in one request, with its digest beside it. */
const SENT_ANEW_BYTES = 16 * 1024 * 1024;

async function saveLog(
  world: World,
  template: PodTemplate,
  container: string,
  log: ContainerLog,
  { stop, sent }: { readonly stop: AbortSignal; readonly sent: SentLog | undefined },
): Promise<TemplateArtifact> {
  const name = `${container}-logs`;
  if (sent && log.held.info().size > SENT_ANEW_BYTES) {
    try {
      const moved = await sent.finish(world, log.held, stop);
      if (moved) return { ...sent.artifact, ...measuresOf(moved) };
      world.log(`the log of ${container} is sent anew: what was sent of it is not how it begins, or takes no more`);
    } catch (error) {
      stop.throwIfAborted();
      world.log(world.redact(`the log of ${container} is sent anew: ${describe(error)}`));
    }
  }
  return await save(world, template, { name }, { ...log, packed: { kind: "none" }, file: `${container}.log` }, stop);
}

/** The artifact as it travels; undefined for an optional one that is not there. */
async function prepare(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  path: string,
): Promise<Waiting | undefined> {
  const left = leftByMain(world, template, path, {
    copies: PATH.outputArtifacts,
    suffix: isCopied(world, template, path) ? ".tgz" : "",
  });
  if (!left) {
    if (!artifact.optional) throw new Error(`${path} no such file or directory`);
    world.log(`the optional artifact ${artifact.name} was not left at ${path}`);
    return undefined;
  }
  const base = path.slice(path.lastIndexOf("/") + 1);
  const { archive } = artifact;
  const isZstd = packsWithZstd(template);
  const file = archive?.none ? base : `${artifact.name}${archive?.zip ? ".zip" : isZstd ? ".tar.zst" : ".tgz"}`;
  if (!left.isCopy) return { ...left, file, packed: packedAs(archive, base, isZstd) };
  const forget = () => left.parent.remove(left.name);
  // Main's own executor has packed it already, as hard as the template asks.
  if (!archive?.none && !archive?.zip) {
    return { ...left, file, forget, packed: isZstd ? { kind: "repacked", ...levelOf(archive) } : { kind: "none" } };
  }
  const dispose = new DisposableStack();
  dispose.use(left);
  try {
    const held = dispose.use(await unpackedCopy(world, left.held, artifact.name, base));
    const packed = packedAs(archive, base, isZstd);
    return { held, file, forget, packed, [Symbol.dispose]: () => dispose.dispose() };
  } catch (error) {
    dispose.dispose();
    throw error;
  }
}

function packedAs(archive: TemplateArtifact["archive"], name: string, isZstd: boolean): Packed {
  if (archive?.none) return { kind: "none" };
  if (archive?.zip) return { kind: "zip", name };
  return { kind: "tar", name, ...levelOf(archive), ...(isZstd ? { with: "zstd" } : {}) };
}

function levelOf(archive: TemplateArtifact["archive"]): { readonly level?: number } {
  const level = archive?.tar?.compressionLevel;
  return level === undefined ? {} : { level };
}

/** A folder for what is packed; plugins' sidecars write beside it. */
function scratchFolder(world: World, artifact: string): Folder {
  Deno.mkdirSync(at(world, TMP), { recursive: true });
  using tmp = Folder.open(at(world, TMP));
  using found = walk(tmp, `${PATH.outputScratch.slice(TMP.length)}/${artifact}`, { links: "refuse", make: 0o777 });
  return found.parent!.folder(found.name) ?? found.parent!.makeFolder(found.name);
}

async function unpackedCopy(world: World, copy: Held, artifact: string, base: string): Promise<Held> {
  using scratch = scratchFolder(world, artifact);
  scratch.remove("copy");
  using folder = scratch.makeFolder("copy");
  using archive = openFile(copy, base);
  await untar(partsOf(archive), folder, { limits: treeLimits(folder, world.env), warn: world.log });
  const held = folder.hold(base);
  if (held && !held.info().isSymlink) return held;
  held?.[Symbol.dispose]();
  throw new Error(`the copy of ${base} that main's container made does not hold it`);
}

async function* partsOf(file: Deno.FsFile): AsyncGenerator<Uint8Array> {
  for (let part = new Uint8Array(65_536);; part = new Uint8Array(65_536)) {
    const read = await file.read(part);
    if (read === null) return;
    yield part.subarray(0, read);
  }
}

/** Brings an artifact to its store; the answer is what its report says of it. */
async function save(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  { held, packed, file, forget }: Waiting,
  stop: AbortSignal,
): Promise<TemplateArtifact> {
  const info = held.info();
  if (info.isFile && info.size === 0) world.log(`the artifact ${artifact.name} is empty`);
  const { place, reported } = outputPlace(template, artifact, file);
  const driver = await world.driverFor(place);
  const how = { ...transferOf(world, stop, artifact.name), mayLieThere: mayLieThere(world, artifact, place) };
  const moved = await told(how, { what: "save", place }, () => transfer(driver, place, { held, packed, how }));
  // Files in a volume are the user's own.
  if (world.env("REMOVE_LOCAL_ART_PATH") === "true") forget?.();
  const { digest: _, size: __, objects: ___, ...declared } = reported;
  return { ...declared, ...measuresOf(moved) };
}

/**
 * Whether an earlier run may have left an artifact at its key: where its template chose that, and nothing in it is this
 * run's own. Elsewhere nothing lies there, and asking would cost each upload a request.
 */
function mayLieThere(world: World, artifact: TemplateArtifact, { key }: Place): boolean {
  if (!hasLocationOrKey(artifact)) return false;
  const own = [ENV.podName, ENV.workflowName, ENV.workflowUid].flatMap((name) => world.env(name) || []);
  return !own.some((name) => key.includes(name));
}

/** The measures of what was saved, for the status of its node; a folder of several objects has no digest. */
function measuresOf({ kind, bytes, objects, sha256 }: Moved): Partial<TemplateArtifact> {
  return {
    ...(sha256 === undefined ? {} : { digest: `sha256:${sha256}` }),
    size: bytes,
    ...(kind === "folder" ? { objects } : {}),
  };
}
