/**
 * Checks the documentation against the tree and the programs: links and anchors have targets, YAML is valid for the
 * program that reads it, and command lines name commands, flags, tasks and paths that exist.
 *
 *     deno task check docs
 */
import { programOf } from "../cli/program.ts";
import { realWorld } from "../cli/real_world.ts";
import { fieldsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { outputOf } from "./command.ts";
import { commandProblems } from "./docs/command_lines.ts";
import { brokenLinks } from "./docs/links.ts";
import { readPage } from "./docs/page.ts";
import { yamlProblems } from "./docs/yaml_blocks.ts";

/** Pages about earlier states: their command lines are not checked. */
const NOT_FOR_TYPING = ["CHANGELOG.md"];

/** Checks all pages of the tree; one line for each problem. */
export async function docsProblems(): Promise<string[]> {
  const root = new URL("../", import.meta.url);
  const files = (await outputOf(["git", "ls-files", "-z"], { cwd: root.pathname })).split("\0").filter(Boolean);
  const texts = files.filter((file) => file.endsWith(".md"))
    .map(async (file) => readPage(file, await Deno.readTextFile(new URL(file, root))));
  const pages = new Map((await Promise.all(texts)).map((page) => [page.path, page]));
  const { tasks } = fieldsOfJson(await Deno.readTextFile(new URL("deno.json", root)));
  const known = {
    program: (words: readonly string[]) => programOf(words, realWorld),
    tasks: new Set(Object.keys(fieldsOf(tasks))),
    files,
  };
  const found: string[] = [];
  for (const page of pages.values()) {
    const problems = [
      ...brokenLinks(page, pages, files),
      ...page.blocks.filter(({ language }) => language === "yaml").flatMap(yamlProblems),
      ...NOT_FOR_TYPING.includes(page.path) ? [] : await commandProblems(page, known),
    ];
    found.push(...problems.map(({ line, text }) => `${page.path}:${line}: ${text}`));
  }
  return found;
}

if (import.meta.main) {
  const problems = await docsProblems();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) Deno.exit(1);
}
