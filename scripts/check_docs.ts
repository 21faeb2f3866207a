/**
 * Holds the pages for people to the tree and to the programs: links and anchors lead somewhere, YAML is read as its program
 * would read it, and command lines name commands, flags, tasks and paths that are there.
 *
 *     deno task docs
 */
import { programOf } from "../cli/program.ts";
import { realWorld } from "../cli/real_world.ts";
import { fieldsOf } from "../lib/fields_of.ts";
import { fieldsOfJson } from "../lib/fields_of_json.ts";
import { outputOf } from "./command.ts";
import { commandProblems } from "./docs/command_lines.ts";
import { brokenLinks } from "./docs/links.ts";
import { readPage } from "./docs/page.ts";
import { yamlProblems } from "./docs/yaml_blocks.ts";

/** Pages whose words were right when they were written, and the one that repeats comments: their command lines are not read. */
const NOT_FOR_TYPING = ["CHANGELOG.md"];

if (import.meta.main) {
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
  let found = 0;
  for (const page of pages.values()) {
    const problems = [
      ...brokenLinks(page, pages, files),
      ...page.blocks.filter(({ language }) => language === "yaml").flatMap(yamlProblems),
      ...NOT_FOR_TYPING.includes(page.path) ? [] : await commandProblems(page, known),
    ];
    for (const { line, text } of problems) console.error(`${page.path}:${line}: ${text}`);
    found += problems.length;
  }
  if (found > 0) Deno.exit(1);
}
