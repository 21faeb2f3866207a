/**
 * `deno task suite kubectl`: runs recorded kubectl sessions against `tiphys local`, and compares the output of each
 * command with the recorded one.
 */
import { parseArgs } from "node:util";
import { hasProgram, outputOf } from "../../scripts/command.ts";
import { builtKubectl, clusterSettings } from "../cluster/mod.ts";
import { runSession } from "./run_session.ts";
import { type Exchange, parseSession, printSession } from "./session.ts";
import { startTiphysLocal } from "./tiphys_local.ts";

const USAGE = `Usage: deno task suite kubectl [OPTIONS] [SESSION...]
  --rewrite          write the actual output into the sessions, to review the diff
  --kubeconfig FILE  talk to another API server: what it says otherwise is worth a thought`;

/** The number of sessions that run at a time. */
const LANES = 2;

const SESSIONS = new URL("sessions/", import.meta.url).pathname;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rewrite: { type: "boolean" }, kubeconfig: { type: "string" }, help: { type: "boolean" } },
});
if (values.help) {
  console.log(USAGE);
  Deno.exit(0);
}

const programs = await hasProgram("kubectl") ? undefined : await builtKubectl(clusterSettings());
if (programs === undefined && !await hasProgram("kubectl")) {
  console.log("Skipped: no kubectl on the PATH, and none was built for a cluster");
  console.log("0 passed, 0 failed, 1 skipped");
  Deno.exit(0);
}

const all = [...Deno.readDirSync(SESSIONS)].filter(({ name }) => name.endsWith(".txt")).map(({ name }) =>
  name.slice(0, -".txt".length)
);
const names = positionals.length > 0 ? positionals : all.sort();
let failed = 0;
{
  await using server = values.kubeconfig ? undefined : await startTiphysLocal();
  const kubeconfig = values.kubeconfig ?? server!.kubeconfig;
  const waiting = [...names];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      // Not `failed += await …`: that would lose the count of the other lane.
      if (!await judge(name, kubeconfig)) failed++;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
console.log(`${names.length - failed} passed, ${failed} failed, 0 skipped`);
Deno.exit(failed > 0 ? 1 : 0);

/** Runs a session in a new namespace. Returns false when some output differs. */
async function judge(name: string, kubeconfig: string): Promise<boolean> {
  const started = performance.now();
  const file = `${SESSIONS}${name}.txt`;
  const expected = parseSession(await Deno.readTextFile(file));
  const actual = await inNamespace(
    `session-${name.replaceAll("_", "-")}`,
    kubeconfig,
    (own) => runSession(expected, { kubeconfig: own, programs, folder: `${SESSIONS}files` }),
  );
  if (values.rewrite) await Deno.writeTextFile(file, printSession(actual));
  const wrong = actual.flatMap((exchange, index) => {
    const wanted = expected[index];
    return exchange.output === wanted?.output ? [] : [difference(wanted ?? { ...exchange, output: "" }, exchange)];
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${wrong.length === 0 ? "PASS" : "FAIL"} ${name} (${actual.length} commands, ${seconds} s)`);
  for (const text of wrong) console.log(text);
  return wrong.length === 0;
}

async function inNamespace<T>(namespace: string, kubeconfig: string, run: (own: string) => Promise<T>): Promise<T> {
  const own = await Deno.makeTempFile({ prefix: "kubeconfig-" });
  await Deno.copyFile(kubeconfig, own);
  const kubectl = [programs === undefined ? "kubectl" : `${programs}/kubectl`, "--kubeconfig", own];
  try {
    await outputOf([...kubectl, "config", "set-context", "--current", "--namespace", namespace]);
    await outputOf([...kubectl, "create", "namespace", namespace]);
    return await run(own);
  } finally {
    await outputOf([...kubectl, "delete", "namespace", namespace, "--wait=false"]);
    await Deno.remove(own);
  }
}

function difference(expected: Exchange, actual: Exchange): string {
  const indent = (text: string) => text.replaceAll(/^/gm, "    ");
  return `  $ ${actual.command}\n  expected:\n${indent(expected.output)}\n  got:\n${indent(actual.output)}`;
}
