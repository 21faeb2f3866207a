/** A driver for a plugin's server: trees are exchanged by shared paths, streams frame by frame with back pressure. */
import { connect } from "node:net";
import { pause, systemClock } from "@tiphys/base/clock";
import type { Bytes, Source } from "@tiphys/base/net";
import { pieces, streamRange } from "@tiphys/base/byte_streams";
import {
  type ContentInfo,
  type Driver,
  type Item,
  type Part,
  type Place,
  StoreError,
  type TreeDriver,
} from "@tiphys/model/artifact";
import { call, isUnimplemented, type OpenClient, openClient, pluginError, type PluginMessage } from "./client.ts";

/** A plugin transfers whole trees, and also implements the operations of an object store. */
export type PluginDriver = Driver & Required<TreeDriver>;

/** The name of a plugin, and its socket. */
export interface Plugin {
  readonly plugin: string;
  readonly socket: string;
  /** Timeout for a response on its socket, in milliseconds. */
  readonly readyMillis?: number;
}

/** Maximum number of checks for the socket of a plugin, and the delay between them in milliseconds. */
export const SOCKET_TRIES = 120;
const SOCKET_PAUSE_MILLIS = 1000;
const READY_MILLIS = 5000;
const READY_PAUSE_MILLIS = 100;
/** Size of upload frames in bytes. A server accepts at most 4 MiB. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** Maximum number of consecutive empty frames of a download. */
const MAX_EMPTY_FRAMES = 1000;
/** A folder that is shared with plugins, for content that they only accept by path. */
const SHARED_FOLDER = "/tmp/argo/outputs";

