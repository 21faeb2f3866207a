/**
 * `deno task audit`: asks an advisory service for known vulnerabilities of the shipped packages. Ends with 1 for one of high
 * or critical severity, and with 0 and a clear line where no service could be reached. `--write` writes docs/packages.md and
 * THIRD_PARTY_NOTICES.txt.
 */
import { fieldsOf, itemsOf } from "../lib/fields_of.ts";
import { runCommand } from "./command.ts";
import { noticesText } from "./notices.ts";
import { denoCache, describedHere, type Package, packagesPage, shippedPackages } from "./shipped_packages.ts";

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

/** The outcome of an audit: what the service answered, or why it could not be asked. */
export type Audit = { readonly advisories: readonly Advisory[] } | { readonly unreachable: string };

/** Asks the service. Only an answer that can be read counts: a page of a proxy is not an empty list. */
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
        itemsOf(list).map((one) => {
          const { severity, title, url } = fieldsOf(one);
          return { name, severity: String(severity), title: String(title), url: String(url) };
        })
      ),
    };
  } catch (error) {
    return { unreachable: `${service}: ${error instanceof Error ? error.message : error}` };
  }
}

/** The lines of a report, and the exit code. */
export function reportOf(found: Audit, count: number): { readonly lines: readonly string[]; readonly code: number } {
  if ("unreachable" in found) {
    return {
      lines: [`NOT CHECKED: no advisory service could be asked about ${count} packages (${found.unreachable})`],
      code: 0,
    };
  }
  const lines = found.advisories.map(({ name, severity, title, url }) => `${severity}: ${name}: ${title} (${url})`);
  const severe = found.advisories.filter(({ severity }) => SEVERE.has(severity)).length;
  return {
    lines: [...lines, `${count} packages checked: ${lines.length} advisories, ${severe} of high or critical severity`],
    code: severe > 0 ? 1 : 0,
  };
}

if (import.meta.main) {
  const packages = await shippedPackages();
  if (Deno.args.includes("--write")) {
    const page = new URL("../docs/packages.md", import.meta.url);
    const all = await describedHere(packages);
    await Deno.writeTextFile(page, packagesPage(all));
    const notices = new URL("../THIRD_PARTY_NOTICES.txt", import.meta.url);
    await Deno.writeTextFile(notices, await noticesText(all, await denoCache()));
    await runCommand([Deno.execPath(), "fmt", "--quiet", page.pathname]);
  } else {
    const { lines, code } = reportOf(await audit(packages), packages.length);
    console.log(lines.join("\n"));
    Deno.exit(code);
  }
}
