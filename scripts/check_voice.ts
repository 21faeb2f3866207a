/**
 * Fails on phrases that CONTRIBUTING.md asks writers to avoid: in comments, test titles, messages, type names and
 * Markdown.
 *
 * deno task check voice                        checks every file deno run -A scripts/check_voice.ts PATH...   checks
 * files, and folders with everything below them
 */
import { outputOf } from "./command.ts";

/** A phrase that is right where it is. An exception that matches nothing fails the check. */
interface Exception {
  /** A file, or a folder and everything below it. */
  readonly path: string;
  readonly phrase: string;
  readonly reason: string;
}

const EXCEPTIONS: readonly Exception[] = [];

/** Phrases with their replacement. A space matches any white space, so a phrase may span lines. */
const PHRASES: readonly (readonly [pattern: string, instead: string])[] = [
  ["anew", "again, from scratch"],
  ["(?:go|goes|going|gone|went) on", "continue, resume"],
  ["under way|(?:is|are|was|were|be) at work", "in progress, running, in flight"],
  ["(?:is|are|was|were) over(?=[,;:)]|\\.(?!\\d)|$| when| before| and)", "has finished, is completed"],
  ["mend(?:s|ed|ing)?", "fix"],
  ["put(?:s|ting)? out", "output"],
  [
    "(?:stand|stands|stood|lie|lies|lay) (?:in|at|on|behind|before|below|above|next|between|under|there)",
    "is, is stored in",
  ],
  ["tells|told|hears|heard|says|(?:is|are|was|were|be|been|being) said", "report, receive, log: programs do not speak"],
  ["ask(?:s|ed|ing) (?:for|whether|of)|(?:is|are|was|were|be|been|being) asked", "request, read"],
  ["(?:is|are|was|were|be|has|have) none", "is not a valid X, is empty, is undefined"],
  ["(?<!\\bthere |\\bThere )(?:is|are|was|were) no (?!longer\\b|more\\b)\\w+", "is not a X, is not X"],
  ["whoever|who asks", "the caller, the client, the user"],
  ["so many|as many as", "the count, up to N"],
  ["of (?:its|their) own", "its own, a dedicated"],
  ["by hand", "manually"],
  ["let(?:s|ting)? go", "release"],
  ["(?:come|comes|came|coming) to nothing", "fails, has no effect"],
  ["beside|side by side", "alongside, in parallel, compared with"],
  ["as (?:it is|they come|they are)(?=[,;.:)]|$)", "unchanged, in arrival order"],
  ["look(?:s|ed|ing)? at", "check, read, inspect"],
];

const PATTERNS = PHRASES.map(([pattern, instead]) => ({
  pattern: new RegExp(`\\b(?:${pattern.replaceAll(" ", "\\s+")})(?![\\w-])`, "gi"),
  instead,
}));