/** Creates the driver of a plugin. */
export function pluginDriver({ plugin, socket, readyMillis = READY_MILLIS }: Plugin): PluginDriver {
  let opened: Promise<OpenClient> | undefined;

  async function client(stop: AbortSignal) {
    opened ??= waitUntilReady(plugin, socket, readyMillis, stop).then(() => openClient(socket));
    try {
      return (await opened).client;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  }

  function messageOf({ key, settings }: Place): PluginMessage {
    const { configuration, connectionTimeoutSeconds } = settings as {
      readonly configuration?: string;
      readonly connectionTimeoutSeconds?: number;
    };
    return {
      plugin: {
        name: plugin,
        configuration: configuration ?? "",
        connectionTimeoutSeconds: connectionTimeoutSeconds ?? 0,
        key,
      },
    };
  }

  async function load(location: Place, path: string, stop: AbortSignal): Promise<void> {
    const what = `plugin ${plugin} load`;
    const calls = await client(stop);
    const request = { inputArtifact: messageOf(location), path: await realPathOf(path) };
    const { success, error } = await call(what, stop, () => calls.load(request, { signal: stop }));
    if (!success) throw pluginError(what, error);
  }

  async function save(path: string, location: Place, stop: AbortSignal): Promise<void> {
    const what = `plugin ${plugin} save`;
    const calls = await client(stop);
    const request = { outputArtifact: messageOf(location), path: await realPathOf(path) };
    const { success, error } = await call(what, stop, () => calls.save(request, { signal: stop }));
    if (!success) throw pluginError(what, error);
  }

  async function find(location: Place, stop: AbortSignal): Promise<ContentInfo> {
    const what = `plugin ${plugin} is directory check`;
    const calls = await client(stop);
    const request = { artifact: messageOf(location) };
    const { isDirectory, error } = await call(what, stop, () => calls.isDirectory(request, { signal: stop }));
    if (error) throw pluginError(what, error);
    return { kind: isDirectory ? "folder" : "file" };
  }

  async function read(location: Place, { from = 0, to }: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>> {
    const what = `plugin ${plugin} open stream`;
    const calls = await client(stop);
    const over = new AbortController();
    const signal = AbortSignal.any([stop, over.signal]);
    const frames = calls.openStream({ artifact: messageOf(location) }, { signal })[Symbol.asyncIterator]();
    const next = async (): Promise<Bytes | undefined> => {
      for (let empty = 0; empty < MAX_EMPTY_FRAMES; empty++) {
        const { done, value } = await call(what, stop, () => frames.next());
        if (done) return undefined;
        if (value.error) throw pluginError(what, value.error);
        if (value.data.length > 0) return value.data;
        if (value.isEnd) return undefined;
      }
      over.abort();
      throw pluginError(what, `${MAX_EMPTY_FRAMES} consecutive frames are empty`);
    };
    // Waits for the first frame, so that a missing artifact is reported at once.
    let first: Bytes | undefined = await next();
    let isOver = first === undefined;
    const stream = new ReadableStream<Bytes>({
      async pull(controller) {
        const frame = first ?? (isOver ? undefined : await next());
        first = undefined;
        if (frame) return controller.enqueue(frame);
        isOver = true;
        over.abort();
        controller.close();
      },
      cancel: () => over.abort(),
    }, { highWaterMark: 0 });
    return from > 0 || to !== undefined ? streamRange(stream, from, to) : stream;
  }

  async function* list(location: Place, stop: AbortSignal): AsyncGenerator<Item> {
    const what = `plugin ${plugin} list objects`;
    const calls = await client(stop);
    const request = { artifact: messageOf(location) };
    const { objects, error } = await call(what, stop, () => calls.listObjects(request, { signal: stop }));
    if (error) throw pluginError(what, error);
    const prefix = location.key === "" || location.key.endsWith("/") ? location.key : `${location.key}/`;
    for (const object of objects.toSorted()) {
      const name = object.startsWith(prefix) ? object.slice(prefix.length) : object;
      if (name !== "") yield { name };
    }
  }

  async function write(
    location: Place,
    content: Source | ReadableStream<Bytes>,
    stop: AbortSignal,
  ): Promise<ContentInfo> {
    const calls = await client(stop);
    const supports = await call(`plugin ${plugin} get capabilities`, stop, async () => {
      try {
        return (await calls.getCapabilities({}, { signal: stop })).supportsSaveStream;
      } catch (error) {
        if (isUnimplemented(error)) return false;
        throw error;
      }
    });
    let size = 0;
    const counted = async function* () {
      for await (const chunk of pieces(content, CHUNK_BYTES)) {
        size += chunk.length;
        yield chunk;
      }
    };
    if (!supports) {
      await saveThroughFile(counted(), socket, (path) => save(path, location, stop), stop);
      return { kind: "file", size };
    }
    const what = `plugin ${plugin} save stream`;
    const frames = async function* () {
      yield { outputArtifact: messageOf(location) };
      for await (const chunk of counted()) yield { chunk };
    };
    const { success, error } = await call(what, stop, () => calls.saveStream(frames(), { signal: stop }));
    if (!success) throw pluginError(what, error);
    return { kind: "file", size };
  }

  async function remove(location: Place, stop: AbortSignal): Promise<{ readonly removed: number }> {
    const what = `plugin ${plugin} delete`;
    const calls = await client(stop);
    const request = { artifact: messageOf(location) };
    try {
      const { success, error } = await call(what, stop, () => calls.delete(request, { signal: stop }));
      if (!success) throw pluginError(what, error);
      return { removed: 1 };
    } catch (error) {
      if (error instanceof StoreError && error.kind === "missing") return { removed: 0 };
      throw error;
    }
  }

  async function close(): Promise<void> {
    const open = await opened?.catch(() => undefined);
    opened = undefined;
    open?.close();
  }

  const can = { save: true, folders: true, list: true, remove: true };
  return { can, load, save, find, read, list, write, remove, close };
}

/**
 * Stores content in a file while a plugin reads it, in a folder that the plugin can access, like that of its socket.
 */
async function saveThroughFile(
  content: AsyncIterable<Bytes>,
  socket: string,
  use: (path: string) => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const isShared = await Deno.stat(SHARED_FOLDER).then(({ isDirectory }) => isDirectory, () => false);
  const path = await Deno.makeTempFile({ dir: isShared ? SHARED_FOLDER : socket.slice(0, socket.lastIndexOf("/")) });
  try {
    await Deno.writeFile(path, ReadableStream.from(content), { signal: stop });
    await Deno.chmod(path, 0o644); // The plugin runs as another user.
    await use(path);
  } finally {
    await Deno.remove(path);
  }
}

/** Returns a path that is valid in another process, unlike `/proc/self`. */
async function realPathOf(path: string): Promise<string> {
  const slash = path.lastIndexOf("/");
  return `${await Deno.realPath(path.slice(0, slash) || "/")}/${path.slice(slash + 1)}`;
}

async function waitUntilReady(plugin: string, socket: string, readyMillis: number, stop: AbortSignal): Promise<void> {
  for (let tries = 0; !await Deno.stat(socket).then(() => true, () => false); tries++) {
    if (tries >= SOCKET_TRIES) {
      throw new StoreError(
        `plugin ${plugin} expected unix socket at "${socket}" but it does not exist after waiting for ${SOCKET_TRIES} seconds`,
        "final",
      );
    }
    await pause(systemClock, SOCKET_PAUSE_MILLIS, stop);
  }
  for (let waited = 0; !await isListening(socket); waited += READY_PAUSE_MILLIS) {
    if (waited >= readyMillis) {
      throw new StoreError(
        `timeout waiting for plugin ${plugin} connection to become ready, last state: TRANSIENT_FAILURE (socket="${socket}")`,
        "final",
      );
    }
    await pause(systemClock, READY_PAUSE_MILLIS, stop);
  }
}

function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect({ path: socket });
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    connection.once("error", () => resolve(false));
  });
}
