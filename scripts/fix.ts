/** `deno task fix`: formats, applies automatic lint fixes, updates `deno.lock`, and regenerates generated files. */
import { passThrough } from "./command.ts";

const STEPS: readonly (readonly string[])[] = [
  ["lint", "--fix", "--quiet"],
  ["check", "--quiet", "."],
  ["run", "-A", "scripts/gen.ts"],
  ["fmt", "--quiet"],
];

let failed = 0;
for (const step of STEPS) {
  console.log(`deno ${step.join(" ")}`);
  if (await passThrough([Deno.execPath(), ...step]) !== 0) failed++;
}
if (failed > 0) console.log("Some problems are left: fix them yourself, then run `deno task check`");
Deno.exit(failed > 0 ? 1 : 0);
