/** Semantic versions: parsing, comparison, and the constraints of `semverCompare`. */
import {
  BOOL,
  compareText,
  funcOf,
  GoFunction,
  GoInt,
  GoObject,
  type GoType,
  INT,
  STRING,
  UINT64,
  type Value,
  VERSION,
} from "@tiphys/base/go";
import { RE2JS } from "re2js";
import { fail } from "../failure.ts";
import { define, type Functions } from "./define.ts";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: string;
  readonly metadata: string;
  readonly original: string;
}

const LABELS = "[0-9A-Za-z\\-]+(?:\\.[0-9A-Za-z\\-]+)*";
const VERSION_PATTERN = new RegExp(`^v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(?:-(${LABELS}))?(?:\\+(${LABELS}))?$`);
const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

function parseVersion(text: string): Version {
  if (text.length > 256) fail("version string is too long (max 256 bytes)");
  const match = VERSION_PATTERN.exec(text) ?? fail("invalid semantic version");
  const [, major = "0", minor = "0", patch = "0", pre = "", metadata = ""] = match;
  const numbers = [BigInt(major), BigInt(minor), BigInt(patch)] as const;
  if (numbers.some((number) => number > MAX_UINT64)) fail("error parsing version segment: value out of range");
  if (pre.split(".").some((label) => /^0[0-9]+$/.test(label))) fail("version segment starts with 0");
  return { numbers, pre, metadata, original: text };
}

function versionText({ numbers, pre, metadata }: Version): string {
  return numbers.join(".") + (pre === "" ? "" : `-${pre}`) + (metadata === "" ? "" : `+${metadata}`);
}

function compareVersions(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries()) {
    const other = b.numbers[i] ?? number;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.pre === "" || b.pre === "") return a.pre === b.pre ? 0 : a.pre === "" ? 1 : -1;
  return comparePre(a.pre, b.pre);
}

/** Compares labels as numbers if both are numbers; numbers precede words, fewer labels precede more. */
function comparePre(a: string, b: string): number {
  const [left, right] = [a.split("."), b.split(".")];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [x = "", y = ""] = [left[i], right[i]];
    if (x === y) continue;
    if (x === "" || y === "") return x === "" ? -1 : 1;
    const [isX, isY] = [/^[0-9]+$/.test(x), /^[0-9]+$/.test(y)];
    if (isX && isY) return BigInt(x) > BigInt(y) ? 1 : -1;
    if (isX || isY) return isX ? -1 : 1;
    return compareText(x, y) > 0 ? 1 : -1;
  }
  return 0;
}

function versionObject(version: Version): GoObject {
  const methods = new Map<string, GoFunction>();
  const add = (name: string, params: GoType[], result: GoType, call: (...args: Value[]) => Value) => {
    methods.set(name, new GoFunction(funcOf(params, result), call));
  };
  const number = (i: 0 | 1 | 2) => () => new GoInt(version.numbers[i], UINT64);
  const other = (value: Value) =>
    ORIGINS.get(value as GoObject) ?? fail("invalid memory address or nil pointer dereference");
  const test = (name: string, holds: (order: number) => boolean) =>
    add(name, [VERSION], BOOL, (value) => holds(compareVersions(version, other(value))));
  add("Major", [], UINT64, number(0));
  add("Minor", [], UINT64, number(1));
  add("Patch", [], UINT64, number(2));
  add("Prerelease", [], STRING, () => version.pre);
  add("Metadata", [], STRING, () => version.metadata);
  add("Original", [], STRING, () => version.original);
  add("String", [], STRING, () => versionText(version));
  add("Compare", [VERSION], INT, (value) => BigInt(compareVersions(version, other(value))));
  test("Equal", (order) => order === 0);
  test("LessThan", (order) => order < 0);
  test("LessThanEqual", (order) => order <= 0);
  test("GreaterThan", (order) => order > 0);
  test("GreaterThanEqual", (order) => order >= 0);
  for (const [place, name] of ["IncMajor", "IncMinor", "IncPatch"].entries()) {
    add(name, [], VERSION, () => versionObject(increment(version, place)));
  }
  const object = new GoObject(VERSION, versionText(version), methods);
  ORIGINS.set(object, version);
  return object;
}

const ORIGINS = new WeakMap<GoObject, Version>();

/** Returns the next version. The next patch of a prerelease is its release. */
function increment(version: Version, index: number): Version {
  const stays = index === 2 && version.pre !== "";
  const numbers = version.numbers.map((number, i) =>
    i < index ? number : i > index ? 0n : stays ? number : number + 1n
  );
  const plain = { numbers: numbers as [bigint, bigint, bigint], pre: "", metadata: "", original: "" };
  return { ...plain, original: (version.original.startsWith("v") ? "v" : "") + versionText(plain) };
}

/** One comparison of a constraint. `precision` is the number of version numbers that were given. */
interface Comparison {
  readonly operator: string;
  readonly version: Version;
  readonly precision: 0 | 1 | 2 | 3;
}

