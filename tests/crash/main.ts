/**
 * `deno task suite crash [KILLS]`: kills embedded clusters at KILLS random moments, 20 by default. Several run in
 * parallel, each with its own data: while one of them starts, another waits for its end.
 */
import { chooseRuntime, RuntimeUnavailable } from "../../local/kubelet/mod.ts";
import { removeTree } from "../../local/image/remove_tree.ts";
import type { RuntimeName } from "../../local/mod.ts";
import { IMAGE, makeCache, surviveKills } from "./mod.ts";

const DEFAULT_KILLS = 20;
const RUNTIMES = ["host", "sandbox"] as const;
const CLUSTERS_PER_RUNTIME = 2;

const kills = Number(Deno.args[0] ?? DEFAULT_KILLS);
if (!Number.isInteger(kills) || kills < 1) {
  console.error(`Expected the number of kills, a whole number from 1 on, got ${JSON.stringify(Deno.args[0])}`);
  Deno.exit(2);
}
const cacheHome = await Deno.makeTempDir({ prefix: "crash-cache-" });
try {
  await makeCache(cacheHome, IMAGE);
  const runtimes = (await Promise.all(RUNTIMES.map(async (name) => await isAllowed(name) ? [name] : []))).flat();
  const all = runtimes.flatMap((name) => Array<RuntimeName>(CLUSTERS_PER_RUNTIME).fill(name));
  const clusters = all
    .map((runtime, index) => ({ runtime, kills: Math.floor((kills + index) / all.length) }))
    .filter(({ kills }) => kills > 0);
  const onKill = (subject: string) => console.log(subject);
  const outcomes = await Promise.allSettled(
    clusters.map((cluster) => surviveKills({ ...cluster, random: Math.random, cacheHome, onKill })),
  );
  for (const [index, { runtime }] of clusters.entries()) {
    const outcome = outcomes[index]!;
    if (outcome.status === "fulfilled") console.log(`PASS ${runtime}: ${outcome.value} workflows ran to their end`);
    else console.log(`FAIL ${runtime}: ${outcome.reason instanceof Error ? outcome.reason.stack : outcome.reason}`);
  }
  const failed = outcomes.filter(({ status }) => status === "rejected").length;
  const skipped = RUNTIMES.length - runtimes.length;
  console.log(`${kills} kills\n${outcomes.length - failed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0) Deno.exitCode = 1;
} finally {
  await removeTree(cacheHome);
}

async function isAllowed(runtime: RuntimeName): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    const images = { folder: `${folder}/images` };
    await (await chooseRuntime({ runtime, folder, images, folders: new Map(), onNotice() {} })).close();
    return true;
  } catch (error) {
    if (!(error instanceof RuntimeUnavailable)) throw error;
    console.log(`SKIP ${runtime}: ${error.message}`);
    return false;
  } finally {
    await removeTree(folder);
  }
}
