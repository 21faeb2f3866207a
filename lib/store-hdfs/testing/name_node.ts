/** A fake name node and data node in one server: files in memory behind WebHDFS. */

/** The fake server. Disposing of it stops it. */
export interface NameNode extends AsyncDisposable {
  readonly port: number;
  /** Folders are keys without content. */
  readonly entries: Map<string, { readonly bytes?: Uint8Array<ArrayBuffer>; readonly time: number }>;
  readonly requests: string[];
  /** Responds as a standby. */
  isStandby: boolean;
}

/** Starts a fake server. */
export function nameNode(): NameNode {
  let time = 0;
  const entries: NameNode["entries"] = new Map([["/", { time }]]);
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body = await request.bytes().catch(() => undefined);
    if (!body) return exception(400, "IOException", "the request is incomplete");
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/webhdfs\/v1/, "").split("/").map(decodeURIComponent).join("/");
    const op = url.searchParams.get("op") ?? "";
    requests.push(`${op} ${path}`);
    if (made.isStandby) return exception(403, "StandbyException", "Operation category READ is not supported");
    // The requested host, so that data goes through a proxy as well.
    const isData = url.searchParams.has("data");
    const toData = () => {
      url.searchParams.set("data", "1");
      const location = `http://${request.headers.get("host")}${url.pathname}${url.search}`;
      return new Response(null, { status: 307, headers: { location } });
    };
    const entry = entries.get(path);
    const statusOf = (path: string, pathSuffix: string) => {
      const { bytes, time } = entries.get(path)!;
      return { pathSuffix, type: bytes ? "FILE" : "DIRECTORY", length: bytes?.length ?? 0, modificationTime: time };
    };
    switch (op) {
      case "GETFILESTATUS":
        return entry ? Response.json({ FileStatus: statusOf(path, "") }) : notFound(path);
      case "LISTSTATUS": {
        const prefix = path === "/" ? "/" : `${path}/`;
        const names = [...entries.keys()].filter((key) => key !== "/" && key.startsWith(prefix))
          .map((key) => key.slice(prefix.length)).filter((name) => !name.includes("/"));
        return Response.json({ FileStatuses: { FileStatus: names.map((name) => statusOf(prefix + name, name)) } });
      }
      case "OPEN": {
        if (!entry?.bytes) return notFound(path);
        if (!isData) return toData();
        const from = Number(url.searchParams.get("offset") ?? 0);
        const length = url.searchParams.get("length");
        return new Response(entry.bytes.slice(from, length === null ? undefined : from + Number(length)));
      }
      case "CREATE":
        if (!isData) return toData();
        if (entry && !entry.bytes) return exception(403, "FileAlreadyExistsException", "a folder");
        entries.set(path, { bytes: body, time: ++time });
        return new Response(null, { status: 201 });
      case "MKDIRS":
        for (
          let folder = path;
          folder !== "" && !entries.has(folder);
          folder = folder.slice(0, folder.lastIndexOf("/"))
        ) {
          entries.set(folder, { time: ++time });
        }
        return Response.json({ boolean: true });
      case "RENAME": {
        const to = url.searchParams.get("destination")!;
        const options = url.searchParams.get("renameoptions");
        if (!entry || entries.has(to) && options !== "OVERWRITE") return Response.json({ boolean: false });
        entries.delete(path);
        entries.set(to, { ...entry, time: ++time });
        if (options) return new Response("");
        return Response.json({ boolean: true });
      }
      case "DELETE": {
        for (const key of [...entries.keys()]) if (key === path || key.startsWith(`${path}/`)) entries.delete(key);
        return Response.json({ boolean: entry !== undefined });
      }
    }
    return exception(400, "UnsupportedOperationException", op);
  });
  const made: NameNode = {
    port: server.addr.port,
    entries,
    requests,
    isStandby: false,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return made;
}

function notFound(path: string): Response {
  return exception(404, "FileNotFoundException", `File does not exist: ${path}`);
}

function exception(status: number, exception: string, message: string): Response {
  return Response.json({ RemoteException: { exception, message, javaClassName: "x" } }, { status });
}
