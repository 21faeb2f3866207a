/**
 * Compares `cp` of Argo's CLI with our server and with Argo's own, with the same artifacts in the same kind of store.
 */
import { readdirSync } from "node:fs";
import { assertEquals } from "@std/assert";
import { needs } from "../../lib/base/testing/needs.ts";
import { artifactBench } from "../../server/testing/artifact_bench.ts";
import { NAMESPACE } from "../../server/testing/server_bench.ts";
import { ARGO_PROGRAM, startArgoServer, startOurServer } from "./argo_server.ts";
import { withoutVariableParts } from "./session.ts";

/** The command of the last assertion. */
const DEEP = "cp w deep/er/out --artifact-name report.txt";

/** Artifacts of a workflow by key, and the commands to run, each in a new folder. */
const SESSIONS: readonly { files: Readonly<Record<string, string>>; commands: readonly string[] }[] = [{
  files: { "report.txt": "all is well", empty: "", "odd+&ü.txt": "odd" },
  commands: [
    "cp w out",
    "cp w .",
    DEEP,
    "cp w out --artifact-name empty",
    "cp w out --artifact-name odd+&ü.txt",
    "cp w out --artifact-name nope",
    "cp w out --node-id w --artifact-name report.txt",
    "cp w out --node-id nope",
    "cp w out --template-name main",
    "cp w out --template-name nope",
    "cp w out --path {workflowName}/{templateName}/{artifactName}",
    "cp w out --path flat",
    "cp w out --path= --artifact-name report.txt",
    "cp w out -n elsewhere",
    "cp nope out",
    "cp w",
  ],
}, {
  files: { "tree/a": "one", "tree/b/c": "two" },
  commands: ["cp w folder"],
}, {
  // The CLI does not escape the name in the URL, so it requests "A", which does not exist.
  files: { "%41": "odd" },
  commands: ["cp w escaped"],
}];

/** The commands whose result differs intentionally between our server and Argo's, with the reason. */
const INTENDED: Readonly<Record<string, string>> = {
  "cp w folder": "the response for a folder is a list of its files; Argo's server fails",
  "cp w escaped": "a missing artifact is a 404; Argo's server responds with 500",
};

/** Runs a command in a new folder. Returns its output, its exit code, and the files with their content. */
async function runCp(line: string, env: Readonly<Record<string, string>>) {
  const folder = await Deno.makeTempDir();
  try {
    const { code, stdout, stderr } = await new Deno.Command(ARGO_PROGRAM ?? "", {
      args: line.split(" "),
      env: { ...env, HOME: "/nonexistent" },
      clearEnv: true,
      cwd: folder,
      signal: AbortSignal.timeout(60_000),
    }).output();
    const text = new TextDecoder();
    const lines = withoutVariableParts(text.decode(stdout) + text.decode(stderr)).split("\n")
      .map((line) => line.replace(/^\d{4}\/\d\d\/\d\d [\d:]{8}/, "TIME").replace(/127\.0\.0\.1:\d+/, "ADDRESS"));
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    const files = paths.filter((path) => Deno.statSync(`${folder}/${path}`).isFile)
      .map((path) => [path, Deno.readTextFileSync(`${folder}/${path}`)] as const);
    return { code, lines, folders: paths.length - files.length, files: Object.fromEntries(files) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runSessions(start: typeof startArgoServer) {
  const all = new Map<string, Awaited<ReturnType<typeof runCp>>>();
  for (const { files, commands } of SESSIONS) {
    await using bench = await artifactBench(files);
    await using server = await start(bench.server.api, { authMode: "client" });
    const env = {
      ARGO_SERVER: new URL(server.address).host,
      ARGO_SECURE: "false",
      ARGO_TOKEN: `Bearer ${server.token}`,
      ARGO_NAMESPACE: NAMESPACE,
    };
    for (const command of commands) all.set(command, await runCp(command, env));
  }
  return all;
}

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program",
    ARGO_PROGRAM !== undefined,
    "cp of Argo's CLI: prints and writes the same with our server as with Argo's, except for intended differences",
  ),
  async fn() {
    const ours = await runSessions(startOurServer);
    const argo = await runSessions(startArgoServer);
    const differing = [...ours].map(([command, our]) => ({ command, our, argos: argo.get(command) }))
      .filter(({ our, argos }) => JSON.stringify(our) !== JSON.stringify(argos));
    assertEquals(differing.filter(({ command }) => !(command in INTENDED)), []);
    assertEquals(differing.map(({ command }) => command).sort(), Object.keys(INTENDED).sort());
    const path = `deep/er/out/${NAMESPACE}/w/w/outputs/report.txt/report.txt`;
    assertEquals(ours.get(DEEP)?.files, { [path]: "all is well" });
  },
});
