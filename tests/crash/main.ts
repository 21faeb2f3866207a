/** `deno task crash [KILLS]`: kills the embedded cluster at so many random moments, 20 if not said. */
import { surviveKills } from "./mod.ts";

const DEFAULT_KILLS = 20;

const kills = Number(Deno.args[0] ?? DEFAULT_KILLS);
if (!Number.isInteger(kills) || kills < 1) {
  console.error(`Expected how often to kill, a whole number from 1 on, got ${JSON.stringify(Deno.args[0])}`);
  Deno.exit(2);
}
try {
  const workflows = await surviveKills({ kills, random: Math.random, onKill: (what) => console.log(what) });
  console.log(`PASS ${workflows} workflows ran to their end over ${kills} kills\n1 passed, 0 failed, 0 skipped`);
} catch (error) {
  console.log(`FAIL ${error instanceof Error ? error.stack : error}\n0 passed, 1 failed, 0 skipped`);
  Deno.exit(1);
}
