/** Tests of git and plugin artifacts through the server. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { Artifact, Workflow } from "@tiphys/model/api";
import { gitServer } from "../../lib/stores/git/testing/git_server.ts";
import { needs } from "../../lib/base/testing/needs.ts";
import { SERVER_PROGRAM } from "../../scripts/image_programs.ts";
import { SECRETS, WORKFLOWS } from "@tiphys/kube";
import { endedWorkflow } from "../testing/archive_bench.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../testing/server_bench.ts";
import { WireError } from "../wire/errors.ts";
import { type TreeBounds, TreeFetcher } from "./fetched_tree.ts";

const CONFIG = new URL("../../deno.json", import.meta.url).pathname;
const FILES = `/artifact-files/${NAMESPACE}/workflows/w/w/inputs/in`;

/** A server with access to the programs of this machine, and a workflow "w" whose node "w" has an input artifact. */
async function benchWith(
  artifact: Readonly<Record<string, unknown>>,
  { bounds, env = {}, modes = ["server"], outputs }: {
    /** The output artifacts of the node. */
    readonly outputs?: readonly Artifact[];
    readonly bounds?: TreeBounds;
    readonly env?: Readonly<Record<string, string>>;
    readonly modes?: readonly ("client" | "server")[];
  } = {},
): Promise<ServerBench> {
  const known: Readonly<Record<string, string | undefined>> = { PATH: Deno.env.get("PATH"), ...env };
  const bench = await serverBench(modes, { trees: new TreeFetcher((name) => known[name], bounds) });
  const { metadata: { uid: _, ...metadata }, ...workflow } = endedWorkflow("w", 1);
  const nodes = {
    w: {
      ...workflow.status!.nodes!.w!,
      inputs: { artifacts: [{ name: "in", ...artifact } as Artifact] },
      ...outputs ? { outputs: { artifacts: outputs } } : {},
    },
  };
  const status = { ...workflow.status, nodes };
  await bench.admin.create(WORKFLOWS, NAMESPACE, { ...workflow, metadata, status } as Workflow);
  return bench;
}

async function fetchText(bench: ServerBench, path: string, headers: Record<string, string> = {}, token?: string) {
  const response = await bench.ask("GET", path, { headers, ...token ? { token } : {} });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** The folder for the trees of a test. */
async function treeFolder() {
  const path = await Deno.makeTempDir();
  return {
    path,
    left: () => [...Deno.readDirSync(path)].map(({ name }) => name),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

Deno.test("git artifact: is served as a folder without history, and the server keeps nothing of it", async () => {
  await using trees = await treeFolder();
  await using git = await gitServer("me:canary-password");
  await git.repository("r.git", [{ a: "old" }, {
    "a.txt": "0123456789",
    "sub/b": "deep",
    "out": "-> /etc/passwd",
    "in": "-> sub/b",
    "history": "-> .git/config",
  }]);
  const secret = (key: string) => ({ name: "git", key });
  const repo = `${git.url}/r.git`;
  await using bench = await benchWith({
    git: { repo, usernameSecret: secret("user"), passwordSecret: secret("password") },
  }, { modes: ["client"], bounds: { folder: trees.path } });
  await bench.admin.create(SECRETS, NAMESPACE, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "git" },
    data: { user: btoa("me"), password: btoa("canary-password") },
  });
  const workflows = { verb: "get", group: "argoproj.io", resource: "workflows" };
  const caller = await bench.account([workflows]);
  const ask = (path: string, headers = {}) => fetchText(bench, path, headers, caller.token);

  assertEquals((await ask(`${FILES}/`)).status, 403);
  assertEquals(git.visits.length, 0);
  await caller.grant([workflows, { verb: "get", group: "", resource: "secrets" }]);
  bench.advanceClock(61_000);

  const response = await ask(`/input-artifacts/${NAMESPACE}/w/w/in`);
  assertEquals([response.status, response.headers.get("location")?.endsWith("/inputs/in/")], [307, true]);
  const listed = await ask(`${FILES}/`, { accept: "application/json" });
  assertEquals(JSON.parse(listed.text), { items: [{ name: "a.txt", size: 10 }, { name: "sub/b", size: 4 }] });
  const page = await ask(`${FILES}/`);
  assertStringIncludes(page.text, `<a href="./sub/">sub/</a>`);
  assert(!page.text.includes(".git"), page.text);
  const archive = await ask(`${FILES}/`, { accept: "application/gzip" });
  assertEquals([archive.status, archive.headers.get("content-disposition")], [200, 'filename="in.tgz"']);
  const part = await ask(`${FILES}/a.txt`, { range: "bytes=2-4" });
  assertEquals([part.status, part.text], [206, "234"]);
  assertEquals((await ask(`${FILES}/in`)).text, "deep");
  for (const path of ["out", "history", ".git/config", "a.txt/b", "none", "sub/.git"]) {
    assertEquals((await ask(`${FILES}/${path}`)).status, 404, path);
  }
  assertEquals(trees.left(), []);
});

Deno.test("git artifact: above the size or time limit, the request fails and the server keeps nothing", async () => {
  await using git = await gitServer();
  await using trees = await treeFolder();
  await git.repository("r.git", [{ large: "x".repeat(3 << 20) }]);
  {
    await using bench = await benchWith({ git: { repo: `${git.url}/r.git` } }, {
      bounds: { folder: trees.path, bytes: 2 << 20 },
    });
    const { status, text } = await fetchText(bench, `${FILES}/large`);
    assertEquals([status, text], [429, "the artifact has more than 2 MiB, which exceeds the limit of this server\n"]);
  }
  await using silent = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  });
  await using bench = await benchWith({ git: { repo: `http://127.0.0.1:${silent.addr.port}/r.git` } }, {
    bounds: { folder: trees.path, millis: 300 },
  });
  const { status, text } = await fetchText(bench, `${FILES}/large`);
  assertEquals([status, text.includes("takes longer than 0.3 s")], [429, true], text);
  assertEquals(trees.left(), []);
});

