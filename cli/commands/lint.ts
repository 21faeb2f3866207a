/** `tiphys lint`: checks manifests before anything runs. */
import { escapeControls } from "../view/plain.ts";
import { Command, Option } from "commander";
import { isKindName, type KindName, KINDS } from "@tiphys/model/api";
import { lineWithCaret } from "@tiphys/language/template";
import { countText } from "@tiphys/base/count_text";
import { isObject } from "@tiphys/base/fields_of";
import { formatProblem, isLintable, type Problem } from "@tiphys/language/validate";
import { problemText } from "@tiphys/language/validate/problem_text";
import { referredTemplates } from "@tiphys/service/stored";
import { checkDocuments, type DocumentProblem } from "../input/check_documents.ts";
import { badInput, endWith, EXIT_CODE } from "../command_error.ts";
import { FLAG_GROUP } from "../help/help.ts";
import { type GlobalFlags, lookOf, withCluster } from "../flags/global_flags.ts";
import { addStrictFlag } from "../flags/strict.ts";
import { helmTag, RENDER_HELM } from "../input/helm_template.ts";
import { type InputDocument, objectOf, readDocuments } from "../input/input_documents.ts";
import { readInteger } from "../flags/submit_flags.ts";
import type { Look } from "../view/look.ts";
import { manifestFiles } from "../input/manifest_files.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly offline?: boolean;
  readonly strict: boolean;
  readonly output: "pretty" | "simple" | "json" | "sarif" | "github";
  readonly kinds?: string;
}

/** Kinds by the words that `--kinds` accepts. */
const WORDS: Readonly<Record<string, KindName>> = {
  "workflows": "Workflow",
  "workflowtemplates": "WorkflowTemplate",
  "clusterworkflowtemplates": "ClusterWorkflowTemplate",
  "cluster-workflow-templates": "ClusterWorkflowTemplate",
  "cronworkflows": "CronWorkflow",
  "cron-workflows": "CronWorkflow",
  "wf": "Workflow",
  "wftmpl": "WorkflowTemplate",
  "cwftmpl": "ClusterWorkflowTemplate",
  "cronwf": "CronWorkflow",
};

/** Creates the command `lint`. With `only`, it checks a single kind. */
export function lintCommand(world: World, only?: KindName): Command {
  const command = addStrictFlag(new Command("lint"))
    .argument("<files...>", "manifests or folders of them; - is the standard input")
    .option("--offline", "do not connect to a cluster: all templates must be in the files")
    .addOption(
      new Option("-o, --output <form>", "output format").helpGroup(FLAG_GROUP.output)
        .choices(["pretty", "simple", "json", "sarif", "github"]).default("pretty"),
    );
  if (!only) command.option("--kinds <kinds>", "kinds to check, separated by commas", "all");
  return command.action((files: string[], _flags: unknown, self: Command) =>
    lint(files, only ? KINDS[only].plural : undefined, self.optsWithGlobals<Flags>(), world)
  );
}

async function lint(
  names: readonly string[],
  only: string | undefined,
  flags: Flags,
  world: World,
): Promise<void> {
  const kinds = readKinds(only ?? flags.kinds ?? "all");
  const { files, foundInFolders } = await manifestFiles(names);
  const documents = await readDocuments(files, world, flags.strict ? "none" : "all");
  const linted = documents.filter((document) => shouldCheck(document, kinds, foundInFolders.has(document.file)));
  printIgnored(documents, world);
  const look = lookOf(flags, world);
  if (linted.length === 0) {
    world.out(`${look.paint.red("✖ found nothing to lint in the specified paths, failing...")}\n`);
    throw endWith(EXIT_CODE.failed);
  }
  const meant = new Set(linted);
  const problems = [
    ...(await check(documents, flags, world)).filter(({ document }) => meant.has(document)),
    ...helmWarnings(linted),
  ];
  world.out(await formatProblems(problems, flags, look));
  if (!problems.every(isWarning)) throw endWith(EXIT_CODE.failed);
  if (flags.output !== "simple" && flags.output !== "pretty") return;
  const mark = flags.output === "simple" ? "" : `${look.paint.green("✔")} `;
  if (problems.length === 0 || flags.output === "pretty") world.out(`${mark}no linting errors found!\n`);
}

/** Checks all documents together, because documents of the requested kinds may refer to the others. */
async function check(documents: readonly InputDocument[], flags: Flags, world: World): Promise<DocumentProblem[]> {
  const stored = flags.offline
    ? []
    : await withCluster(world, flags, ({ service, namespace }) =>
      referredTemplates(service, namespace, documents.map(objectOf)));
  const nodes = world.env("MAX_WORKFLOW_NODES");
  const allowUnknownFields = !flags.strict;
  return checkDocuments(documents, {
    stored,
    allowUnknownFields,
    ...(nodes && { nodes: readInteger("MAX_WORKFLOW_NODES", nodes) }),
  });
}