const OPERATOR = "=|!=|>|<|>=|=>|<=|=<|~|~>|\\^|";
const WILD = "[0-9|x|X|\\*]+";
const PARTIAL = `v?(${WILD})(\\.${WILD})?(\\.${WILD})?(?:-(${LABELS}))?(?:\\+(${LABELS}))?`;
const BARE = PARTIAL.replaceAll(/\((?!\?)/g, "(?:");
const OPTIONAL_OPERATOR = `(?:${OPERATOR})`;
// Blanks can match in several parts of these patterns, so RE2 matches them in linear time, as in Go.
const VALID = RE2JS.compile(
  `^(?:\\s*${OPTIONAL_OPERATOR}\\s*(?:${BARE})\\s*)(?:(?:\\s+|,\\s*)${OPTIONAL_OPERATOR}\\s*(?:${BARE})\\s*)*$`,
);
const EACH = RE2JS.compile(`(?:!=|>=|=>|<=|=<|~>|=|>|<|~|\\^|)\\s*(?:${BARE})`);
const ONE = RE2JS.compile(`^\\s*(${OPERATOR})\\s*${PARTIAL}\\s*$`);
const RANGE = RE2JS.compile(`\\s*(${BARE})\\s+-\\s+(${BARE})\\s*`);

function parseConstraint(text: string): Comparison[][] {
  if (text.length > 512) fail("constraint string is too long (max 512 bytes)");
  const groups = RANGE.matcher(text).replaceAll(">= $1, <= $2 ").split("||");
  if (groups.length > 32) fail("too many constraint groups (max 32)");
  return groups.map((group) => {
    if (!VALID.matcher(group).find()) fail(`improper constraint: "${group}"`);
    const each = matchGroups(EACH, group);
    return (each.length > 0 ? each : [group]).map(parseComparison);
  });
}

function matchGroups(pattern: RE2JS, text: string): string[] {
  const matcher = pattern.matcher(text);
  const hits: string[] = [];
  while (matcher.find()) hits.push(matcher.group()!);
  return hits;
}

function parseComparison(text: string): Comparison {
  const match = ONE.matcher(text);
  if (!match.find()) fail(`improper constraint: "${text}"`);
  const operator = match.group(1)!;
  const parts = Array.from({ length: match.groupCount() - 1 }, (_, i) => match.group(i + 2) ?? undefined);
  const numbers = parts.slice(0, 3).map((part) => (part ?? "").replace(/^\./, ""));
  const firstOpen = numbers.findIndex((number) => number === "" || /^[xX*]$/.test(number));
  const known = (firstOpen < 0 ? 3 : firstOpen) as Comparison["precision"];
  const filled = numbers.map((number, i) => (i < known ? number : "0")).join(".");
  const pre = parts[3] === undefined ? "" : `-${parts[3]}`;
  return { operator, version: parseVersion(filled + pre), precision: known };
}

/** Whether the version matches all comparisons of any group. A prerelease matches only groups that name one. */
function satisfies(version: Version, groups: readonly Comparison[][]): boolean {
  return groups.some((group) => {
    const allowsPre = group.some((comparison) => comparison.version.pre !== "");
    return (version.pre === "" || allowsPre) && group.every((comparison) => matchesComparison(version, comparison));
  });
}

function matchesComparison(version: Version, comparison: Comparison): boolean {
  const { version: wanted, precision } = comparison;
  const order = compareVersions(version, wanted);
  const [major, minor] = version.numbers;
  const [wantedMajor, wantedMinor] = wanted.numbers;
  switch (comparison.operator) {
    case "":
    case "=":
      return precision < 3 ? withinTilde(version, comparison) : order === 0;
    case "!=":
      return isDifferent(version, comparison);
    case ">":
      if (precision === 3) return order > 0;
      if (major !== wantedMajor) return major > wantedMajor;
      // No version within 1 is greater than "1"; 1.3 is greater than "1.2"; a lone wildcard compares as 0.0.0.
      return precision === 0 ? order > 0 : precision === 2 && minor > wantedMinor;
    case "<":
      return order < 0;
    case ">=":
    case "=>":
      return order >= 0;
    case "<=":
    case "=<":
      if (precision === 3) return order <= 0;
      return major < wantedMajor || (major === wantedMajor && (minor <= wantedMinor || precision === 1));
    case "~":
    case "~>":
      return withinTilde(version, comparison);
    default:
      return withinCaret(version, comparison);
  }
}

function isDifferent(version: Version, { version: wanted, precision }: Comparison): boolean {
  if (precision === 3) return compareVersions(version, wanted) !== 0;
  const [major, minor, patch] = version.numbers;
  if (wanted.numbers[0] !== major) return true;
  if (precision === 1) return false;
  if (wanted.numbers[1] !== minor) return true;
  if (precision === 0) return wanted.numbers[2] !== patch || compareVersions(version, wanted) !== 0;
  return (version.pre !== "" || wanted.pre !== "") && comparePre(version.pre, wanted.pre) !== 0;
}

function withinTilde(version: Version, { version: wanted, precision }: Comparison): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  const isZero = wanted.numbers.every((number) => number === 0n);
  if (isZero && precision !== 1 && precision !== 2) return true;
  if (version.numbers[0] !== wanted.numbers[0]) return false;
  return version.numbers[1] === wanted.numbers[1] || precision === 1;
}

function withinCaret(version: Version, { version: wanted, precision }: Comparison): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  const [major, minor, patch] = version.numbers;
  const [wantedMajor, wantedMinor, wantedPatch] = wanted.numbers;
  if (wantedMajor > 0n || precision === 1) return major === wantedMajor;
  if (major > 0n) return false;
  if (wantedMinor > 0n || precision === 2) return minor === wantedMinor;
  return minor === 0n && patch === wantedPatch;
}

export const VERSIONS: Functions = {
  semver: define("string", VERSION, (text: string) => versionObject(parseVersion(text)), { fails: true }),
  semverCompare: define(
    "string string",
    BOOL,
    (constraint: string, text: string) => {
      const groups = parseConstraint(constraint);
      return satisfies(parseVersion(text), groups);
    },
    { fails: true },
  ),
};
