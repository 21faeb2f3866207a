/** The program as a process: the cluster that it selects by its environment, and its end after a signal. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { needs } from "../lib/base/testing/needs.ts";
import { kubeconfigOf } from "../tests/argo_cli/argo_server.ts";

const MAIN = new URL("main.ts", import.meta.url).pathname;
const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
const LINUX = Deno.build.os === "linux";
/** The environment of a pod, with the address of an API server that does not listen. */
const IN_POD = { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: "9" };
const ARGS = ["run", "-A", "--no-check", MAIN];

function program(args: readonly string[], env: Record<string, string>): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [...ARGS, ...args],
    env: { DENO_DIR, PATH: "/usr/bin:/bin", ...env },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function outputOf(args: readonly string[], env: Record<string, string>) {
  const { code, stdout, stderr } = await program(args, env).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

Deno.test("connect: an existing kubeconfig takes precedence over the cluster of a pod, and missing files of KUBECONFIG are ignored", async () => {
  const home = await Deno.makeTempDir({ prefix: "home-" });
  try {
    const env = { HOME: home, KUBECONFIG: `${home}/none`, ...IN_POD };
    const inPod = await outputOf(["list"], env);
    assertEquals(inPod.code, 1);
    assertStringIncludes(inPod.stderr, "/var/run/secrets/kubernetes.io/serviceaccount");
    await Deno.mkdir(`${home}/.kube`);
    await Deno.writeTextFile(
      `${home}/.kube/config`,
      kubeconfigOf({ url: "https://127.0.0.1:9", token: "of-the-file" }),
    );
    const { KUBECONFIG: _, ...unset } = env;
    assertEquals(await outputOf(["auth", "token"], unset), { code: 0, stdout: "Bearer of-the-file\n", stderr: "" });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

/** Starts an API server whose only workflow never finishes, and whose watches report no events. */
function startEndlessServer() {
  const workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", namespace: "default", uid: "u", resourceVersion: "1" },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    status: { phase: "Running", nodes: {} },
  };
  const waiting = Promise.withResolvers<void>();
  const watches = { next: waiting };
  const stream = () => {
    watches.next.resolve();
    return new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("\n")) }));
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (searchParams.has("watch")) return stream();
    if (pathname.endsWith("/workflows/w")) return Response.json(workflow);
    if (request.method === "POST") return Response.json(workflow, { status: 201 });
    const kind = pathname.endsWith("/pods") ? "PodList" : "WorkflowList";
    const items = kind === "PodList" ? [] : [workflow];
    return Response.json({ kind, metadata: { resourceVersion: "1" }, items });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    /** Resolves when the next watch is requested. */
    watch() {
      watches.next = Promise.withResolvers<void>();
      return watches.next.promise;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test({
  ...needs(
    "Linux",
    LINUX,
    "Ctrl-C: ends a waiting command by SIGINT, which shells report as 130, without an error message",
  ),
  async fn() {
    await using api = startEndlessServer();
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf({ url: api.url, token: "t" }));
      await Deno.writeTextFile(
        `${folder}/w.yaml`,
        JSON.stringify({
          apiVersion: "argoproj.io/v1alpha1",
          kind: "Workflow",
          metadata: { name: "w" },
          spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
        }),
      );
      for (const line of ["watch w", "wait w", "logs -f w", "submit --watch w.yaml", "submit --log w.yaml"]) {
        const watched = api.watch();
        const args = line.replace("w.yaml", `${folder}/w.yaml`).split(" ");
        const child = program(args, { HOME: folder, KUBECONFIG: `${folder}/kubeconfig` }).spawn();
        const output = new Response(child.stdout).text();
        const errors = new Response(child.stderr).text();
        const ended = child.status;
        await Promise.race([watched, ended]);
        child.kill("SIGINT");
        const { code, signal } = await ended;
        assertEquals([code, signal, await errors], [130, "SIGINT", ""], line);
        assertEquals((await output).includes("\x1b"), false, line);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("./tiphys: replaces itself with Deno, so that signals reach it, uses run.lock, and reports the preparation once", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/deno`, '#!/bin/sh\necho "$$" "$@"\n', { mode: 0o755 });
    const root = new URL("../", import.meta.url).pathname;
    const run = async () => {
      const env = { PATH: `${folder}:/usr/bin:/bin`, XDG_CACHE_HOME: `${folder}/cache` };
      const child = new Deno.Command(`${root}tiphys`, {
        args: ["list", "-A"],
        env,
        clearEnv: true,
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const { stdout, stderr } = await child.output();
      const text = new TextDecoder();
      const started = `${child.pid} run --quiet --lock=${root}run.lock --frozen -A ${root}cli/main.ts list -A\n`;
      assertEquals(text.decode(stdout), started);
      return text.decode(stderr);
    };
    assertEquals(await run(), "Preparing tiphys (first time only) …\n");
    assertEquals(await run(), "");
    // Other users cannot read the cache: otherwise the program would report that it restricts the folder.
    assertEquals((await Deno.stat(`${folder}/cache/tiphys`)).mode! & 0o077, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
