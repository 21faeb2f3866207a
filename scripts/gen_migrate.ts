/** The generated sections of `docs/migrate.md`: the rights that Argo's roles lack, and the compatibility table. */
import { stringifyYaml } from "@tiphys/model/yaml";
import { rightsToAdd, rulesToAdd } from "./argo_roles.ts";
import type { TestReference } from "./case_coverage.ts";
import { FEATURES, testsOf } from "./features/mod.ts";
import { binding, inNamespace, role } from "./manifest_objects.ts";
import { table } from "./reference/markdown.ts";

/** The maximum number of test files that are linked in one row; the tables `scripts/*_cases` have all of them. */
const MAX_LINKS = 3;

/**
 * Replaces the generated sections of the page. Each is between the comments `generated: NAME` and `end of NAME`.
 * @throws {Error} if a section is missing.
 */
export function migratePage(page: string): string {
  let result = page;
  for (const [name, text] of [["rights", rightsSection()], ["compatibility", compatibilitySection()]]) {
    const [begin, end] = [`<!-- generated: ${name} -->\n`, `<!-- end of ${name} -->`];
    const from = result.indexOf(begin);
    const to = result.indexOf(end);
    if (from < 0 || to < from) throw new Error(`Expected a section between ${begin.trim()} and ${end}`);
    result = `${result.slice(0, from + begin.length)}\n${IGNORE_START}\n${text}\n${IGNORE_END}\n\n${result.slice(to)}`;
  }
  return result;
}

const IGNORE_START = "<!-- deno-fmt-ignore-start -->";
const IGNORE_END = "<!-- deno-fmt-ignore-end -->";

function rightsSection(): string {
  const name = "tiphys-additions";
  const objects = [
    role("ClusterRole", name, rulesToAdd()),
    inNamespace(binding("ClusterRoleBinding", "ClusterRole", name, "argo")),
  ];
  return [
    table(["Right", "Without it"], rightsToAdd().map(({ right, loss }) => [`\`${right}\``, loss])),
    "",
    "To add all of them to the account `argo` of the namespace `argo`, apply:",
    "",
    "```yaml",
    objects.map((object) => stringifyYaml(object).trimEnd()).join("\n---\n"),
    "```",
  ].join("\n");
}

function compatibilitySection(): string {
  return Object.entries(FEATURES).flatMap(([area, features]) => [
    `### ${area}`,
    "",
    table(
      ["Feature of Argo", "Here", "Details", "Proved by"],
      Object.entries(features).map(([name, { verdict, note, proofs }]) => [
        name,
        verdict,
        note,
        linksTo(proofs.flatMap(testsOf)),
      ]),
    ),
    "",
  ]).join("\n").trimEnd();
}

function linksTo(tests: readonly TestReference[]): string {
  const files = [...new Set(tests.map(([file]) => file))];
  return files.slice(0, MAX_LINKS).map((file) => `[${file}](../${file})`).join(", ");
}
