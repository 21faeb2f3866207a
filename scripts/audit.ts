/**
 * `deno task audit`: compares docs/packages.md with the shipped packages, checks their licenses, and asks an advisory
 * service for known vulnerabilities. Fails for a difference, for a license that requires more than a notice, and for a
 * vulnerability of high or critical severity. If no service can be reached, that check is skipped, and a line reports
 * it. `--write` writes the page and THIRD_PARTY_NOTICES.txt.
 */
import { fieldsOf, itemsOf } from "@tiphys/base/fields_of";
import { runCommand } from "./command.ts";
import { noticesText } from "./notices.ts";
import { type Counts, countsText } from "./run_parts.ts";
import {
  denoCache,
  describeInstalled,
  type Package,
  packagesPage,
  pageProblems,
  shippedPackages,
} from "./shipped_packages.ts";

const SERVICE = "https://registry.npmjs.org/-/npm/v1/security/advisories/bulk";
const ANSWER_WITHIN_MILLIS = 30_000;
const SEVERE: ReadonlySet<string> = new Set(["high", "critical"]);

/** A known vulnerability of a shipped package. */
export interface Advisory {
  readonly name: string;
  readonly severity: string;
  readonly title: string;
  readonly url: string;
}

/** The outcome of an audit: the advisories, or the reason why the service was not reachable. */
export type Audit = { readonly advisories: readonly Advisory[] } | { readonly unreachable: string };

/** Queries the service. Only a valid response counts: the page of a proxy is not an empty list. */
export async function audit(packages: readonly Package[], service = SERVICE, fetcher = fetch): Promise<Audit> {
  const versions: Record<string, string[]> = {};
  for (const { name, version } of packages) (versions[name] ??= []).push(version);
  try {
    const response = await fetcher(service, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(versions),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MILLIS),
    });
    const text = await response.text();
    if (!response.ok) return { unreachable: `${service} answered ${response.status}` };
    const found: unknown = JSON.parse(text);
    if (typeof found !== "object" || found === null || Array.isArray(found)) {
      return { unreachable: `${service} did not answer with advisories` };
    }
    return {
      advisories: Object.entries(found).flatMap(([name, list]) =>
        itemsOf(list).map((item) => {
          const { severity, title, url } = fieldsOf(item);
          return { name, severity: String(severity), title: String(title), url: String(url) };
        })
      ),
    };
  } catch (error) {
    return { unreachable: `${service}: ${error instanceof Error ? error.message : error}` };
  }
}

/** The outcome and output of one check. */
export interface CheckReport {
  readonly lines: readonly string[];
  readonly outcome: keyof Counts;
}

/** Returns the report about `count` packages. */
export function reportOf(report: Audit, count: number): CheckReport {
  if ("unreachable" in report) {
    return {
      lines: [`NOT CHECKED: no advisory service could be queried about ${count} packages (${report.unreachable})`],
      outcome: "skipped",
    };
  }
  const lines = report.advisories.map(({ name, severity, title, url }) => `${severity}: ${name}: ${title} (${url})`);
  const severe = report.advisories.filter(({ severity }) => SEVERE.has(severity)).length;
  return {
    lines: [...lines, `${count} packages checked: ${lines.length} advisories, ${severe} of high or critical severity`],
    outcome: severe > 0 ? "failed" : "passed",
  };
}

if (import.meta.main) {
  const packages = await shippedPackages();
  const page = new URL("../docs/packages.md", import.meta.url);
  if (Deno.args.includes("--write")) {
    const all = await describeInstalled(packages);
    await Deno.writeTextFile(page, packagesPage(all));
    const notices = new URL("../THIRD_PARTY_NOTICES.txt", import.meta.url);
    await Deno.writeTextFile(notices, await noticesText(all, await denoCache()));
    await runCommand([Deno.execPath(), "fmt", "--quiet", page.pathname]);
  } else {
    const problems = pageProblems(await Deno.readTextFile(page), packages);
    const reports: CheckReport[] = [
      {
        lines: problems.map((problem) => `docs/packages.md: ${problem}`),
        outcome: problems.length > 0 ? "failed" : "passed",
      },
      reportOf(await audit(packages), packages.length),
    ];
    for (const { lines } of reports) for (const line of lines) console.log(line);
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const { outcome } of reports) counts[outcome]++;
    console.log(countsText(counts));
    Deno.exit(counts.failed > 0 ? 1 : 0);
  }
}
