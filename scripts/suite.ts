/**
 * The long test suites: `deno task suite NAME ARGUMENTS`. Each ends with `N passed, N failed, N skipped`; the comment
 * at the top of its program lists its arguments.
 */
import { passThrough } from "./command.ts";

/** A suite: its program and what it tests. */
interface Suite {
  readonly program: string;
  readonly about: string;
}

/** The suites by name. */
export const SUITES: Readonly<Record<string, Suite>> = {
  artifacts: { program: "tests/artifacts/main.ts", about: "the artifact store contract against real servers" },
  clients: { program: "tests/clients/main.ts", about: "Hera and other clients against the server and `tiphys local`" },
  compare: {
    program: "tests/conformance/compare.ts",
    about: "compares conformance results of cluster and embedded cluster",
  },
  conformance: {
    program: "tests/conformance/main.ts",
    about: "Argo's examples and tests on a cluster; `--embedded` without one",
  },
  crash: { program: "tests/crash/main.ts", about: "kills embedded clusters at random moments while workflows run" },
  dst: { program: "tests/dst/main.ts", about: "the whole controller in a seeded simulation with faults" },
  examples: { program: "tests/examples/main.ts", about: "runs every file of `examples/` on this machine" },
  "node-ids": { program: "tests/node_ids/main.ts", about: "IDs of 100,000 nodes in each of 1,000 random workflows" },
  pictures: { program: "tests/ui/pictures/main.ts", about: "pictures of every page and state, in build/ui-pictures" },
  random: { program: "tests/random_workflows/main.ts", about: "random workflows under random events and actions" },
  kubectl: { program: "tests/embedded/main.ts", about: "kubectl sessions against `tiphys local`" },
};

if (import.meta.main) {
  const [name = "", ...args] = Deno.args;
  const suite = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
  if (suite === undefined) {
    console.error("Usage: deno task suite NAME [ARGUMENTS]");
    for (const [name, { about }] of Object.entries(SUITES)) console.error(`  ${name.padEnd(12)} ${about}`);
    Deno.exit(2);
  }
  Deno.exit(await passThrough([Deno.execPath(), "run", "-A", "--no-check", suite.program, ...args]));
}
