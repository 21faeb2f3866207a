/**
 * The artifact store contract against real servers.
 *
 *     deno task suite artifacts                all servers that are quick to get
 *     deno task suite artifacts s3 --case ID   one case of one server
 *     deno task suite artifacts --share 2/3    a third of the cases of each server
 */
import { parseArgs } from "node:util";
import { ask, CASES, casesOf, type UnderTest } from "../../lib/artifacts/testing/contract/mod.ts";
import { isInShare, parseShare } from "../../scripts/share.ts";
import { NotHere, SERVERS } from "./servers/mod.ts";

/** A case that takes longer hangs, milliseconds. */
const PATIENCE_MILLIS = 180_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { case: { type: "string" }, all: { type: "boolean" }, share: { type: "string" } },
});
const share = parseShare(values.share);
const count = { passed: 0, failed: 0, skipped: 0 };
const cases = CASES.filter(({ id }) => values.case === undefined || id === values.case);

const unknown = positionals.filter((name) => !SERVERS.some((kind) => kind.name === name));
if (unknown.length > 0) {
  console.error(`No server ${unknown.join(", ")}; the servers are ${SERVERS.map(({ name }) => name).join(", ")}`);
  Deno.exit(2);
}

for (const kind of SERVERS) {
  if (positionals.length > 0 && !positionals.includes(kind.name)) continue;
  if (kind.isSlow && !values.all && !positionals.includes(kind.name)) {
    count.skipped += cases.length;
    console.log(`SKIP ${kind.name}: its program takes long to get: ask for it by name, or for --all`);
    continue;
  }
  try {
    await using server = await kind.start();
    for (const asked of server.asked) await askAll({ ...asked, isAlone: true });
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    count.skipped += cases.length;
    console.log(`SKIP ${kind.name}: ${error.message}`);
  }
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
Deno.exit(count.failed > 0 ? 1 : 0);

async function askAll(asked: UnderTest): Promise<void> {
  const chosen = casesOf(asked).filter((one) => cases.includes(one) && isInShare(`${asked.name} ${one.id}`, share));
  for (const one of chosen) {
    const started = performance.now();
    const took = () => `(${((performance.now() - started) / 1000).toFixed(1)} s)`;
    try {
      const answer = await patiently(ask(one, asked));
      if ("skipped" in answer) {
        count.skipped++;
        console.log(`SKIP ${asked.name} ${one.id}: ${answer.skipped}`);
      } else {
        count.passed++;
        console.log(`PASS ${asked.name} ${one.id} ${took()}`);
      }
    } catch (error) {
      count.failed++;
      console.log(`FAIL ${asked.name} ${one.id}: ${one.title} ${took()}`);
      console.log(String(error instanceof Error ? error.stack : error).replaceAll(/^/gm, "  "));
    }
  }
}

async function patiently<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no end after ${PATIENCE_MILLIS / 1000} s`)),
    PATIENCE_MILLIS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
