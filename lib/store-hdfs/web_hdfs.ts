/** WebHDFS: the operations of a name node, and of the data nodes that it redirects to. */
import { type Fields, fieldsOf, textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import type { HttpResponse } from "@tiphys/base/net";
import { type DriverEnvironment, StoreError, type StoreErrorKind } from "@tiphys/model/artifact";
import { readPageText } from "@tiphys/artifacts/pages";
import type { Hdfs, Status } from "./hdfs.ts";
import { type ErrorBody, parseJsonResponse, responseFailure, send } from "@tiphys/artifacts/store_request";

/** Maximum size of a response. A folder is listed as a whole, with about 300 bytes per file. */
const MAX_RESPONSE_BYTES = 256 << 20;

interface Cluster {
  readonly urls: readonly URL[];
  readonly user: string | undefined;
  readonly environment: DriverEnvironment;
}

/** Creates the client of the active one of several name nodes. */
export function webHdfs({ urls, user, environment }: Cluster): Hdfs {
  const title = "hdfs";
  const { net, now } = environment;
  let active = 0;

  async function sendRequest(
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    stop: AbortSignal,
  ): Promise<HttpResponse> {
    const what = `${title}: ${query.op} ${path}`;
    const search = new URLSearchParams({ ...query, ...user ? { "user.name": user } : {} });
    let last: StoreError | undefined;
    for (let tries = 0; tries < urls.length; tries++) {
      const url = urls[active]!;
      const base = url.pathname === "/" ? "" : url.pathname;
      const target = `${base}/webhdfs/v1${path.split("/").map(encodeURIComponent).join("/")}?${search}`;
      try {
        const answer = await send(net, {
          method,
          url: new URL(url.origin),
          target,
          stop,
          ...method === "PUT" ? { body: new Uint8Array() } : {},
        }, what);
        if (answer.status < 400) return answer;
        const error = await responseFailure(answer, what, { now, read: remoteException, kindOf });
        if (error.kind !== "transient" || urls.length === 1) throw error;
        last = error;
      } catch (error) {
        if (!(error instanceof StoreError) || error.kind !== "transient") throw error;
        last = error;
      }
      // The name node is a standby or does not respond, so another one may be active.
      active = (active + 1) % urls.length;
    }
    throw last!;
  }

  /** Sends a request and parses its JSON response. */
  async function read<T>(
    method: string,
    path: string,
    { query, reader, stop }: {
      readonly query: Readonly<Record<string, string>>;
      readonly reader: (answer: Readonly<Fields>) => T | undefined;
      readonly stop: AbortSignal;
    },
  ): Promise<T> {
    const what = `${title}: ${query.op} ${path}`;
    const text = await readPageText(await sendRequest(method, path, query, stop), what, MAX_RESPONSE_BYTES);
    const value = reader(fieldsOf(parseJsonResponse(text, what)));
    if (value === undefined) throw new StoreError(`${what} failed: unexpected response`, "final");
    return value;
  }

  /** Returns the data node's URL in a redirect; undefined when the name node responds itself. */
  async function readRedirect(answer: HttpResponse, operation: string): Promise<URL | undefined> {
    if (answer.status !== 307) return undefined;
    await answer.discard();
    const location = URL.parse(answer.headers.get("location") ?? "");
    if (!location) throw new StoreError(`${operation} failed: the name node returned no data node`, "transient");
    return location;
  }

  return {
    title,
    async status(path, stop) {
      try {
        const query = { op: "GETFILESTATUS" };
        return await read("GET", path, { query, reader: ({ FileStatus }) => statusOf(FileStatus), stop });
      } catch (error) {
        if (error instanceof StoreError && error.kind === "missing") return undefined;
        throw error;
      }
    },
    async list(path, stop) {
      const reader = ({ FileStatuses }: Readonly<Fields>) => statusesOf(fieldsOf(FileStatuses).FileStatus);
      return await read("GET", path, { query: { op: "LISTSTATUS" }, reader, stop });
    },
    async open(path, { from, length }, stop) {
      const what = `${title}: OPEN ${path}`;
      const query = { op: "OPEN", offset: String(from), ...length === undefined ? {} : { length: String(length) } };
      const first = await sendRequest("GET", path, query, stop);
      const url = await readRedirect(first, what);
      if (!url) return first.body;
      const answer = await send(net, { method: "GET", url, stop }, what);
      if (answer.status === 200) return answer.body;
      throw await responseFailure(answer, what, { now, read: remoteException, kindOf });
    },
    async create(path, content, stop) {
      const what = `${title}: CREATE ${path}`;
      const url = await readRedirect(await sendRequest("PUT", path, { op: "CREATE", overwrite: "true" }, stop), what);
      if (!url) throw new StoreError(`${what} failed: the name node returned no data node`, "final");
      const headers = { "content-type": "application/octet-stream" };
      const answer = await send(net, { method: "PUT", url, headers, body: content, stop }, what);
      if (answer.status !== 201) throw await responseFailure(answer, what, { now, read: remoteException, kindOf });
      await answer.discard();
    },
    async makeFolder(path, stop) {
      await read("PUT", path, { query: { op: "MKDIRS" }, reader: parseBoolean, stop });
    },
    async rename(path, to, overwrites, stop) {
      const query = { op: "RENAME", destination: to };
      if (!overwrites) return await read("PUT", path, { query, reader: parseBoolean, stop });
      await (await sendRequest("PUT", path, { ...query, renameoptions: "OVERWRITE" }, stop)).discard();
      return true;
    },
    async remove(path, stop) {
      const query = { op: "DELETE", recursive: "true" };
      return await read("DELETE", path, { query, reader: parseBoolean, stop });
    },
  };
}

/** Parses the result of an operation: `{"boolean": true}`. */
function parseBoolean({ boolean: value }: Readonly<Fields>): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function statusesOf(value: unknown): Status[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const statuses = value.map(statusOf).filter((status) => status !== undefined);
  return statuses.length === value.length ? statuses : undefined;
}

function statusOf(value: unknown): Status | undefined {
  const { pathSuffix, type, length, modificationTime } = fieldsOf(value);
  if (typeof pathSuffix !== "string" || typeof length !== "number" || typeof modificationTime !== "number") {
    return undefined;
  }
  if (type !== "FILE" && type !== "DIRECTORY" && type !== "SYMLINK") return undefined;
  return { pathSuffix, type, length, modificationTime };
}

function remoteException(text: string): ErrorBody {
  const fields = fieldsOf(fieldsOfJson(text).RemoteException);
  return { code: textIn(fields, "exception"), message: textIn(fields, "message")?.split("\n")[0] };
}

function kindOf(status: number, { code }: ErrorBody): StoreErrorKind | undefined {
  if (code === "StandbyException" || code === "RetriableException" || code === "SafeModeException") return "transient";
  if (code === "AccessControlException") return "forbidden";
  return status === 403 && code !== undefined && code !== "SecurityException" ? "final" : undefined;
}
