/**
 * The unit tests, in parallel processes: all of them except the long ones, or those of some files or folders.
 *
 *     deno task test
 *     deno task test lib/engine/pod --filter "podSpecPatch"
 *     deno task test --package engine          those of a package of lib
 *     deno task test --long                    those that take servers, many seeds or whole bundles
 *     deno task test --long --share 2/3        a share of these
 *     deno task test --shuffle 17              in random order
 *     deno task test --record                  writes how long each file takes, which balances the processes
 *
 * A file whose tests fail is run once more, alone. If it passes then, it is listed as unsteady and the run passes,
 * unless more than three files are unsteady.
 */
import { programOptions } from "./program_options.ts";
import { PACKAGE_NAMES } from "./packages.ts";
import { parseShare } from "./share.ts";
import { runUnitTests } from "./unit_tests/unit_tests.ts";

const ROOT = new URL("../", import.meta.url).pathname;

const { values, positionals } = programOptions({
  allowPositionals: true,
  options: {
    filter: { type: "string" },
    package: { type: "string" },
    long: { type: "boolean" },
    share: { type: "string" },
    shuffle: { type: "string" },
    record: { type: "boolean" },
  },
});
if (values.package !== undefined && !PACKAGE_NAMES.includes(values.package)) {
  console.error(`--package: no package "${values.package}". Packages: ${PACKAGE_NAMES.join(", ")}`);
  Deno.exit(2);
}
const paths = values.package === undefined ? positionals : [...positionals, `lib/${values.package}`];
const { passed, summary } = await runUnitTests({
  ...values,
  share: parseShare(values.share),
  seed: values.shuffle === undefined ? undefined : Number(values.shuffle),
  paths: paths.map((path) => path.startsWith(ROOT) ? path.slice(ROOT.length) : path),
});
for (const line of summary) console.log(line);
Deno.exit(passed ? 0 : 1);
