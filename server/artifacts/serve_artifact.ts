/** The response to a request for an artifact: a file as a stream, a folder's listing, or a redirect. */
import { type ContentInfo, type Driver, type Place, StoreError } from "@tiphys/model/artifact";
import type { Workflow } from "@tiphys/model/api";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { type OpenArtifact, openArtifact, PluginUnavailableError } from "@tiphys/service/artifacts";
import type { ArtifactChoice } from "@tiphys/service";
import type { Call } from "../routes/route.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { entityTag, matchesEntityTag } from "../wire/entity_tags.ts";
import { artifactHeaders, fileHeaders, rangeOf, withScripts } from "./headers.ts";
import { filesBelow, listingPage, namesIn } from "./listing.ts";

type ServeCall = Pick<Call, "caller" | "served" | "signal" | "headers" | "isHeadOnly">;

/** The requested artifact, and the path in it. */
export interface ArtifactRequest {
  readonly choice: ArtifactChoice;
  /** The path below the artifact, with a trailing slash for a folder; undefined for the artifact itself. */
  readonly path?: string | undefined;
  /** The URL of the artifact as a folder, for redirects. */
  readonly folderUrl: string;
  /** Whether the user allows its scripts to run, in isolation. */
  readonly mayRunScripts?: boolean | undefined;
}

/**
 * Serves an artifact with the store credentials that the caller may read.
 * @throws {WireError} `notFound` when the artifact does not exist, `internal` when its store fails.
 */
export async function serveArtifact(call: ServeCall, workflow: Workflow, request: ArtifactRequest): Promise<Response> {
  const artifact = await openReadable(call, workflow, request.choice);
  const isKept = { stream: false };
  try {
    return await serveOpened(call, artifact, request, isKept);
  } catch (error) {
    throw withoutLocation(call, artifact.redactError(error));
  } finally {
    if (!isKept.stream) await artifact[Symbol.asyncDispose]();
  }
}

/** An artifact whose files can be read individually. */
type ReadableArtifact = OpenArtifact & { readonly driver: Driver };

async function openReadable(call: ServeCall, workflow: Workflow, choice: ArtifactChoice): Promise<ReadableArtifact> {
  const { caller, served, signal } = call;
  let artifact: OpenArtifact;
  try {
    artifact = await openArtifact(caller.client, workflow, choice, { beside: served.trees.env, reach: served.reach });
  } catch (error) {
    if (error instanceof ActionError) throw new WireError(CODE.notFound, error.message);
    if (error instanceof PluginUnavailableError) throw new WireError(CODE.unavailable, error.message);
    throw withoutLocation({ served }, error);
  }
  const { driver, place, redactError } = artifact;
  if ("find" in driver) return { ...artifact, driver, [Symbol.asyncDispose]: () => artifact[Symbol.asyncDispose]() };
  await using opening = new AsyncDisposableStack();
  opening.use(artifact);
  try {
    const tree = opening.use(await served.trees.fetch(driver, place, signal));
    const all = opening.move();
    return { place, redactError, driver: tree.driver, [Symbol.asyncDispose]: () => all.disposeAsync() };
  } catch (error) {
    throw withoutLocation(call, redactError(error));
  }
}

/** Converts errors of stores to errors that do not disclose the location. The details are logged without secrets. */
function withoutLocation({ served }: Pick<ServeCall, "served">, error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  if (error.kind === "missing") return new WireError(CODE.notFound, "the artifact no longer exists in its store");
  served.log.warn("Failed to read an artifact from its store", { kind: error.kind, error: error.message });
  return new WireError(CODE.internal, "failed to read the artifact from its store");
}

async function serveOpened(
  call: ServeCall,
  artifact: ReadableArtifact,
  { path, folderUrl, choice, mayRunScripts }: ArtifactRequest,
  isKept: { stream: boolean },
): Promise<Response> {
  const { driver } = artifact;
  const place = locationBelow(artifact.place, path ?? "");
  const found = await driver.find(place, call.signal);
  const isFolderUrl = path === undefined ? false : path === "" || path.endsWith("/");
  if (found.kind === "folder") {
    if (!isFolderUrl) return redirect(path === undefined ? folderUrl : `./${encodeURIComponent(lastSegment(path))}/`);
    if (call.headers.get("accept") === "application/gzip") {
      const name = lastSegment(place.key.replace(/\/$/, "")) || choice.artifactName;
      return await serveAsArchive(call, artifact, { place, name, isKept });
    }
    return await serveFolderListing(call, driver, place);
  }
  if (isFolderUrl) {
    throw new WireError(CODE.notFound, "the artifact no longer exists in its store");
  }
  return await serveFile(call, artifact, { driver, place, info: found, isKept, mayRunScripts });
}

/** Returns the location below an artifact. The router has split the path, so it cannot leave the artifact. */
function locationBelow(location: Place, path: string): Place {
  const below = path.replace(/\/$/, "");
  return below === "" ? location : { ...location, key: `${location.key.replace(/\/$/, "")}/${below}` };
}

