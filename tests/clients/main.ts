/**
 * `deno task suite clients`: clients that others wrote, against the server and the embedded cluster; README.md tells which. Words on the
 * command line are the names of programs, `--share 2/3` chooses a share of what they ask.
 */
import { parseArgs } from "node:util";
import { isInShare, parseShare, shareNotice } from "../../scripts/share.ts";
import { NAMESPACE } from "../../server/testing/server_bench.ts";
import { ARGO_PROGRAM, startArgoServer } from "../argo_cli/argo_server.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { NotHere } from "../artifacts/servers/server.ts";
import { serveLocal } from "./local.ts";
import { askWith, clientsPython, type Outcome } from "./python.ts";
import { serveBench, type Way, WAYS } from "./served.ts";

const count = { passed: 0, failed: 0, skipped: 0 };
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { share: { type: "string" } },
});
const share = parseShare(values.share);

/** A program of `python/`, and where it asks. */
interface Asking {
  readonly program: string;
  readonly where: string;
}

/** Servers of ours and Argo's own: both keep what Hera sends, and refuse the same. */
const OF_WAYS: readonly (Asking & { readonly way: Way })[] = WAYS.flatMap((way) =>
  ["hera_service", ...(way.hasExamples ? ["hera_examples"] : [])].map((program) => ({ program, where: way.name, way }))
);
const OF_ARGO: readonly Asking[] = ARGO_PROGRAM === undefined
  ? []
  : [{ program: "hera_examples", where: "at Argo's server" }];
/** The programs that ask where workflows run, in lanes: those of one lane find only their own cron workflows there. */
const LOCAL: readonly (readonly Asking[])[] = [["hera_runs"], ["kubernetes_client", "argo_client"]].map((lane) =>
  lane.map((program) => ({ program, where: "over tiphys local" }))
);

function isChosen({ program, where }: Asking): boolean {
  return (wanted.length === 0 || wanted.includes(program)) && isInShare(`${program} ${where}`, share);
}

async function askServers(python: string): Promise<void> {
  for (const way of WAYS) {
    const chosen = OF_WAYS.filter((asking) => asking.way === way && isChosen(asking));
    if (chosen.length === 0) continue;
    await using served = await serveBench(way);
    for (const asking of chosen) await ask(python, asking, [served.address, served.token, NAMESPACE]);
  }
  for (const asking of OF_ARGO.filter(isChosen)) {
    const api = createApiServer({ storePath: ":memory:" });
    using _closing = { [Symbol.dispose]: () => api.close() };
    await using argo = await startArgoServer(api, { authMode: "client" });
    await ask(python, asking, [argo.address, argo.token, NAMESPACE, "RESPELLS"]);
  }
}

/** Asks a server over `tiphys local`, and that itself, where workflows run. */
async function askLocal(python: string): Promise<void> {
  const lanes = LOCAL.map((lane) => lane.filter(isChosen));
  if (lanes.flat().length === 0) return;
  await using local = await serveLocal(python);
  await Promise.all(lanes.map(async (lane) => {
    for (const asking of lane) await ask(python, asking, [local.address, local.token, local.kubeconfig]);
  }));
}

async function ask(python: string, asking: Asking, args: readonly string[]): Promise<void> {
  for (const outcome of await askWith(python, asking.program, args)) tell(asking, outcome);
}

function tell({ program, where }: Asking, { case: title, seconds, failed, skipped }: Outcome): void {
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

const all = [...OF_WAYS, ...OF_ARGO, ...LOCAL.flat()];
const programs = [...new Set(all.map(({ program }) => program))];
const unknown = wanted.filter((name) => !programs.includes(name));
if (unknown.length > 0) {
  console.error(`No client ${unknown.join(", ")}; the clients are ${programs.join(", ")}`);
  Deno.exit(2);
}
const notice = shareNotice(share, all.filter(isChosen).length, all.length, "programs");
if (notice) console.log(notice);
try {
  const python = await clientsPython();
  // Workflows are waited for most of the time, which is the other programs' meanwhile.
  const ends = await Promise.allSettled([askServers(python), askLocal(python)]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
} catch (error) {
  if (!(error instanceof NotHere)) throw error;
  count.skipped++;
  console.log(`SKIP all clients in Python: ${error.message}`);
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
Deno.exit(count.failed > 0 ? 1 : 0);
