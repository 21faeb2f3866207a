/** Files and folders of this machine, sent to the store of an address: several at once, each whole or not at all. */
import type { Moved } from "@tiphys/stores";
import { sideBySide } from "@tiphys/artifacts/transfer/side_by_side";
import { countText } from "@tiphys/base/count_text";
import { Held } from "@tiphys/base/confined";
import type { OpenStore } from "@tiphys/service";
import { badInput, CommandError } from "../command_error.ts";
import { plain } from "../view/plain.ts";
import { type OutputForm, printList } from "../view/print_object.ts";
import { ProgressLine } from "../view/progress_line.ts";
import { sizeText } from "../view/size_text.ts";
import type { Connection, World } from "../world.ts";
import { type UploadSource, uploadSources } from "./sources.ts";
import { knownStore, type StoreAddress } from "./store_address.ts";

/** Files and folders that are sent at once. */
const AT_ONCE = 4;

/** The means of an upload, and what the flags say of it. */
export interface Uploading {
  readonly world: World;
  readonly connection: Connection;
  readonly repository?: string | undefined;
  readonly output?: OutputForm | undefined;
}

/** What lies in the store now. */
interface Uploaded {
  readonly source: string;
  readonly address: string;
  readonly kind: Moved["kind"];
  readonly objects: number;
  readonly bytes: number;
  readonly digest?: string;
}

/**
 * Sends what paths and patterns name. A key that ends in a slash is a folder that it is put into under its own name, any
 * other key is its name there.
 * @throws {CommandError} when something could not be sent, after all that could be was.
 */
export async function upload(given: readonly string[], address: StoreAddress, uploading: Uploading): Promise<void> {
  const { world, connection, output } = uploading;
  const keys = keysOf(uploadSources(given), address);
  await using served = await connection.serveArtifacts?.();
  const usual = connection.artifactRepository ?? served?.repository;
  const known = await knownStore(address, connection, { repository: uploading.repository, usual });
  const stop = new AbortController();
  using _listener = world.onInterrupt(() => stop.abort());
  await using store = await connection.service.openStore(connection.namespace, known.place, {
    signal: stop.signal,
    env: (name) => world.env(name),
  });
  const done: Uploaded[] = [];
  const sent = { files: 0, objects: 0, bytes: 0 };
  let failures = 0;
  using progress = new ProgressLine(
    world,
    () => `${sent.files} of ${keys.size}, ${countText(sent.objects, "object")}, ${sizeText(sent.bytes)}`,
  );
  const onObject = (bytes: number) => {
    sent.objects++;
    sent.bytes += bytes;
    if (output === undefined) progress.moved();
  };
  const indexes = new Map([...keys.keys()].map((key, index) => [key, index]));
  await sideBySide(keys, AT_ONCE, async ([key, source]) => {
    const to = known.addressOf(key);
    try {
      const { kind, objects, bytes, sha256 } = await sendTo(store, key, source, onObject);
      const digest = sha256 === undefined ? {} : { digest: `sha256:${sha256}` };
      done[indexes.get(key)!] = { source: source.path, address: to, kind, objects, bytes, ...digest };
      sent.files++;
      const size = kind === "file" ? sizeText(bytes) : `${countText(objects, "object")}, ${sizeText(bytes)}`;
      if (output === undefined) progress.line(`Created ${plain(JSON.stringify(to))} (${size})`);
    } catch (error) {
      if (stop.signal.aborted) throw new CommandError("Interrupted: what was not whole is not there");
      if (!(error instanceof Error)) throw error;
      failures++;
      progress.error(plain(`${source.path}, to ${to}: ${error.message}`));
    }
  });
  printList(world, Object.values(done), (one) => plain(one.address), output);
  if (failures > 0) throw new CommandError(`${failures} of ${keys.size} could not be copied`);
}

/** The key of each source; two that would lie at the same are refused before anything is sent. */
function keysOf(sources: readonly UploadSource[], { key }: StoreAddress): ReadonlyMap<string, UploadSource> {
  const isInto = key === "" || key.endsWith("/");
  if (sources.length > 1 && !isInto) {
    throw badInput(`${sources.length} files and folders go into a folder: expected an address that ends in a slash`);
  }
  const keys = new Map<string, UploadSource>();
  for (const source of sources) {
    const whole = isInto ? `${key}${source.name}` : key;
    const other = keys.get(whole);
    if (other) throw badInput(`${other.path} and ${source.path} would both lie at ${whole}`);
    keys.set(whole, source);
  }
  return keys;
}

async function sendTo(
  store: OpenStore,
  key: string,
  { path, isFound }: UploadSource,
  onObject: (bytes: number) => void,
): Promise<Moved> {
  using held = Held.open(path, { follow: !isFound });
  const { isFile, isDirectory, isSymlink } = held.info();
  if (isSymlink) throw new Error("it is a link, which a pattern does not follow: name it by itself");
  if (!isFile && !isDirectory) throw new Error("it is a pipe, socket or device, which cannot be copied");
  return await store.save(key, held, onObject);
}
