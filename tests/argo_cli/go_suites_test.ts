/**
 * Runs Argo's own end-to-end suites of the server and the CLI, written in Go, with our programs on a cluster with
 * Argo's test manifests. `testdata/go_suites.txt` lists the tests that fail intentionally, with the reason.
 */
import { assertEquals } from "@std/assert";
import { needs } from "../../lib/base/testing/needs.ts";
import { awaitFact } from "../await_fact.ts";

/** A checkout of Argo, and the program that `go test -c -tags api,cli ./test/e2e` builds there. */
const SOURCES = Deno.env.get("ARGO_SOURCES");
const PROGRAM = Deno.env.get("ARGO_E2E");
const KUBECONFIG = Deno.env.get("KUBECONFIG");
const ONLY = Deno.env.get("ARGO_E2E_RUN");

const MEANT = new URL("testdata/go_suites.txt", import.meta.url);
const SERVER = new URL("../../server/main.ts", import.meta.url).pathname;
/** The address that is hard-coded in the suites. */
const ADDRESS = "http://localhost:2746";

/** The tests that fail intentionally. */
async function intendedFailures(): Promise<ReadonlySet<string>> {
  const lines = (await Deno.readTextFile(MEANT)).split("\n").filter((line) => line && !line.startsWith("#"));
  return new Set(lines.map((line) => line.slice(0, line.indexOf(": "))));
}

/** The failed tests, without those that only failed because of a subtest. */
function failuresIn(output: string): readonly string[] {
  const failed = [...output.matchAll(/^ *--- FAIL: (\S+) \(/gm)].map(([, name = ""]) => name);
  return failed.filter((name) => !failed.some((other) => other.startsWith(`${name}/`)));
}

/** Starts our server on the cluster, with the flags that the suites expect. */
async function startServer() {
  const args = [
    "--secure=false",
    "--auth-mode=client",
    "--namespaced",
    "--managed-namespace=argo",
    "--namespace=argo",
    `--kubeconfig=${KUBECONFIG}`,
    "--as=system:serviceaccount:argo:argo-server",
  ];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", SERVER, ...args],
    stdout: "null",
    stderr: "null",
  }).spawn();
  await awaitFact("the server answers", async () => {
    const response = await fetch(`${ADDRESS}/healthz`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok === true;
  }, { seconds: 120 });
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

for (const suite of ["TestArgoServerSuite", "TestCLISuite"]) {
  Deno.test({
    ...needs(
      "Argo's compiled end-to-end tests, its sources and a cluster (ARGO_E2E, ARGO_SOURCES, KUBECONFIG)",
      [PROGRAM, SOURCES, KUBECONFIG].every(Boolean),
      `${suite} of Argo: only the listed tests fail with our programs`,
    ),
    async fn() {
      await using _ = await startServer();
      const { stdout } = await new Deno.Command(PROGRAM ?? "", {
        args: ["-test.v", "-test.timeout=60m", `-test.run=^${suite}$${ONLY ? `/${ONLY}` : ""}`],
        cwd: `${SOURCES}/test/e2e`,
      }).output();
      const output = new TextDecoder().decode(stdout);
      const known = await intendedFailures();
      assertEquals(failuresIn(output).filter((name) => !known.has(name)), []);
      assertEquals(/^ *--- PASS: /m.test(output), true, "no test of the suite was run");
    },
  });
}
