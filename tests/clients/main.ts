/**
 * `deno task suite clients`: runs independent clients against the server and the embedded cluster. README.md lists
 * them. Arguments are names of programs to run; `--share 2/3` runs a share of them.
 */
import { programOptions } from "../../scripts/program_options.ts";
import { isInShare, parseShare, shareNotice } from "../../scripts/share.ts";
import { NAMESPACE } from "../../server/testing/server_bench.ts";
import { ARGO_PROGRAM, startArgoServer } from "../argo_cli/argo_server.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { Unavailable } from "../artifacts/servers/server.ts";
import { serveLocal } from "./local.ts";
import { type CaseResult, clientsPython, runProgram } from "./python.ts";
import { type Access, ACCESSES, serveBench, storeEveryType } from "./served.ts";

const count = { passed: 0, failed: 0, skipped: 0 };
const { values, positionals: wanted } = programOptions({
  allowPositionals: true,
  options: { share: { type: "string" } },
});
const share = parseShare(values.share);

/** A program of `python/`, and the server or cluster on which it runs. */
interface ClientRun {
  readonly program: string;
  readonly where: string;
}

/** Runs on our server, by kind of access. */
const ON_SERVERS: readonly (ClientRun & { readonly access: Access })[] = ACCESSES.flatMap((access) =>
  ["hera_service", ...(access.hasExamples ? ["hera_examples"] : [])].map((program) => ({
    program,
    where: access.name,
    access,
  }))
);
const ON_ARGO: readonly ClientRun[] = ARGO_PROGRAM === undefined
  ? []
  : [{ program: "hera_examples", where: "at Argo's server" }];
/**
 * Runs on a cluster that runs workflows. Programs of one lane run in sequence, so that neither lists the other's cron
 * workflows.
 */
const ON_LOCAL: readonly (readonly ClientRun[])[] = [["hera_runs"], ["kubernetes_client", "argo_client"]].map((lane) =>
  lane.map((program) => ({ program, where: "over tiphys local" }))
);

function isChosen({ program, where }: ClientRun): boolean {
  return (wanted.length === 0 || wanted.includes(program)) && isInShare(`${program} ${where}`, share);
}

async function runOnServers(python: string): Promise<void> {
  for (const access of ACCESSES) {
    const chosen = ON_SERVERS.filter((run) => run.access === access && isChosen(run));
    if (chosen.length === 0) continue;
    await using served = await serveBench(access);
    await storeEveryType(served.bench);
    for (const run of chosen) await runAndPrint(python, run, [served.address, served.token, NAMESPACE]);
  }
  for (const run of ON_ARGO.filter(isChosen)) {
    const api = createApiServer({ storePath: ":memory:" });
    using _closing = { [Symbol.dispose]: () => api.close() };
    await using argo = await startArgoServer(api, { authMode: "client" });
    await runAndPrint(python, run, [argo.address, argo.token, NAMESPACE, "RESPELLS"]);
  }
}

/** Runs programs on `tiphys local` and its server. */
async function runOnLocal(python: string): Promise<void> {
  const lanes = ON_LOCAL.map((lane) => lane.filter(isChosen));
  if (lanes.flat().length === 0) return;
  await using local = await serveLocal(python);
  await Promise.all(lanes.map(async (lane) => {
    for (const run of lane) await runAndPrint(python, run, [local.address, local.token, local.kubeconfig]);
  }));
}

async function runAndPrint(python: string, run: ClientRun, args: readonly string[]): Promise<void> {
  for (const result of await runProgram(python, run.program, args)) printResult(run, result);
}

function printResult({ program, where }: ClientRun, { case: title, seconds, failed, skipped }: CaseResult): void {
  const name = `${program} ${where}: ${title}`;
  if (skipped !== undefined) {
    count.skipped++;
    console.log(`SKIP ${name}: ${skipped}`);
  } else if (failed !== undefined) {
    count.failed++;
    console.log(`FAIL ${name} (${seconds.toFixed(1)} s)\n${failed.trimEnd().replaceAll(/^/gm, "  ")}`);
  } else {
    count.passed++;
    console.log(`PASS ${name} (${seconds.toFixed(1)} s)`);
  }
}

const all = [...ON_SERVERS, ...ON_ARGO, ...ON_LOCAL.flat()];
const programs = [...new Set(all.map(({ program }) => program))];
const unknown = wanted.filter((name) => !programs.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown client ${unknown.join(", ")}: expected one of ${programs.join(", ")}`);
  Deno.exit(2);
}
const notice = shareNotice(share, all.filter(isChosen).length, all.length, "programs");
if (notice) console.log(notice);
try {
  const python = await clientsPython();
  // In parallel, because programs on `tiphys local` mostly wait for workflows.
  const ends = await Promise.allSettled([runOnServers(python), runOnLocal(python)]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  count.skipped++;
  console.log(`SKIP all clients in Python: ${error.message}`);
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
Deno.exit(count.failed > 0 ? 1 : 0);