function lastSegment(path: string): string {
  return path.split("/").at(-1) ?? "";
}

function redirect(location: string): Response {
  return new Response(null, { status: 307, headers: { location } });
}

async function serveFolderListing(
  { served, signal, headers }: ServeCall,
  driver: Driver,
  location: Place,
): Promise<Response> {
  const shared = served.artifactHeaders ?? artifactHeaders(() => undefined);
  if (headers.get("accept") === "application/json") {
    const { files, isCut } = await filesBelow(driver, location, signal);
    if (isCut) throw new WireError(CODE.resourceExhausted, `the folder has more than ${files.length} files`);
    return Response.json({ items: files }, { headers: shared });
  }
  const names = await namesIn(driver, location, signal);
  if (names.names.includes("index.html")) return redirect("./index.html");
  return new Response(listingPage(names), { headers: { ...shared, "content-type": "text/html; charset=utf-8" } });
}

/** Serves a folder as one archive, which is created while it is sent. */
async function serveAsArchive(
  { served, signal, isHeadOnly }: ServeCall,
  artifact: ReadableArtifact,
  { place, name, isKept }: { readonly place: Place; readonly name: string; readonly isKept: { stream: boolean } },
): Promise<Response> {
  const { driver } = artifact;
  await using opened = new AsyncDisposableStack();
  const items = driver.list(place, signal)[Symbol.asyncIterator]();
  // An abandoned listing must be closed, because it may hold an open folder.
  opened.defer(async () => void await items.return?.());
  let next = await items.next();
  if (!next.done && next.value.size === undefined) {
    throw new WireError(
      CODE.unimplemented,
      "the store reports no sizes, which an archive requires",
    );
  }
  const headers = { ...served.artifactHeaders ?? artifactHeaders(() => undefined), ...fileHeaders(`${name}.tgz`) };
  if (isHeadOnly) return new Response(null, { headers });
  const prefix = place.key === "" || place.key.endsWith("/") ? place.key : `${place.key}/`;
  const content = async function* () {
    for (; !next.done; next = await items.next()) {
      const { name, size = 0, etag } = next.value;
      const child = { ...place, key: `${prefix}${name}` };
      const part = etag === undefined ? {} : { etag };
      yield { name, size, content: () => driver.read(child, part, signal) };
    }
  };
  // Imported on demand, like stores.
  const { tarGzOfItems } = await import("@tiphys/artifacts/formats/tar_of_items");
  const archive = await tarGzOfItems(content(), name, served.now());
  const all = new AsyncDisposableStack();
  all.use(artifact);
  all.use(opened.move());
  isKept.stream = true;
  const { redactError } = artifact;
  const whole = withClosingStore(archive, { redactError, [Symbol.asyncDispose]: () => all.disposeAsync() });
  return new Response(whole, { headers });
}

interface File {
  readonly driver: Driver;
  readonly place: Place;
  readonly info: ContentInfo;
  readonly isKept: { stream: boolean };
  readonly mayRunScripts?: boolean | undefined;
}

async function serveFile(
  { served, signal, headers: asked, isHeadOnly }: ServeCall,
  artifact: OpenArtifact,
  { driver, place, info: { size, etag }, isKept, mayRunScripts = false }: File,
): Promise<Response> {
  const tag = entityTag(etag);
  const shared = served.artifactHeaders ?? artifactHeaders(() => undefined);
  const headers = new Headers({
    ...mayRunScripts ? withScripts(shared) : shared,
    ...(tag === undefined ? {} : { etag: tag }),
  });
  if (matchesEntityTag(asked.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  const range = size === undefined || isHeadOnly ? undefined : rangeOf(asked, size, tag);
  if (range === null) return new Response(null, { status: 416, headers: { "content-range": `bytes */${size}` } });
  for (const [name, value] of Object.entries(fileHeaders(place.key))) headers.set(name, value);
  if (size !== undefined) headers.set("accept-ranges", "bytes");
  if (size !== undefined) headers.set("content-length", String(range ? range.to - range.from : size));
  if (range) headers.set("content-range", `bytes ${range.from}-${range.to - 1}/${size}`);
  const status = range ? 206 : 200;
  if (isHeadOnly) return new Response(null, { status, headers });
  const content = await driver.read(place, { ...range, ...(etag === undefined ? {} : { etag }) }, signal);
  isKept.stream = true;
  return new Response(withClosingStore(content, artifact), { status, headers });
}

/**
 * Returns a stream that closes the store at its end. An error is passed to the client as an aborted stream, so that it
 * does not mistake the file for complete.
 */
function withClosingStore(
  content: ReadableStream<Uint8Array>,
  artifact: Pick<OpenArtifact, "redactError" | typeof Symbol.asyncDispose>,
): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  const close = async () => await artifact[Symbol.asyncDispose]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        await close();
        controller.close();
      } catch (error) {
        await close();
        throw artifact.redactError(error);
      }
    },
    async cancel(reason) {
      try {
        await reader.cancel(reason);
      } finally {
        await close();
      }
    },
  }, { highWaterMark: 0 });
}
