/** Uploads local files and folders to an artifact store: several concurrently, each completely or not at all. */
import type { TransferResult } from "@tiphys/artifacts/transfer";
import { forEachConcurrently } from "@tiphys/artifacts/transfer/for_each_concurrently";
import { countText } from "@tiphys/base/count_text";
import { Handle } from "@tiphys/base/confined";
import type { OpenStore } from "@tiphys/service";
import { badInput, CommandError } from "../command_error.ts";
import { escapeControls } from "../view/plain.ts";
import { type OutputForm, printList } from "../view/print_object.ts";
import { ProgressLine } from "../view/progress_line.ts";
import { sizeText } from "../view/size_text.ts";
import type { Connection, World } from "../world.ts";
import { type UploadSource, uploadSources } from "./sources.ts";
import { knownStore, type StoreAddress } from "./store_address.ts";

/** Maximum number of concurrent uploads. */
const AT_ONCE = 4;

/** Options of an upload. */
export interface UploadOptions {
  readonly world: World;
  readonly connection: Connection;
  readonly repository?: string | undefined;
  readonly output?: OutputForm | undefined;
}

/** A completed upload. */
interface UploadResult {
  readonly source: string;
  readonly address: string;
  readonly kind: TransferResult["kind"];
  readonly objects: number;
  readonly bytes: number;
  readonly digest?: string;
}

/**
 * Uploads the files and folders that match paths and patterns. If the key of the address ends in a slash, each is
 * stored under its own name below it; otherwise, under the key itself.
 * @throws {CommandError} if an upload fails, after all others have finished.
 */
export async function upload(values: readonly string[], address: StoreAddress, options: UploadOptions): Promise<void> {
  const { world, connection, output, repository } = options;
  const keys = keysOf(uploadSources(values), address);
  await using served = await connection.serveArtifacts?.();
  const usual = connection.artifactRepository ?? served?.repository;
  const known = await knownStore(address, connection, { repository, usual });
  const stop = new AbortController();
  using _listener = world.onInterrupt(() => stop.abort());
  await using store = await connection.service.openStore(connection.namespace, known.place, {
    signal: stop.signal,
    env: (name) => world.env(name),
  });
  const done: UploadResult[] = [];
  const sent = { files: 0, objects: 0, bytes: 0 };
  let failures = 0;
  using progress = new ProgressLine(
    world,
    () => `${sent.files} of ${keys.size}, ${countText(sent.objects, "object")}, ${sizeText(sent.bytes)}`,
  );
  const onObject = (bytes: number) => {
    sent.objects++;
    sent.bytes += bytes;
    if (output === undefined) progress.redraw();
  };
  const indexes = new Map([...keys.keys()].map((key, index) => [key, index]));
  await forEachConcurrently(keys, AT_ONCE, async ([key, source]) => {
    const to = known.addressOf(key);
    try {
      const { kind, objects, bytes, sha256 } = await sendFile(store, key, source, onObject);
      const digest = sha256 === undefined ? {} : { digest: `sha256:${sha256}` };
      done[indexes.get(key)!] = { source: source.path, address: to, kind, objects, bytes, ...digest };
      sent.files++;
      const size = kind === "file" ? sizeText(bytes) : `${countText(objects, "object")}, ${sizeText(bytes)}`;
      if (output === undefined) progress.line(`Created ${escapeControls(JSON.stringify(to))} (${size})`);
    } catch (error) {
      if (stop.signal.aborted) throw new CommandError("Interrupted: incomplete uploads were removed");
      if (!(error instanceof Error)) throw error;
      failures++;
      progress.error(escapeControls(`${source.path}, to ${to}: ${error.message}`));
    }
  });
  printList(world, Object.values(done), (uploadResult) => escapeControls(uploadResult.address), output);
  if (failures > 0) throw new CommandError(`${failures} of ${keys.size} could not be copied`);
}

/**
 * Returns the sources by key.
 * @throws {CommandError} for two sources with the same key, before anything is uploaded.
 */
function keysOf(sources: readonly UploadSource[], { key }: StoreAddress): ReadonlyMap<string, UploadSource> {
  const isInto = key === "" || key.endsWith("/");
  if (sources.length > 1 && !isInto) {
    throw badInput(`Expected an address that ends in a slash as the target of ${sources.length} files and folders`);
  }
  const keys = new Map<string, UploadSource>();
  for (const source of sources) {
    const whole = isInto ? `${key}${source.name}` : key;
    const other = keys.get(whole);
    if (other) throw badInput(`${other.path} and ${source.path} would have the same key ${whole}`);
    keys.set(whole, source);
  }
  return keys;
}

async function sendFile(
  store: OpenStore,
  key: string,
  { path, isFound }: UploadSource,
  onObject: (bytes: number) => void,
): Promise<TransferResult> {
  using held = Handle.open(path, { follow: !isFound });
  const { isFile, isDirectory, isSymlink } = held.info();
  if (isSymlink) throw new Error("it is a link, which patterns do not follow: name it explicitly");
  if (!isFile && !isDirectory) throw new Error("it is a pipe, socket or device, which cannot be copied");
  return await store.save(key, held, onObject);
}