Deno.test("git artifact: without git, or without the repository, the error names the reason", async () => {
  await using git = await gitServer();
  {
    await using bench = await benchWith({ git: { repo: `${git.url}/none.git` } });
    assertEquals((await fetchText(bench, `${FILES}/`)).status, 404);
  }
  await using bench = await benchWith({ git: { repo: `${git.url}/none.git` } }, { env: { PATH: "/nowhere" } });
  const { status, text } = await fetchText(bench, `${FILES}/`);
  assertEquals([status, text], [501, "git is not installed on this server: only pods can read git artifacts\n"]);
});

Deno.test("git artifact: concurrent fetches are limited, and a canceled request leaves the queue", async () => {
  let [most, now] = [0, 0];
  const two = Promise.withResolvers<void>();
  const trees = new TreeFetcher((name) => Deno.env.get(name));
  const driver = {
    async load(_: unknown, path: string) {
      most = Math.max(most, ++now);
      if (now === 2) two.resolve();
      await two.promise;
      await Deno.mkdir(path);
      now--;
    },
  };
  const place = { store: "git", key: "", settings: {} };
  const leaver = new AbortController();
  const asked = Array.from({ length: 8 }, (_, index) => {
    const { signal } = index === 5 ? leaver : new AbortController();
    return trees.fetch(driver, place, signal).then((tree) => tree[Symbol.asyncDispose]());
  });
  leaver.abort(new Error("canceled"));
  const answers = await Promise.allSettled(asked);
  assertEquals(answers.map(({ status }) => status).filter((status) => status === "fulfilled").length, 7);
  assertEquals([most, String((answers[5] as PromiseRejectedResult).reason)], [2, "Error: canceled"]);
});

Deno.test("git artifact: at most eight trees exist, even if clients read slowly", async () => {
  const trees = new TreeFetcher((name) => Deno.env.get(name));
  const driver = { load: (_: unknown, path: string) => Deno.mkdir(path) };
  const fetch = () => trees.fetch(driver, { store: "git", key: "", settings: {} }, new AbortController().signal);
  const there = [];
  for (let count = 0; count < 8; count++) there.push(await fetch());
  await assertRejects(fetch, WireError, "too many git artifacts are being read");
  await there.pop()![Symbol.asyncDispose]();
  there.push(await fetch());
  for (const tree of there) await tree[Symbol.asyncDispose]();
});

Deno.test({
  ...needs(
    "Linux",
    Deno.build.os === "linux",
    "git artifact: a canceled download leaves no folder and no file descriptor",
  ),
  async fn() {
    await using git = await gitServer();
    await using trees = await treeFolder();
    const content = () => [...crypto.getRandomValues(new Uint8Array(60_000))].join(" ");
    await git.repository("r.git", [Object.fromEntries(["a", "b", "c"].map((name) => [`sub/${name}`, content()]))]);
    await using bench = await benchWith({ git: { repo: `${git.url}/r.git` } }, { bounds: { folder: trees.path } });
    const answer = await bench.ask("GET", `${FILES}/`, { headers: { accept: "application/gzip" } });
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    assertEquals(trees.left(), []);
    const open = [...Deno.readDirSync("/proc/self/fd")].map(({ name }) => linkOf(`/proc/self/fd/${name}`));
    assertEquals(open.filter((path) => path.startsWith(trees.path)), []);
  },
});

