/**
 * Argo's CLI with our server, in each of its modes. Intended differences from its output with Argo's server: error
 * messages begin with the location (`spec.entrypoint: …`); the codes of a failed lint and of a late stop are those of a
 * client error; and the message of an abandoned retry is not prepended to the reason.
 */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { WORKFLOWS } from "@tiphys/kube";
import { ownCertificate } from "@tiphys/base/x509";
import { listen } from "../../server/listen/listen.ts";
import { needs } from "../../lib/base/testing/needs.ts";
import { archiveBench, endedWorkflow } from "../../server/testing/archive_bench.ts";
import { NAMESPACE, type ServerBench, serverBench } from "../../server/testing/server_bench.ts";
import { awaitFact } from "../await_fact.ts";
import { readSession, type Step, withoutVariableParts, writeSession } from "./session.ts";

const PROGRAM = Deno.env.get("ARGO_CLI");
const SESSION = new URL("testdata/session.txt", import.meta.url);

const MODES = [
  { name: "gRPC in plain text", tls: false, env: { ARGO_SECURE: "false" } },
  { name: "gRPC over TLS", tls: true, env: { ARGO_SECURE: "true", ARGO_INSECURE_SKIP_VERIFY: "true" } },
  { name: "HTTP/1", tls: false, env: { ARGO_SECURE: "false", ARGO_HTTP1: "true" } },
  {
    name: "HTTP/1 over TLS",
    tls: true,
    env: { ARGO_SECURE: "true", ARGO_INSECURE_SKIP_VERIFY: "true", ARGO_HTTP1: "true" },
  },
] as const;

/** All rights: this file tests the output, and the tests of the gate test permissions. */
const RIGHTS = ["get", "list", "watch", "create", "update", "patch", "delete"].flatMap((verb) => [
  ...["workflows", "workflowtemplates", "clusterworkflowtemplates", "cronworkflows"].map((resource) => (
    { verb, group: "argoproj.io", resource }
  )),
  ...["pods", "configmaps"].map((resource) => ({ verb, group: "", resource })),
  { verb, group: "", resource: "pods", subresource: "log" },
]);

/** Waits until the server's cache equals the cluster, so that a list contains the changes of previous commands. */
async function awaitCache(bench: ServerBench, token: string): Promise<void> {
  await awaitFact("the server's cache equals the cluster", async () => {
    const { items } = await (await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`, { token })).json();
    const there = await bench.admin.list<Workflow>(WORKFLOWS, NAMESPACE);
    const versions = (all: readonly Workflow[] | null) =>
      (all ?? []).map(({ metadata }) => metadata.resourceVersion ?? "").sort().join();
    return versions(items) === versions(there.items);
  }, { seconds: 120 });
}

async function run(step: Step, bench: ServerBench, token: string, env: Record<string, string>): Promise<string> {
  if (step.kind === "patch") {
    await bench.admin.patch(WORKFLOWS, NAMESPACE, step.name, { status: step.patch });
    return "";
  }
  await awaitCache(bench, token);
  const { code, stdout, stderr } = await new Deno.Command(PROGRAM ?? "", {
    args: [...step.args],
    env: {
      ...env,
      ARGO_TOKEN: `Bearer ${token}`,
      ARGO_NAMESPACE: NAMESPACE,
      PATH: "/usr/bin:/bin",
      HOME: "/nonexistent",
    },
    clearEnv: true,
    cwd: new URL("testdata/", import.meta.url),
  }).output();
  const decoder = new TextDecoder();
  const printed = withoutVariableParts(`${decoder.decode(stdout)}${decoder.decode(stderr)}`);
  return `${printed ? `${printed}\n` : ""}[${code}]`;
}

/** The output of the program, without colors. */
async function argo(args: readonly string[], env: Record<string, string>, token: string): Promise<string> {
  const { stdout } = await new Deno.Command(PROGRAM ?? "", {
    args: [...args],
    env: { ...env, ARGO_TOKEN: `Bearer ${token}`, ARGO_NAMESPACE: NAMESPACE, HOME: "/nonexistent" },
    clearEnv: true,
  }).output();
  return withoutVariableParts(new TextDecoder().decode(stdout));
}

for (const { name, env } of MODES.filter(({ tls }) => !tls)) {
  Deno.test({
    ...needs(
      "ARGO_CLI, Argo's program",
      PROGRAM !== undefined,
      `Argo's CLI: lists each archived workflow once: ${name}`,
    ),
    async fn() {
      await using bench = await archiveBench(["client"]);
      for (const number of [1, 2, 3]) await bench.archive.archive(endedWorkflow(`old-${number}`, number));
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: undefined, handler: bench.server.handler });
      try {
        const { token } = await bench.server.account(RIGHTS);
        const environment = { ...env, ARGO_SERVER: `127.0.0.1:${listening.port}` };
        for (
          const args of [["list", "-o", "name"], ["archive", "list", "-o", "name"], [
            "list",
            "-o",
            "name",
            "--chunk-size",
            "2",
          ]]
        ) {
          assertEquals((await argo(args, environment, token)).split("\n"), ["old-3", "old-2", "old-1"], args.join(" "));
        }
      } finally {
        await listening.close();
      }
    },
  });
}

for (const [index, { name, tls, env }] of MODES.entries()) {
  Deno.test({
    name: `Argo's CLI: prints the expected session with our server: ${name}${
      PROGRAM ? "" : " (skipped: no ARGO_CLI is given)"
    }`,
    ignore: !PROGRAM,
    async fn() {
      await using bench = await serverBench(["client"]);
      const certificate = tls ? ownCertificate("ArgoProj", new Date()) : undefined;
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: certificate, handler: bench.handler });
      try {
        const { token } = await bench.account(RIGHTS);
        const text = await Deno.readTextFile(SESSION);
        const steps = readSession(text);
        const printed: string[] = [];
        for (const step of steps) {
          // Commands that only gRPC supports are skipped over HTTP/1: their expected output counts as printed.
          if (step.kind === "command" && step.isGrpcOnly && "ARGO_HTTP1" in env) {
            printed.push(step.expected);
            continue;
          }
          const environment = { ...env, ARGO_SERVER: `127.0.0.1:${listening.port}` };
          printed.push((await run(step, bench, token, environment)).replaceAll(token, "TOKEN"));
        }
        const seen = writeSession(steps, printed);
        if (Deno.env.get("REWRITE") && index === 0) await Deno.writeTextFile(SESSION, seen);
        assertEquals(seen.split("\n"), (await Deno.readTextFile(SESSION)).split("\n"));
      } finally {
        await listening.close();
      }
    },
  });
}