/**
 * Returns a warning for each file that is valid YAML with tags of Helm in its fields: most of what it renders is
 * unknown.
 */
function helmWarnings(documents: readonly InputDocument[]): DocumentProblem[] {
  const readable = documents.filter(({ source }) => source.errors.length === 0);
  return [...Map.groupBy(readable, ({ file }) => file)].flatMap(([file, [document]]) => {
    const place = document && helmTag(document.source.text);
    if (!place) return [];
    return [{ ...place, file, path: "", message: RENDER_HELM, severity: "warning" as const, document }];
  });
}

/** Prints the number of documents of unknown kinds to the standard error. */
function printIgnored(documents: readonly InputDocument[], world: World): void {
  const others = documents.filter(({ source, value }) =>
    source.errors.length === 0 && (value ?? undefined) !== undefined && !isLintable(value)
  );
  if (others.length === 0) return;
  const kinds = Map.groupBy(others, ({ value }) => isObject(value) && typeof value.kind === "string" ? value.kind : "");
  const counts = [...kinds].map(([kind, { length }]) =>
    `${length} ${kind === "" ? "without a kind" : escapeControls(kind)}`
  );
  world.err(`Ignored ${countText(others.length, "document")} of other kinds: ${counts.join(", ")}\n`);
}

/**
 * Whether a document is checked: it has one of the requested kinds, or cannot be parsed. An object without apiVersion
 * or kind is reported only in a file that was named; files of a folder may contain anything.
 */
function shouldCheck(document: InputDocument, kinds: ReadonlySet<string>, isFound: boolean): boolean {
  const { source, value } = document;
  if (source.errors.length > 0) return true;
  const { apiVersion, kind } = isObject(value) ? value : {};
  if (isLintable(value)) return !isKindName(kind) || kinds.has(kind);
  return !isFound && (apiVersion === undefined || kind === undefined);
}

function readKinds(text: string): Set<string> {
  const words = text.split(",").map((word) => word.trim().toLowerCase());
  if (words.includes("all")) return new Set(Object.keys(KINDS));
  return new Set(words.map((word) => {
    const kind = WORDS[word];
    if (!kind) throw badInput(`Expected kinds among all, ${Object.keys(WORDS).join(", ")}, got "${word}"`);
    return kind;
  }));
}

/** The problems in the form that was requested. */
async function formatProblems(problems: readonly DocumentProblem[], { output }: Flags, look: Look): Promise<string> {
  switch (output) {
    case "simple":
      return simpleText(problems);
    case "pretty":
      return prettyText(problems, look);
    case "json":
      return jsonText(problems.map(({ file, line, column, path, message, severity = "error" }) => ({
        ...{ file, line, column, path, message, severity },
      })));
    case "sarif": {
      const { sarifLog } = await import("../view/sarif.ts");
      return jsonText(sarifLog(problems));
    }
    case "github": {
      const { githubAnnotation } = await import("../view/annotations.ts");
      const lines = problems.map(({ file, line, column, severity, ...problem }) =>
        githubAnnotation(file, { line, column, message: problemText(problem), level: severity })
      );
      return lines.map((line) => `${line}\n`).join("");
    }
  }
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function simpleText(problems: readonly Problem[]): string {
  return problems.map((problem) => `${escapeControls(formatProblem(problem))}\n`).join("");
}

function prettyText(problems: readonly DocumentProblem[], { paint }: Look): string {
  const files = Map.groupBy(problems, ({ file }) => file);
  const lines = [...files].flatMap(([file, fileProblems]) => [
    `${paint.underline(file)}:`,
    ...fileProblems.flatMap((problem) => {
      const { line, column, path, message, document } = problem;
      const mark = isWarning(problem) ? paint.yellow("⚠") : paint.red("✖");
      const shown = lineWithCaret(document.source.text, line, column);
      return [
        `   ${mark} ${line}:${column}: ${escapeControls(`${path ? `${path}: ` : ""}${message}`)}`,
        ...shown.map((line) => paint.dim(`     | ${escapeControls(line)}`)),
      ];
    }),
    "",
  ]);
  const errors = problems.filter((problem) => !isWarning(problem)).length;
  if (errors > 0) lines.push(paint.red(`✖ ${countText(errors, "linting error")} found!`));
  return lines.map((line) => `${line}\n`).join("");
}

function isWarning({ severity }: Problem): boolean {
  return severity === "warning";
}