/** First words of a comment or title that hide its subject. */
const OPENING = /^(?:What|That|How|Who|Whoever|Those|One that|Of one that)\b(?!')/;

/** Type names that end in a participle. Adjectives of the field (`Unsigned`) are listed with the nouns. */
const PARTICIPLE = new RegExp(
  "(?:ed|Built|Bound|Brought|Done|Drawn|Found|Given|Gone|Heard|Held|Kept|Known|Left|Lost|Made|Meant|Put|Read|Said|" +
    "Seen|Sent|Shown|Taken|Told|Written)$",
);
const NOUN = /(?:Bed|Deed|Embed|Feed|Need|Seed|Speed|Terminated|Unsigned)$/;

/** A phrase that a text has. */
export interface PhraseMatch {
  /** Counted from 1. */
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** A part of a file that people read. */
interface Prose {
  readonly line: number;
  readonly text: string;
  /** Whether its first word is checked. */
  readonly isOpening: boolean;
}

// Strings come first: they may hold the start of a comment.
const TOKEN =
  /(?<string>"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\\n])*`)|(?<block>\/\*\*?(?=\s)[\s\S]*?\*\/)|(?<lines>(?<=^|\s)\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/g;
/** Text before a test title: a call, a field of a table, or a method of a table. */
const BEFORE_TITLE = /(?:(?:Deno\.test|\b(?:it|describe|test|step|contract))\(|\bneeds\([^;{}]*,|\btitle:|\basync)\s*$/;
const BEFORE_MESSAGE = /(?:Error|\b(?:log|logger|console)\.\w+)\([^"`;{}]*$/;

function proseOfSource(text: string, isTest: boolean): Prose[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, index, groups }) => {
    const line = text.slice(0, index).split("\n").length;
    if (groups?.["string"] === undefined) {
      return [{
        line,
        text: token.replace(/^\/\*\*?|\*\/$/g, "").replace(/^[ \t]*(?:\/\/|\*)/gm, ""),
        isOpening: true,
      }];
    }
    const before = text.slice(Math.max(0, index - 80), index);
    const isTitle = BEFORE_TITLE.test(before);
    return isTitle || !isTest && BEFORE_MESSAGE.test(before)
      ? [{ line, text: token.slice(1, -1), isOpening: isTitle }]
      : [];
  });
}

/** Markdown without code. Its headings and paragraphs may open with any word. */
function proseOfMarkdown(text: string): Prose[] {
  const blank = (code: string) => code.replace(/[^\n]/g, " ");
  return [{ line: 1, text: text.replace(/^```[\s\S]*?^```/gm, blank), isOpening: false }];
}

/** The phrases that a source or Markdown file has, in order. */
export function phrasesOf(path: string, text: string): PhraseMatch[] {
  const isMarkdown = path.endsWith(".md");
  const prose = isMarkdown ? proseOfMarkdown(text) : proseOfSource(text, /_test\.tsx?$|^tests\//.test(path));
  const matches = prose.flatMap(matchesOf);
  if (!isMarkdown) {
    for (const [index, line] of text.split("\n").entries()) {
      const name = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) ([A-Z]\w*)/.exec(line)?.[1];
      if (name !== undefined && PARTICIPLE.test(name) && !NOUN.test(name)) {
        matches.push({ line: index + 1, phrase: name, instead: "a noun" });
      }
    }
  }
  return matches.sort((a, b) => a.line - b.line);
}

function matchesOf({ line, text, isOpening }: Prose): PhraseMatch[] {
  const prose = text.replace(/`[^`]*`/g, (code) => code.replace(/[^\n`]/g, "_"));
  const matches = PATTERNS.flatMap(({ pattern, instead }) =>
    [...prose.matchAll(pattern)].map(({ 0: phrase, index }) => ({
      line: line + prose.slice(0, index).split("\n").length - 1,
      phrase: phrase.replace(/\s+/g, " "),
      instead,
    }))
  );
  const opening = isOpening ? OPENING.exec(prose.trimStart())?.[0] : undefined;
  return opening === undefined ? matches : [{ line, phrase: `${opening} …`, instead: "the subject first" }, ...matches];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

if (import.meta.main) {
  const root = new URL("../", import.meta.url);
  const paths = Deno.args.map((path) => path.replace(/\/$/, ""));
  const files = (await outputOf(["git", "ls-files", "-z", "*.ts", "*.tsx", "*.md"], { cwd: root.pathname })).split("\0")
    .filter((file) => file !== "" && file !== "scripts/check_voice_test.ts" && !/(?:^|\/)gen\//.test(file))
    .filter((file) => paths.length === 0 || paths.some((path) => isBelow(file, path)));
  const unused = new Set(paths.length === 0 ? EXCEPTIONS : []);
  let failures = 0;
  for (const file of files) {
    const text = await Deno.readTextFile(new URL(file, root)).catch(() => "");
    for (const { line, phrase, instead } of phrasesOf(file, text)) {
      const exception = EXCEPTIONS.find((it) => isBelow(file, it.path) && it.phrase === phrase);
      if (exception !== undefined) {
        unused.delete(exception);
        continue;
      }
      console.error(`${file}:${line}: "${phrase}": write ${instead}`);
      failures++;
    }
  }
  for (const { path, phrase } of unused) console.error(`EXCEPTIONS: nothing in ${path} matches "${phrase}"`);
  if (failures + unused.size > 0) Deno.exit(1);
}
