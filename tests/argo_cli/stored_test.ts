/** Argo's own CLI, against our server, about what outlives pods and workflows: logs, artifacts, the archive. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { needs } from "../../lib/testing/needs.ts";
import { listen } from "../../server/listen/listen.ts";
import { artifactBench } from "../../server/testing/artifact_bench.ts";
import { NAMESPACE } from "../../server/testing/server_bench.ts";
import { ARGO_PROGRAM } from "./argo_server.ts";
import { steady } from "./session.ts";

/** All that the commands need. */
const RIGHTS = [
  ...["get", "list", "watch", "create", "update", "delete"].map((verb) => (
    { verb, group: "argoproj.io", resource: "workflows" }
  )),
  ...["get", "list", "watch", "delete"].map((verb) => ({ verb, group: "", resource: "pods" })),
  { verb: "get", group: "", resource: "pods", subresource: "log" },
  { verb: "get", group: "", resource: "secrets" },
];

const FILES = { "main-logs": "one\ntwo\nthree\n", "report.txt": "all is well" };

for (const [mode, env] of Object.entries<Record<string, string>>({ "gRPC": {}, "HTTP/1": { ARGO_HTTP1: "true" } })) {
  Deno.test({
    ...needs(
      "ARGO_CLI, Argo's program",
      ARGO_PROGRAM !== undefined,
      `Argo's CLI reads logs, copies artifacts and acts on the archive: ${mode}`,
    ),
    async fn() {
      await using bench = await artifactBench(FILES, ["client"]);
      const { token } = await bench.server.account(RIGHTS);
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: undefined, handler: bench.server.handler });
      const folder = await Deno.makeTempDir();
      const argo = async (...args: readonly string[]) => {
        const { code, stdout, stderr } = await new Deno.Command(ARGO_PROGRAM ?? "", {
          args: [...args],
          env: {
            ...env,
            ARGO_SERVER: `127.0.0.1:${listening.port}`,
            ARGO_SECURE: "false",
            ARGO_TOKEN: `Bearer ${token}`,
            ARGO_NAMESPACE: NAMESPACE,
            HOME: "/nonexistent",
          },
          clearEnv: true,
          cwd: folder,
        }).output();
        const text = new TextDecoder();
        return { code, said: steady(text.decode(stdout) + text.decode(stderr)) };
      };
      try {
        for (const name of ["w", "old"]) {
          const logs = async (...flags: readonly string[]) => {
            const { code, said } = await argo("logs", name, "--no-color", ...flags);
            // Each line begins with its pod, which is named after the workflow.
            return [code, ...said.split("\n").map((line) => line.startsWith(name) ? line.replace(/^.*?: /, "") : line)];
          };
          assertEquals(await logs(), [0, "one", "two", "three"], name);
          assertEquals(await logs("--tail", "1"), [0, "three"], name);
          assertEquals(await logs("--grep", "t.o"), [0, "two"], name);
        }
        const copied = await argo("cp", "w", "out", "--artifact-name", "report.txt");
        assertEquals(copied.code, 0, copied.said);
        const path = `${folder}/out/${NAMESPACE}/w/w/outputs/report.txt/report.txt`;
        assertEquals(await Deno.readTextFile(path), FILES["report.txt"]);
        const missing = await argo("cp", "w", "out", "--artifact-name", "nope");
        assertEquals([missing.code, await argo("cp", "nope", "out").then(({ code }) => code)], [0, 1], missing.said);

        assertEquals((await argo("archive", "list", "-o", "name")).said, "old");
        const shown = await argo("archive", "get", "old");
        assertEquals(shown.code, 0, shown.said);
        assertStringIncludes(shown.said, "Name:  old");
        assertStringIncludes(shown.said, "Status:  Failed");
        assertEquals(
          (await argo("archive", "get", "uid-old", "-o", "name")).code,
          1,
          "a name that is no UID is a name",
        );
        const retried = await argo("archive", "retry", "old");
        assertEquals(retried.code, 0, retried.said);
        await bench.server.admin.get(WORKFLOWS, NAMESPACE, "old");
        const again = await argo("archive", "retry", "old");
        assertEquals(again.code, 1);
        assertStringIncludes(again.said, "Workflow already exists on cluster, use argo retry {name} instead");
        const made = await argo("archive", "resubmit", "old");
        assertEquals([made.code, made.said.split("\n")[0]], [0, "Name:  old-XXXXX"]);
        assertEquals(await argo("archive", "delete", "old"), { code: 0, said: "Archived workflow 'old' deleted" });
        assertEquals((await argo("archive", "list", "-o", "name")).said, "");
      } finally {
        await listening.close();
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}
