/** sprig's functions on regular expressions. */
import { BOOL, STRING, STRING_SLICE, type Value } from "@tiphys/base/go";
import { BudgetFailure, fail, RunFailure } from "../failure.ts";
import { currentBudget, MAX_TEXT_LENGTH } from "../budget.ts";
import { compileRegex, type Regex } from "../regex.ts";
import { define, type Functions } from "./define.ts";
import { expandTemplate, findAll, type Match } from "./regex_matches.ts";
import { stringList } from "./text.ts";

/** Compiles a pattern. `MustCompile` panics with a longer message than the error of `Compile`. */
function compileOrPanic(pattern: string): Regex {
  try {
    return compileRegex(pattern);
  } catch (error) {
    if (error instanceof RunFailure && !(error instanceof BudgetFailure)) {
      fail(`regexp: Compile(\`${pattern}\`): ${error.message}`);
    }
    throw error;
  }
}

type Compile = (pattern: string) => Regex;

const find = (compile: Compile) => (pattern: string, text: string) => findAll(compile(pattern), text, 1)[0]?.text ?? "";

const all = (compile: Compile) => (pattern: string, text: string, max: bigint) => {
  const hits = findAll(compile(pattern), text, Number(max));
  return stringList(hits.length === 0 ? null : hits.map((hit) => hit.text));
};

function replaceMatches(regex: Regex, text: string, make: (hit: Match) => string): string {
  let out = "";
  let end = 0;
  for (const hit of findAll(regex, text, -1)) {
    const made = make(hit);
    currentBudget().chargeCharacters(made.length);
    out += text.slice(end, hit.start) + made;
    end = hit.end;
    if (out.length > MAX_TEXT_LENGTH) fail("memory budget exceeded");
  }
  return out + text.slice(end);
}

const replace = (compile: Compile) => (pattern: string, text: string, template: string) => {
  const regex = compile(pattern);
  return replaceMatches(regex, text, (hit) => expandTemplate(template, hit, regex));
};

const replaceLiteral = (compile: Compile) => (pattern: string, text: string, replacement: string) =>
  replaceMatches(compile(pattern), text, () => replacement);

const split = (compile: Compile) => (pattern: string, text: string, max: bigint): Value => {
  const regex = compile(pattern);
  const limit = Number(max);
  if (limit === 0) return stringList(null);
  if (pattern !== "" && text === "") return stringList([""]);
  const parts: string[] = [];
  let begin = 0;
  let end = 0;
  for (const hit of findAll(regex, text, limit)) {
    if (limit > 0 && parts.length === limit - 1) break;
    end = hit.start;
    if (hit.end !== 0) parts.push(text.slice(begin, end));
    begin = hit.end;
  }
  if (end !== text.length) parts.push(text.slice(begin));
  return stringList(parts);
};

export const REGEX: Functions = {
  regexMatch: define("string string", BOOL, (pattern: string, text: string) => {
    try {
      return compileRegex(pattern).matches(text);
    } catch (error) {
      if (error instanceof RunFailure && !(error instanceof BudgetFailure)) return false;
      throw error;
    }
  }),
  mustRegexMatch: define(
    "string string",
    BOOL,
    (pattern: string, text: string) => compileRegex(pattern).matches(text),
    {
      fails: true,
    },
  ),
  regexFind: define("string string", STRING, find(compileOrPanic)),
  mustRegexFind: define("string string", STRING, find(compileRegex), { fails: true }),
  regexFindAll: define("string string int", STRING_SLICE, all(compileOrPanic)),
  mustRegexFindAll: define("string string int", STRING_SLICE, all(compileRegex), { fails: true }),
  regexReplaceAll: define("string string string", STRING, replace(compileOrPanic)),
  mustRegexReplaceAll: define("string string string", STRING, replace(compileRegex), { fails: true }),
  regexReplaceAllLiteral: define("string string string", STRING, replaceLiteral(compileOrPanic)),
  mustRegexReplaceAllLiteral: define("string string string", STRING, replaceLiteral(compileRegex), { fails: true }),
  regexSplit: define("string string int", STRING_SLICE, split(compileOrPanic)),
  mustRegexSplit: define("string string int", STRING_SLICE, split(compileRegex), { fails: true }),
  regexQuoteMeta: define("string", STRING, (text: string) => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&")),
};
