/**
 * The map of the tree: every folder and every source file with the first sentence of its comment.
 *
 *     deno task map            prints the map
 *     deno task map --check    prints problems only: a file without a first sentence that names its subject, a folder
 * without
 *                              a header, a header that names a file that does not exist
 *
 * Both exit with 1 if there are problems. Tests, generated files and programs in other languages are not part of the
 * map.
 */
import { outputOf } from "./command.ts";

const INTRODUCTION = "# Map\n";

/** A source file: its path and text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The map as Markdown, and the problems of the files in it. */
export interface TreeMap {
  readonly map: string;
  /** Files that do not begin with a sentence that names its subject. */
  readonly silent: readonly string[];
  /** Folders of several files without a header about their purpose. */
  readonly headless: readonly string[];
}

/** Folders with fewer files need no header. */
const MIN_FILES = 3;

/** Builds the map of source files and of the READMEs of their folders. */
export function mapOf(files: readonly SourceFile[]): TreeMap {
  const silent: string[] = [];
  const headless: string[] = [];
  const sections: string[] = [];
  for (const [folder, inFolder] of byFolder(files)) {
    const header = HEADERS.map((name) => inFolder.find(({ path }) => nameOf(path) === name)).find(Boolean);
    const shown = inFolder.filter((file) => file !== header && nameOf(file.path) !== README);
    if (header === undefined && shown.length === 0) continue;
    if (header === undefined && shown.length >= MIN_FILES) headless.push(folder);
    const lines = shown.map(({ path, text }) => {
      const sentence = firstSentence(text);
      if (sentence === undefined || SUBJECTLESS.test(sentence)) silent.push(path);
      return `- \`${nameOf(path)}\`: ${sentence ?? "?"}`;
    });
    const about = header && (nameOf(header.path) === README ? firstParagraph(header.text) : firstSentence(header.text));
    if (header && about === undefined) silent.push(header.path);
    sections.push([`## ${folder}`, about, lines.join("\n")].filter(Boolean).join("\n\n"));
  }
  const parts = [INTRODUCTION.trimEnd(), ...sections.map(withoutRelativeLinks)];
  return { map: `${parts.join("\n\n")}\n`, silent, headless };
}

/** Links within a folder are broken in the map, so only their texts are kept. */
function withoutRelativeLinks(text: string): string {
  return text.replace(/\[([^\]\n]*)\]\((?![a-z]+:)[^()\s]*\)/g, "$1");
}

/** The first paragraph of a README, below its title. */
function firstParagraph(text: string): string | undefined {
  return /^#[^\n]*\n+([^\n|#][\s\S]*?)(?:\n\n|\n?$)/.exec(text)?.[1]?.replaceAll("\n", " ");
}

/** The first sentence of the first comment in a source file; undefined without a comment. */
export function firstSentence(source: string): string | undefined {
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(source)?.[1];
  const text = comment?.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trim());
  const paragraph = text?.join("\n").trim().split("\n\n", 1)[0]?.replaceAll("\n", " ");
  if (!paragraph) return undefined;
  return /^.*?\.(?= [^a-z]|$)/.exec(paragraph)?.[0] ?? `${paragraph}.`;
}

/** First words of a sentence that does not name its subject. */
const SUBJECTLESS = /^(?:What|How|Which|Who|Whose|Whether|Where|When|Why|It|They|That)\b/;

/** The files in the header of a folder that do not exist. `isThere` returns whether a path ends with a name. */
export function missingFiles(header: string, isThere: (name: string) => boolean): string[] {
  const named = leadingComments(header).match(/\w[\w./-]*\.ts\b/g) ?? [];
  return [...new Set(named)].filter((name) => !isThere(name));
}

/** The comments at the start of a source file. */
function leadingComments(source: string): string {
  return /^(?:#![^\n]*\n)?(?:\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*))*/.exec(source)?.[0] ?? "";
}

/** Whether the map shows a path, or uses it as the README of a folder. */
export function isMapped(path: string): boolean {
  return /\/README\.md$/.test(path) ||
    /\.tsx?$/.test(path) && !/_(test|bench)\.ts$/.test(path) && !/(^|\/)(gen|testdata|examples)\//.test(path);
}

function byFolder(files: readonly SourceFile[]): [string, SourceFile[]][] {
  const folders = new Map<string, SourceFile[]>();
  for (const file of files.toSorted((a, b) => a.path < b.path ? -1 : 1)) {
    const folder = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : ".";
    folders.set(folder, [...folders.get(folder) ?? [], file]);
  }
  return [...folders].sort(([a], [b]) => a < b ? -1 : 1);
}

const README = "README.md";

/** Files that describe their whole folder; the first that exists counts. */
const HEADERS = ["mod.ts", "main.ts", README];

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

if (import.meta.main) {
  const root = new URL("../", import.meta.url);
  const paths = (await outputOf(["git", "ls-files", "-z"], { cwd: root.pathname })).split("\0").filter(Boolean);
  const files: SourceFile[] = [];
  for (const path of paths.filter(isMapped)) files.push({ path, text: await Deno.readTextFile(new URL(path, root)) });
  const { map, silent, headless } = mapOf(files);
  const problems = silent.map((path) => `${path}: must begin with a comment that names what the file holds`);
  problems.push(...headless.map((folder) => `${folder}: has no mod.ts, main.ts or README.md that says what it is for`));
  for (const { path, text } of files.filter(({ path }) => HEADERS.includes(nameOf(path)))) {
    const gone = missingFiles(text, (name) => paths.some((other) => other === name || other.endsWith(`/${name}`)));
    problems.push(...gone.map((name) => `${path}: its header names ${name}, which is not there`));
  }
  if (!Deno.args.includes("--check")) console.log(map);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) Deno.exit(1);
}
