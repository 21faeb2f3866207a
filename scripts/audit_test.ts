import { assert, assertEquals } from "@std/assert";
import { audit, reportOf } from "./audit.ts";
import { noticedPackages } from "./notices.ts";
import { closureOf, packagesPage, pageProblems, reducedLock, shippedPackages } from "./shipped_packages.ts";

const PACKAGES = [{ name: "a", version: "1.0.0" }, { name: "@b/c", version: "2.0.0" }];
const answering = (text: string, status = 200) => () => Promise.resolve(new Response(text, { status }));

Deno.test("audit: a vulnerability of high severity fails, one of low severity does not", async () => {
  const advisory = (severity: string) => JSON.stringify({ a: [{ severity, title: "t", url: "u" }] });
  const rows = [["critical", "failed"], ["high", "failed"], ["moderate", "passed"], ["low", "passed"]] as const;
  for (const [severity, outcome] of rows) {
    const report = reportOf(await audit(PACKAGES, "x", answering(advisory(severity))), 2);
    assertEquals([report.outcome, report.lines[0]], [outcome, `${severity}: a: t (u)`]);
  }
});

Deno.test("audit: an unreachable service is reported as such, never as the absence of vulnerabilities", async () => {
  const failing = () => Promise.reject(new TypeError("no network"));
  for (const fetcher of [failing, answering("<html>Log in</html>"), answering("[]"), answering("{}", 503)]) {
    const { outcome, lines } = reportOf(await audit(PACKAGES, "x", fetcher), 2);
    assertEquals([outcome, lines.length], ["skipped", 1]);
    assert(lines[0]!.startsWith("NOT CHECKED: no advisory service could be queried about 2 packages"), lines[0]);
  }
  assertEquals(reportOf(await audit(PACKAGES, "x", answering("{}")), 2).lines, [
    "2 packages checked: 0 advisories, 0 of high or critical severity",
  ]);
});

Deno.test("closureOf: follows the dependencies of a lock file, whatever their names and versions look like", () => {
  const npm = {
    "a@1.0.0": { dependencies: ["@b/c", "d@2.0.0"] },
    "@b/c@2.0.0_a@1.0.0": {},
    "d@1.0.0": {},
    "d@2.0.0": {},
    "unused@1.0.0": {},
  };
  assertEquals(closureOf(["npm:a@^1"], { "npm:a@^1": "1.0.0" }, npm), [
    { name: "@b/c", version: "2.0.0" },
    { name: "a", version: "1.0.0" },
    { name: "d", version: "2.0.0" },
  ]);
});

Deno.test("reducedLock: keeps required packages with their optional ones, with versions only where there are several", () => {
  const npm = {
    "@b/c@2.0.0_a@1.0.0": { integrity: "x" },
    "a@1.0.0": { dependencies: ["@b/c", "d@2.0.0"], optionalDependencies: ["binary"], os: ["linux"] },
    "binary@1.0.0": {},
    "d@1.0.0": {},
    "d@2.0.0": {},
  };
  const lock = { version: "5", specifiers: { "npm:a@1": "1.0.0", "npm:d@1": "1.0.0" }, npm };
  const { "d@1.0.0": _, ...needed } = npm;
  assertEquals(reducedLock(lock, ["npm:/a@1/inner", "npm:absent@1"]), {
    version: "5",
    specifiers: { "npm:a@1": "1.0.0" },
    npm: { ...needed, "a@1.0.0": { ...npm["a@1.0.0"], dependencies: ["@b/c", "d"] } },
  });
});

Deno.test("docs/packages.md: lists the shipped packages and no others, with permitted licenses", async () => {
  const page = await Deno.readTextFile(new URL("../docs/packages.md", import.meta.url));
  assertEquals(pageProblems(page, await shippedPackages()), [], "run deno task audit --write");
});

Deno.test("audit: a difference of the list and a license that is not permitted are problems", () => {
  const page = packagesPage([
    { name: "a", version: "1.0.0", license: "(GPL-3.0 OR MIT)", bytes: 1 },
    { name: "gone", version: "1.0.0", license: "(Apache-2.0 AND BSD-3-Clause)", bytes: 1 },
    { name: "@b/c", version: "2.0.0", license: "(MIT AND GPL-3.0)", bytes: 1 },
  ]);
  assertEquals(pageProblems(page, [...PACKAGES, { name: "new", version: "1.0.0" }]), [
    "new 1.0.0 is shipped and not listed",
    "gone 1.0.0 is listed and not shipped",
    "@b/c 2.0.0: the license (MIT AND GPL-3.0) requires more than a notice",
  ]);
});

Deno.test("THIRD_PARTY_NOTICES.txt has the license of each shipped package", async () => {
  const text = await Deno.readTextFile(new URL("../THIRD_PARTY_NOTICES.txt", import.meta.url));
  const names = noticedPackages(text).map(({ name, version }) => `${name} ${version}`);
  const shipped = (await shippedPackages()).map(({ name, version }) => `${name} ${version}`);
  assertEquals(names.toSorted(), shipped.toSorted(), "run deno task audit --write");
});
