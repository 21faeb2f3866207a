/**
 * `deno task all`: everything that must hold of the project, whole: the quick gate, the examples, the simulation, a real
 * cluster, and the conformance suite where it lies beside the project. Ends with what failed and why, and with the sum as
 * the last line, also when it is stopped.
 *
 *     deno task all
 *     deno task all --share 2/3                 a share of what is long
 *     deno task all --share commit              the share of the commit that is checked out
 *     deno task all --budget 80                 in so many minutes; what has no time left is a failure
 */
import { parseArgs } from "node:util";
import { outputOf, runCommand, writeAll } from "./command.ts";
import { type Part, partsOf } from "./parts.ts";
import { PartsRunner } from "./run_parts.ts";
import { parseShare, shareOfHead, shareText } from "./share.ts";

/** Something failed, and the sum was printed; any other code but 0 says that it was not. */
const FAILED = 3;

const CLUSTER_MINUTES = 25;

const ROOT = new URL("../", import.meta.url).pathname;

const { values } = parseArgs({
  options: {
    share: { type: "string" },
    budget: { type: "string" },
    since: { type: "string", default: `${Date.now() / 1000}` },
  },
});

Deno.chdir(ROOT);
const share = values.share === "commit" ? await shareOfHead() : parseShare(values.share);
const runner = new PartsRunner({
  started: Number(values.since) * 1000,
  budgetMinutes: values.budget === undefined ? undefined : Number(values.budget),
  now: Date.now,
  say: (line) => console.log(line),
  write: writeAll,
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.addSignalListener(signal, () => {
    runner.stop(`the run was stopped by ${signal}`);
    finish();
  });
}

console.log(share.of === 1 ? "Everything" : `Share ${shareText(share)} of what is long, all of the rest`);
const { first, onCluster, last } = partsOf(share);
for (const part of first) await runner.run(part);
await withCluster(onCluster);
for (const part of last) await runner.run(part);
finish();

/** Runs what needs a cluster on the one that E2E_KUBECONFIG names, else on one of our own, which is ended. */
async function withCluster(parts: readonly Part[]): Promise<void> {
  const runAll = async () => {
    for (const part of parts) await runner.run(part);
  };
  if (Deno.env.get("E2E_KUBECONFIG")) return await runAll();
  const cluster = (word: string) => [Deno.execPath(), "task", "--quiet", "cluster", word];
  const up = { name: "deno task cluster up", command: cluster("up"), minutes: CLUSTER_MINUTES };
  if (await runner.prepare(up)) {
    const status = await outputOf(cluster("status"));
    Deno.env.set("E2E_KUBECONFIG", /^up: (.*)$/m.exec(status)?.[1] ?? "");
    await runAll();
    Deno.env.delete("E2E_KUBECONFIG");
  } else runner.leaveOut(parts, "there is no cluster");
  await runCommand(["timeout", "--kill-after=10", "120", ...cluster("down")]);
}

/** Prints the end, and ends. */
function finish(): never {
  for (const line of runner.summary()) console.log(line);
  Deno.exit(runner.failed ? FAILED : 0);
}
