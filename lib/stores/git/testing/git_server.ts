/** A git server on this machine: bare repositories over HTTP, through `git http-backend`. */

/** A request that the server received: its path and its `Authorization` header. */
export interface Visit {
  readonly path: string;
  readonly authorization: string | null;
}

/** A server. Disposing of it stops it. */
export interface GitServer extends AsyncDisposable {
  readonly url: string;
  readonly root: string;
  readonly visits: readonly Visit[];
  /** Responds to a request instead of git, if set. */
  before?: (request: Request) => Response | undefined;
  /** Creates a repository with commits, each a map of files. Returns the commits' hashes. */
  repository(name: string, commits: readonly Readonly<Record<string, string>>[]): Promise<string[]>;
  /** Runs git in a repository. */
  git(name: string, ...args: string[]): Promise<string>;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** Runs git. Resolves to its output. */
export async function runGit(cwd: string, args: readonly string[], stdin?: string): Promise<string> {
  const child = new Deno.Command("git", {
    args: [...args],
    cwd,
    env: IDENTITY,
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin));
    await writer.close();
  }
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(`git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim();
}

/** Starts a server, optionally with a name and password. */
export async function gitServer(login?: string): Promise<GitServer> {
  const root = await Deno.makeTempDir({ prefix: "git-server-" });
  const visits: Visit[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const authorization = request.headers.get("authorization");
    visits.push({ path: new URL(request.url).pathname, authorization });
    const early = made.before?.(request);
    if (early) return early;
    if (login && authorization !== `Basic ${btoa(login)}`) {
      await request.body?.cancel();
      return new Response("", { status: 401, headers: { "www-authenticate": "Basic" } });
    }
    return await backend(root, request);
  });
  const made: GitServer = {
    url: `http://127.0.0.1:${server.addr.port}`,
    root,
    visits,
    git: (name, ...args) => runGit(`${root}/${name}`, args),
    async repository(name, commits) {
      const path = `${root}/${name}`;
      await runGit(root, ["init", "-q", "--bare", "-b", "main", name]);
      await runGit(path, ["config", "http.receivepack", "true"]);
      await runGit(path, ["config", "uploadpack.allowReachableSHA1InWant", "true"]);
      const hashes: string[] = [];
      for (const files of commits) hashes.push(await commit(path, files, hashes.at(-1)));
      return hashes;
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(root, { recursive: true });
    },
  };
  return made;
}

/** Writes a commit on top of `main`. A value `160000 HASH` is a submodule, one that begins with `-> ` is a link. */
async function commit(path: string, files: Readonly<Record<string, string>>, parent?: string): Promise<string> {
  const entries: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const module = /^160000 ([0-9a-f]+)$/.exec(content);
    const link = content.startsWith("-> ") ? content.slice(3) : undefined;
    const hash = module?.[1] ?? await runGit(path, ["hash-object", "-w", "--stdin"], link ?? content);
    entries.push(`${module ? "160000" : link ? "120000" : "100644"} ${hash}\t${name}`);
  }
  await runGit(path, ["read-tree", "--empty"]);
  await runGit(path, ["update-index", "--index-info"], entries.map((entry) => `${entry}\n`).join(""));
  const tree = await runGit(path, ["write-tree"]);
  const hash = await runGit(path, ["commit-tree", tree, "-m", "x", ...parent ? ["-p", parent] : []]);
  await runGit(path, ["update-ref", "refs/heads/main", hash]);
  return hash;
}

async function backend(root: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const child = new Deno.Command("git", {
    args: ["http-backend"],
    env: {
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers.get("content-type") ?? "",
      HTTP_CONTENT_ENCODING: request.headers.get("content-encoding") ?? "",
      GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(await request.bytes()).catch(() => {});
  await writer.close().catch(() => {});
  const { stdout } = await child.output();
  const text = new TextDecoder("latin1").decode(stdout);
  const end = text.indexOf("\r\n\r\n");
  const headers = new Headers();
  for (const line of text.slice(0, end).split("\r\n")) headers.append(...line.split(/: (.*)/, 2) as [string, string]);
  const status = Number(headers.get("status")?.slice(0, 3) ?? 200);
  headers.delete("status");
  return new Response(stdout.slice(end + 4), { status, headers });
}
