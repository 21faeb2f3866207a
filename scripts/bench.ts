/**
 * The benchmarks: `deno task bench [NAME] [ARGUMENTS]`. Without a name of the list, the controller on a control plane;
 * the comment at the top of each program lists its arguments.
 */
import { passThrough } from "./command.ts";

/** The benchmarks by name: the arguments of `deno` that run each. */
const BENCHMARKS: Readonly<Record<string, readonly string[]>> = {
  alone: ["run", "-A", "--no-check", "tests/bench/alone/main.ts"],
  artifacts: ["run", "-A", "--no-check", "tests/bench/artifacts/main.ts"],
  micro: ["bench", "-A", "--no-check"],
  neighbors: ["run", "-A", "--no-check", "tests/bench/neighbors/main.ts"],
  pods: ["run", "-A", "--no-check", "tests/bench/pods/main.ts"],
  requests: ["run", "-A", "--no-check", "tests/bench/requests/main.ts"],
  server: ["run", "-A", "--no-check", "tests/bench/server/main.ts"],
  ui: ["run", "-A", "--no-check", "tests/ui/bench/main.ts"],
};

const CONTROLLER = ["run", "-A", "--no-check", "tests/bench/main.ts"];

const [name = "", ...args] = Deno.args;
const command = Object.hasOwn(BENCHMARKS, name) ? [...BENCHMARKS[name]!, ...args] : [...CONTROLLER, ...Deno.args];
if (Deno.args.length === 1 && (name === "--help" || name === "-h")) {
  console.log(`Benchmarks, with \`deno task bench NAME\`: ${Object.keys(BENCHMARKS).join(", ")}.`);
  console.log("Without NAME, runs the controller benchmark with these options:");
}
Deno.exit(await passThrough([Deno.execPath(), ...command]));
