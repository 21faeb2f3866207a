import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { StoreError, type TreeDriver } from "@tiphys/model/artifact";
import { driverFor } from "../driver_for.ts";
import { driverEnvironment } from "../../artifacts/testing/surroundings.ts";
import type { GitSettings } from "./checkout.ts";
import { type GitServer, gitServer, runGit } from "./testing/git_server.ts";

const stop = new AbortController().signal;

interface LoadedRepository extends AsyncDisposable {
  readonly path: string;
  git(...args: string[]): Promise<string>;
  read(name: string): Promise<string>;
}

async function load(
  settings: GitSettings,
  secrets: Record<string, string> = {},
  until = stop,
): Promise<LoadedRepository> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/out`;
  const forget = () => Deno.remove(folder, { recursive: true });
  try {
    const env = { PATH: Deno.env.get("PATH")! };
    const place = { store: "git", key: "", settings: { ...settings } };
    const driver = await driverFor(place, driverEnvironment({ secrets, env })) as TreeDriver;
    await driver.load(place, path, until);
  } catch (error) {
    await forget();
    throw error;
  }
  return {
    path,
    git: (...args) => runGit(path, args),
    read: (name) => Deno.readTextFile(`${path}/${name}`),
    [Symbol.asyncDispose]: forget,
  };
}

async function withHistory(): Promise<{ server: GitServer; hashes: string[] } & AsyncDisposable> {
  const server = await gitServer();
  const hashes = await server.repository("r.git", [{ a: "1" }, { a: "2" }, { a: "3" }]);
  await server.git("r.git", "branch", "dev", hashes[1]!);
  await server.git("r.git", "tag", "light", hashes[0]!);
  await server.git("r.git", "tag", "-m", "x", "v1", hashes[0]!);
  await server.git("r.git", "update-ref", "refs/pull/1/head", hashes[1]!);
  return { server, hashes, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

Deno.test("git: without a revision, checks out the default branch", async () => {
  await using made = await withHistory();
  await using loaded = await load({ repo: `${made.server.url}/r.git` });
  assertEquals(await loaded.read("a"), "3");
  assertEquals(await loaded.git("symbolic-ref", "HEAD"), "refs/heads/main");
  assertEquals((await loaded.git("branch", "-r", "--format=%(refname:short)")).split("\n"), [
    "origin/dev",
    "origin/main",
  ]);
});

Deno.test("git: a revision is a branch, tag, hash, abbreviated hash, or full ref, also without depth", async () => {
  await using made = await withHistory();
  const { server, hashes } = made;
  const cases = {
    dev: "2",
    light: "1",
    v1: "1",
    [hashes[1]!]: "2",
    [hashes[1]!.slice(0, 8)]: "2",
    "refs/pull/1/head": "2",
  };
  for (const [revision, content] of Object.entries(cases)) {
    for (const depth of [undefined, 1]) {
      await using loaded = await load({ repo: `${server.url}/r.git`, revision, ...depth ? { depth } : {} });
      assertEquals([revision, depth, await loaded.read("a")], [revision, depth, content]);
    }
  }
  const missing = await assertRejects(() => load({ repo: `${server.url}/r.git`, revision: "none" }), StoreError);
  assertEquals([missing.kind, missing.message], [
    "missing",
    `git: the repository ${server.url}/r.git has no revision none`,
  ]);
});

Deno.test("git: a depth applies to a revision, and an older revision is found nevertheless", async () => {
  await using made = await withHistory();
  const { server, hashes } = made;
  const count = async (settings: Partial<GitSettings>) => {
    await using loaded = await load({ repo: `${server.url}/r.git`, depth: 1, ...settings });
    return await loaded.git("rev-list", "--count", "HEAD");
  };
  assertEquals([await count({}), await count({ revision: "dev" }), await count({ revision: hashes[2]! })], [
    "1",
    "1",
    "1",
  ]);
  assertEquals(await count({ revision: hashes[1]!.slice(0, 7) }), "2");
  assertEquals(await count({ singleBranch: true, branch: "main", revision: hashes[1]!.slice(0, 7) }), "2");
});

Deno.test("git: a single branch is fetched alone, and its name is required", async () => {
  await using made = await withHistory();
  const repo = `${made.server.url}/r.git`;
  await using loaded = await load({ repo, singleBranch: true, branch: "dev" });
  assertEquals([await loaded.read("a"), await loaded.git("branch", "-r", "--format=%(refname:short)")], [
    "2",
    "origin/dev",
  ]);
  const error = await assertRejects(() => load({ repo, singleBranch: true }), StoreError);
  assertEquals(error.message, "single branch mode without a branch specified");
  const none = await assertRejects(() => load({ repo, singleBranch: true, branch: "none" }), StoreError);
  assertEquals(none.kind, "missing");
});

Deno.test("git: refspecs of `fetch` load commits that are on no branch", async () => {
  await using made = await withHistory();
  await using loaded = await load({
    repo: `${made.server.url}/r.git`,
    fetch: ["refs/pull/*:refs/remotes/origin/pull/*"],
  });
  assertEquals(await loaded.git("rev-parse", "refs/remotes/origin/pull/1/head"), made.hashes[1]);
});

Deno.test("git: an empty repository has an unborn branch", async () => {
  await using server = await gitServer();
  await server.repository("empty.git", []);
  await using loaded = await load({ repo: `${server.url}/empty.git` });
  assertEquals([await loaded.git("symbolic-ref", "HEAD"), await loaded.git("remote")], ["refs/heads/master", "origin"]);
  await using named = await load({ repo: `${server.url}/empty.git`, revision: "dev" });
  assertEquals(await named.git("symbolic-ref", "HEAD"), "refs/heads/dev");
});

Deno.test("git: a name and password are sent to the host of the repository and stored in no file", async () => {
  await using server = await gitServer("me:canary");
  const hashes = await server.repository("r.git", [{ a: "1" }]);
  const secrets = { "s/u": "me", "s/p": "canary" };
  const login = { usernameSecret: { name: "s", key: "u" }, passwordSecret: { name: "s", key: "p" } };
  await using loaded = await load({ repo: `${server.url}/r.git`, ...login }, secrets);
  assertEquals(await loaded.git("rev-parse", "HEAD"), hashes[0]);
  await using inUrl = await load({ repo: `${server.url.replace("//", "//me:canary@")}/r.git` });
  for (const { path } of [loaded, inUrl]) {
    const config = await Deno.readTextFile(`${path}/.git/config`);
    assertEquals([config.includes("canary"), config.includes(`url = ${server.url}/r.git`)], [false, true]);
  }
  const wrongs: Record<string, string>[] = [{}, { "s/u": "me", "s/p": "other" }];
  for (const wrong of wrongs) {
    const given = "s/u" in wrong ? login : {};
    const error = await assertRejects(() => load({ repo: `${server.url}/r.git`, ...given }, wrong), StoreError);
    assertEquals([error.kind, error.message.includes("other")], ["forbidden", false]);
  }
});

Deno.test("git: submodules are fetched recursively, also relative ones, and other hosts receive no credentials", async () => {
  await using server = await gitServer("me:canary");
  await using other = await gitServer();
  const [deep] = await other.repository("deep.git", [{ d: "deep" }]);
  const modules = (path: string, url: string) => `[submodule "x-${path}"]\n\tpath = ${path}\n\turl = ${url}\n`;
  const [near] = await server.repository("near.git", [{
    n: "near",
    ".gitmodules": modules("deep", `${other.url}/deep.git`),
    deep: `160000 ${deep}`,
  }]);
  await server.repository("group/r.git", [{
    a: "1",
    ".gitmodules": modules("lib/near", "../../near.git"),
    "lib/near": `160000 ${near}`,
  }]);
  const repo = `${server.url.replace("//", "//me:canary@")}/group/r.git`;
  await using loaded = await load({ repo });
  assertEquals([await loaded.read("lib/near/n"), await loaded.read("lib/near/deep/d")], ["near", "deep"]);
  assertEquals(other.visits.length > 0, true);
  assertEquals(other.visits.filter(({ authorization }) => authorization !== null), []);
  await using without = await load({ repo, disableSubmodules: true });
  assertEquals([...Deno.readDirSync(`${without.path}/lib/near`)], []);
});

Deno.test("git: a redirect to another host receives no credentials", async () => {
  await using server = await gitServer();
  await using other = await gitServer();
  await other.repository("r.git", [{ a: "1" }]);
  server.before = ({ url }) => Response.redirect(url.replace(server.url, other.url.replace("127.0.0.1", "localhost")));
  await using loaded = await load({ repo: `${server.url.replace("//", "//me:canary@")}/r.git` });
  assertEquals(await loaded.read("a"), "1");
  assertStringIncludes(server.visits[0]?.authorization ?? "", "Basic");
  assertEquals(other.visits.filter(({ authorization }) => authorization !== null), []);
});

Deno.test("git: a repository that moved on its host is found with its credentials", async () => {
  await using server = await gitServer("me:canary");
  await server.repository("new.git", [{ a: "1" }]);
  server.before = ({ url }) =>
    url.includes("/old.git/") ? Response.redirect(url.replace("/old.git/", "/new.git/")) : undefined;
  await using loaded = await load({ repo: `${server.url.replace("//", "//me:canary@")}/old.git` });
  assertEquals(await loaded.read("a"), "1");
});

Deno.test("git: a submodule behind a link is rejected, and nothing is written at the link's target", async () => {
  await using server = await gitServer();
  const outside = await Deno.makeTempDir();
  const [near] = await server.repository("near.git", [{ n: "near" }]);
  const modules = (path: string) => `[submodule "x"]\n\tpath = ${path}\n\turl = ../near.git\n`;
  await server.repository("r.git", [{
    link: `-> ${outside}`,
    ".gitmodules": modules("link/in"),
    module: `160000 ${near}`,
  }]);
  await using loaded = await load({ repo: `${server.url}/r.git` });
  assertEquals([...Deno.readDirSync(outside)], []);
  assertEquals([...Deno.readDirSync(`${loaded.path}/module`)], []);
});

Deno.test("git: hooks and protocols that run programs are never used", async () => {
  await using server = await gitServer();
  const [hash] = await server.repository("r.git", [{ a: "1" }]);
  const canary = `${await Deno.makeTempDir()}/canary`;
  for (
    const repo of [
      `ext::sh -c "touch ${canary}"`,
      "ext::x",
      `file://${server.root}/r.git`,
      `${server.root}/r.git`,
      "--upload-pack=x",
      "fd::3",
      "ssh://%2DoProxyCommand=x@h/r.git",
      "ssh://a%0Ab@h/r.git",
      "ssh://a%zz@h/r.git",
      "https://a%zz:b@h/r.git",
      "https://a:b%ff@h/r.git",
    ]
  ) {
    const error = await assertRejects(() => load({ repo }), StoreError);
    assertStringIncludes(error.message, "not a supported address");
  }
  await server.repository("m.git", [{
    ".gitmodules": `[submodule "x"]\n\tpath = m\n\turl = ext::touch ${canary}\n`,
    m: `160000 ${hash}`,
  }]);
  await assertRejects(() => load({ repo: `${server.url}/m.git` }), StoreError, "not a supported address");
  await assertRejects(
    () => load({ repo: `${server.url}/r.git`, revision: "--upload-pack=x" }),
    StoreError,
    "begin with a dash",
  );
  assertEquals(await Deno.stat(canary).catch(() => undefined), undefined);
});

Deno.test("git: an unavailable server is a transient error, and a missing repository is `missing`", async () => {
  await using server = await gitServer();
  const kindOf = async (repo: string) => (await assertRejects(() => load({ repo }), StoreError)).kind;
  assertEquals(await kindOf(`${server.url}/none.git`), "missing");
  server.before = () => new Response("", { status: 503 });
  assertEquals([await kindOf(`${server.url}/r.git`), await kindOf("http://127.0.0.1:1/r.git")], [
    "transient",
    "transient",
  ]);
});

Deno.test("git: an aborted fetch from a silent server ends at once, with all of git's processes", async () => {
  const cut = new AbortController();
  const asked = Promise.withResolvers<void>();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    asked.resolve();
    return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  });
  const started = performance.now();
  const loading = load({ repo: `http://127.0.0.1:${server.addr.port}/r.git` }, {}, cut.signal);
  await Promise.all([
    assertRejects(() => loading, Error, "no longer needed"),
    asked.promise.then(() => cut.abort(new Error("no longer needed"))),
  ]);
  // Git itself gives up on a silent server after a minute.
  assert(performance.now() - started < 30_000);
});
