/** `deno task clients`: clients that others wrote, against the server and the embedded cluster; README.md tells which. */
import { NAMESPACE } from "../../server/testing/server_bench.ts";
import { ARGO_PROGRAM, startArgoServer } from "../argo_cli/argo_server.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { NotHere } from "../artifacts/servers/server.ts";
import { serveLocal } from "./local.ts";
import { askWith, clientsPython, type Outcome } from "./python.ts";
import { serveBench, WAYS } from "./served.ts";

const count = { passed: 0, failed: 0, skipped: 0 };
const wanted = Deno.args;

/** The programs that ask where workflows run. */
const LOCAL = ["hera_runs", "kubernetes_client", "argo_client"];

/** Asks our server in each way, and Argo's own where there is one: both keep what Hera sends, and refuse the same. */
async function askServers(python: string): Promise<void> {
  for (const way of WAYS) {
    await using served = await serveBench(way);
    const args = [served.address, served.token, NAMESPACE];
    await ask(python, "hera_service", way.name, args);
    if (way.hasExamples) await ask(python, "hera_examples", way.name, args);
  }
  if (ARGO_PROGRAM === undefined) return;
  const api = createApiServer({ storePath: ":memory:" });
  using _closing = { [Symbol.dispose]: () => api.close() };
  await using argo = await startArgoServer(api, { authMode: "client" });
  await ask(python, "hera_examples", "at Argo's server", [argo.address, argo.token, NAMESPACE, "RESPELLS"]);
}

/** Asks a server over `tiphys local`, and that itself, where workflows run. */
async function askLocal(python: string): Promise<void> {
  if (wanted.length > 0 && !LOCAL.some((program) => wanted.includes(program))) return;
  await using local = await serveLocal(python);
  for (const program of LOCAL) {
    await ask(python, program, "over tiphys local", [local.address, local.token, local.kubeconfig]);
  }
}

async function ask(python: string, program: string, where: string, args: readonly string[]): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(program)) return;
  for (const outcome of await askWith(python, program, args)) tell(program, where, outcome);
}

function tell(program: string, where: string, { case: title, seconds, failed, skipped }: Outcome): void {
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

try {
  const python = await clientsPython();
  await askServers(python);
  await askLocal(python);
} catch (error) {
  if (!(error instanceof NotHere)) throw error;
  count.skipped++;
  console.log(`SKIP all clients in Python: ${error.message}`);
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
Deno.exit(count.failed > 0 ? 1 : 0);