function linkOf(path: string): string {
  try {
    return Deno.readLinkSync(path);
  } catch {
    // The descriptor through which the folder was read.
    return "";
  }
}

Deno.test("plugin artifact: is listed and streamed through a plugin next to the server; without the plugin, the response is 503", async () => {
  const sockets = await Deno.makeTempDir();
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${sockets}/sample`);
  await Deno.mkdir(`${folder}/out/sub`, { recursive: true });
  await Deno.writeTextFile(`${folder}/out/a.txt`, "0123456789");
  await Deno.writeTextFile(`${folder}/out/sub/b`, "deep");
  const plugin = { name: "sample", key: "out", configuration: "canary", connectionTimeoutSeconds: 60 };
  await Deno.writeTextFile(`${folder}/main.log`, "one\ntwo\n");
  const outputs = [{ name: "main-logs", plugin: { ...plugin, key: "main.log" } }];
  await using bench = await benchWith({ plugin }, { env: { TIPHYS_ARTIFACT_PLUGINS: sockets }, outputs });
  const log = `/api/v1/workflows/${NAMESPACE}/w/log`;

  assertStringIncludes((await fetchText(bench, log)).text, "the plugin sample does not run alongside this program");
  const away = await fetchText(bench, `${FILES}/`);
  assertEquals([away.status, away.text], [503, "the plugin sample does not run alongside this program\n"]);

  const program = new URL("../../lib/stores/plugin/testing/sample_plugin.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, `${sockets}/sample/socket`, folder],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  try {
    using watcher = Deno.watchFs(`${sockets}/sample`);
    if (!await Deno.stat(`${sockets}/sample/socket`).catch(() => undefined)) {
      for await (const { kind } of watcher) if (kind === "create") break;
    }
    const listed = await fetchText(bench, `${FILES}/`, { accept: "application/json" });
    assertEquals(JSON.parse(listed.text), { items: [{ name: "a.txt" }, { name: "sub/b" }] });
    assertStringIncludes((await fetchText(bench, `${FILES}/`)).text, `<a href="./sub/">sub/</a>`);
    assertEquals((await fetchText(bench, `${FILES}/sub/b`)).text, "deep");
    assertEquals((await fetchText(bench, `${FILES}/none`)).status, 404);
    assertEquals((await fetchText(bench, `${FILES}/`, { accept: "application/gzip" })).status, 501);
    const lines = (await fetchText(bench, log)).text.trim().split("\n").map((line) => JSON.parse(line).result.content);
    assertEquals(lines, ["one", "two"]);
  } finally {
    child.kill("SIGKILL");
    await child.status;
    await Deno.remove(sockets, { recursive: true });
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("TreeFetcher: a server that can run git removes orphaned trees at start; without permission it does not look", async () => {
  await using trees = await treeFolder();
  await Deno.mkdir(`${trees.path}/tiphys-tree-left`);
  const later = Date.now() + 3_600_000;
  const source = `import { TreeFetcher } from ${JSON.stringify(import.meta.resolve("./fetched_tree.ts"))};
    const trees = new TreeFetcher((name) => Deno.env.get(name));
    await trees.removeOrphans(${later});
    const place = { store: "git", key: "", settings: { repo: "x" } };
    await trees.fetch({}, place, new AbortController().signal).catch((error) => console.log(error.message));`;
  await using scripts = await treeFolder();
  await Deno.writeTextFile(`${scripts.path}/start.ts`, source);
  const start = async (...permissions: readonly string[]) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--no-prompt", "--config", CONFIG, ...permissions, `${scripts.path}/start.ts`],
      env: { TMPDIR: trees.path },
    }).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assertEquals(code, 0, said);
    return said;
  };
  assertStringIncludes(await start(...SERVER_PROGRAM.permissions), "git is not installed on this server");
  assertEquals(trees.left(), ["tiphys-tree-left"]);

  const none = new TreeFetcher(() => undefined, { folder: trees.path });
  await none.removeOrphans(later);
  assertEquals(trees.left(), ["tiphys-tree-left"]);
  await new TreeFetcher((name) => Deno.env.get(name), { folder: trees.path }).removeOrphans(later);
  assertEquals(trees.left(), []);

  await Deno.mkdir(`${trees.path}/tiphys-tree-left`);
  const own = [...SERVER_PROGRAM.permissions, "--allow-run", `--allow-write=${trees.path}`];
  assertEquals((await start(...own)).includes("git is not installed"), false);
  assertEquals(trees.left(), []);
});
