/**
 * Everything that is tested, whole: the quick gate, the long tests, every suite, and a real cluster. Ends with the time
 * of each part, failures with their reasons, and the sum as the last line, even when it is stopped.
 *
 *     deno task all
 *     deno task all --share 2/3                 a share of what is long
 *     deno task all --share commit              the share of the commit that is checked out
 *     deno task all --budget 40                 leaves out parts that do not fit into 40 minutes
 */
import { programOptions } from "./program_options.ts";
import { outputOf, runCommand, writeAll } from "./command.ts";
import { BackgroundBuild } from "./background_build.ts";
import { type Part, partsOf } from "./parts.ts";
import { PartsRunner } from "./run_parts.ts";
import { parseShare, shareOfHead, shareText } from "./share.ts";

/** The exit code after failures whose sum was printed. Any other nonzero code means that no sum was printed. */
const FAILED = 3;

/** The budget for starting the cluster, in minutes. */
const CLUSTER_MINUTES = 1;

const ROOT = new URL("../", import.meta.url).pathname;

const { values } = programOptions({
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
  print: (line) => console.log(line),
  write: writeAll,
});
const hasCluster = Deno.env.get("E2E_KUBECONFIG") !== undefined;
const build = hasCluster ? undefined : new BackgroundBuild(cluster("build"));
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.addSignalListener(signal, () => {
    runner.stop(`the run was stopped by ${signal}`);
    finish();
  });
}

console.log(share.of === 1 ? "Everything" : `Share ${shareText(share)} of what is long, all of the rest`);
const { first, onCluster } = partsOf(share);
for (const part of first) await runner.run(part);
await withCluster(onCluster);
finish();

/** Runs parts on the cluster that E2E_KUBECONFIG names, else on a cluster of our own, which is stopped at the end. */
async function withCluster(parts: readonly Part[]): Promise<void> {
  const runAll = async () => {
    for (const part of parts) await runner.run(part);
  };
  if (hasCluster) return await runAll();
  console.log(`== the programs of the cluster ${await build!.waitForBuild()}`);
  const up = { name: "deno task cluster up", command: cluster("up"), minutes: CLUSTER_MINUTES, isRequired: true };
  if (await runner.prepare(up)) {
    const status = await outputOf(cluster("status"));
    Deno.env.set("E2E_KUBECONFIG", /^up: (.*)$/m.exec(status)?.[1] ?? "");
    await runAll();
    Deno.env.delete("E2E_KUBECONFIG");
  } else runner.skipParts(parts, "there is no cluster");
  await runCommand(["timeout", "--kill-after=10", "120", ...cluster("down")]);
}

function cluster(word: string): string[] {
  return [Deno.execPath(), "task", "--quiet", "cluster", word];
}

/** Prints the closing lines and exits. */
function finish(): never {
  build?.stop();
  for (const line of runner.summary()) console.log(line);
  Deno.exit(runner.failed ? FAILED : 0);
}
