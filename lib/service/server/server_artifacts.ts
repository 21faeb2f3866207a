/** Artifacts from an Argo server, read through a driver whose store is the server. */
import type { Workflow } from "@tiphys/model/api";
import { type ContentInfo, type Driver, type Item, type Part, type Place, StoreError } from "@tiphys/model/artifact";
import { classifyError } from "@tiphys/kube";
import type { Bytes } from "@tiphys/base/net";
import type { ArtifactChoice } from "../service.ts";
import { FilesResponse } from "./answers.ts";
import { requestServer, type SendToServer, type ServerResponse, UnreadableResponseError } from "./exchange.ts";

/** A file of the server. Its key is the path below the artifact, and is empty for the artifact itself. */
export const ARTIFACT_ITSELF: Place = { store: "server", key: "", settings: {} };

/** Reads one artifact of a workflow from a server. */
export class ServerArtifact implements Driver {
  readonly can = { save: false, folders: true, list: true, remove: false };
  readonly #send: SendToServer;
  readonly #artifactPath: string;
  readonly #files: string;
  /** The content that came with the response about its existence. */
  #opened: ReadableStream<Bytes> | undefined;

  constructor(send: SendToServer, { metadata }: Workflow, { nodeId, artifactName, isInput }: ArtifactChoice) {
    const path = (...parts: readonly string[]) => parts.map(encodeURIComponent).join("/");
    const { namespace = "", name = "" } = metadata;
    this.#send = send;
    this.#artifactPath = `/${isInput ? "input-" : ""}artifacts/${path(namespace, name, nodeId, artifactName)}`;
    const side = isInput ? "inputs" : "outputs";
    this.#files = `/artifact-files/${path(namespace, "workflows", name, nodeId, side, artifactName)}`;
  }

  async find(_place: Place, stop: AbortSignal): Promise<ContentInfo> {
    const { status, headers, body } = await this.#request(this.#artifactPath, {}, stop);
    await this.#opened?.cancel();
    this.#opened = undefined;
    if (status === 307) {
      await body?.cancel();
      return { kind: "folder" };
    }
    this.#opened = contentOf(body);
    const size = parseSize(headers);
    return { kind: "file", ...(size === undefined ? {} : { size }) };
  }

  async read({ key }: Place, { from = 0, to }: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>> {
    const found = this.#opened;
    this.#opened = undefined;
    if (found && key === "" && from === 0 && to === undefined) return found;
    await found?.cancel();
    const range: Readonly<Record<string, string>> = from > 0 || to !== undefined
      ? { range: `bytes=${from}-${to === undefined ? "" : to - 1}` }
      : {};
    const path = key === "" ? this.#artifactPath : `${this.#files}/${key.split("/").map(encodeURIComponent).join("/")}`;
    return contentOf((await this.#request(path, range, stop)).body);
  }

  async *list(_place: Place, stop: AbortSignal): AsyncGenerator<Item> {
    let items: readonly Item[];
    try {
      ({ items } = await requestServer(this.#send, "GET", `${this.#files}/`, FilesResponse, { signal: stop }));
    } catch (error) {
      if (!(error instanceof UnreadableResponseError)) throw error;
      throw new StoreError(
        "the server returns this folder only as a page, from which its files cannot be listed",
        "final",
      );
    }
    yield* items;
  }

  write(): Promise<ContentInfo> {
    return Promise.reject(new StoreError("a server does not accept artifacts", "final"));
  }

  remove(): Promise<{ readonly removed: number }> {
    return Promise.reject(new StoreError("a server does not delete artifacts", "final"));
  }

  async close(): Promise<void> {
    await this.#opened?.cancel();
    this.#opened = undefined;
  }

  /** Sends a request and returns a response with the content, or with the redirect to a folder. */
  async #request(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ServerResponse> {
    let answer: ServerResponse;
    try {
      answer = await this.#send({ method: "GET", path, headers, signal });
    } catch (error) {
      if (classifyError(error) !== "transient") throw error;
      throw new StoreError(error instanceof Error ? error.message : String(error), "transient", undefined, {
        cause: error,
      });
    }
    const { status, body } = answer;
    if (status === 200 || status === 206 || status === 307) return answer;
    const said = (await new Response(body).text()).trim().slice(0, 500);
    throw new StoreError(`the server answered ${status}: ${said}`, kindOf(status));
  }
}

function kindOf(status: number): "missing" | "forbidden" | "transient" | "final" {
  if (status === 404) return "missing";
  if (status === 401 || status === 403) return "forbidden";
  return status === 429 || status === 503 || status === 504 ? "transient" : "final";
}

/** Returns the stored length of the content; undefined when the server does not send it. */
function parseSize(headers: Headers | undefined): number | undefined {
  const length = headers?.get("content-length");
  if (!length || headers?.has("content-encoding")) return undefined;
  const size = Number(length);
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

function contentOf(body: ServerResponse["body"]): ReadableStream<Bytes> {
  return (body ?? new Blob([]).stream()) as ReadableStream<Bytes>;
}
