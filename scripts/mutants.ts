/**
 * Measures how thorough tests are: makes small mistakes in sources, one at a time, and runs the tests. By default it
 * takes the sources of the language and runs the golden vectors (`tests/vectors`) and all other tests of the language,
 * and prints each mistake that only one of the two or neither finds.
 *
 *     deno run -A scripts/mutants.ts --count 200 --seed 1
 *     deno run -A scripts/mutants.ts --count 50 --only lib/language/template/when
 *
 * For another folder, name the tests with `--tests`: it prints the mistakes that none of them finds. The test next to a
 * source runs first. No mistake is started after `--minutes`.
 *
 *     deno run -A scripts/mutants.ts --count 30 --minutes 10 --only controller/loop --tests controller/loop
 */
import { programOptions } from "./program_options.ts";
import ts from "typescript";
import { runCommand } from "./command.ts";

/** A mutation: a piece of text in one file, replaced by another. */
interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
};

const ROOT = new URL("../", import.meta.url).pathname;

/** Tests that take long and do not test results of functions. */
const LEFT_OUT = /fuzz|browser|bench|prices|certificates|budget|meter/;

/** The mutations of a source: another operator, a negated condition, an incremented number. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, text: string) => {
    const from = node.getStart(tree);
    const line = tree.getLineAndCharacterOfPosition(from).line + 1;
    mutants.push({ file, line, from, to: node.getEnd(), text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = OTHER_OPERATOR[node.operatorToken.getText(tree)];
      if (other !== undefined) add(node.operatorToken, other);
    }
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(tree)})`);
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(tree)})`);
    if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent)) add(node, `(${node.text} + 1)`);
    if (ts.isBigIntLiteral(node)) add(node, `(${node.text} + 1n)`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return mutants;
}

/** A sample of a list with a seed: the same items each time. */
export function sample<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = seed >>> 0;
  const random = () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const left = [...all];
  return Array.from(
    { length: Math.min(count, all.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]!,
  );
}

/** The sources below a folder, or a single file. */
async function filesBelow(folder: string): Promise<string[]> {
  if (folder.endsWith(".ts")) return [folder];
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}${folder}`)) {
    const path = `${folder}/${name}`;
    if (isDirectory) files.push(...await filesBelow(path));
    else if (name.endsWith(".ts")) files.push(path);
  }
  return files.sort();
}

/** The parts of the project that tests of libraries and of the controller load. */
const COPIED = [
  "lib",
  "tests",
  "controller",
  "executor",
  "scripts",
  "simulate",
  "local",
  "cli",
  "server",
  "manifests",
  "examples",
  "deno.json",
  "deno.lock",
];

/** Runs a function with a copy of the project that can be mutated. */
async function withCopy(act: (copy: string) => Promise<void>): Promise<void> {
  const copy = await Deno.makeTempDir({ prefix: "mutants-" });
  try {
    for (const name of COPIED) await runCommand(["cp", "-r", `${ROOT}${name}`, copy]);
    await act(copy);
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
}

/** Whether tests fail, or time out. */
async function isFound(copy: string, tests: readonly string[]): Promise<boolean> {
  const test = [Deno.execPath(), "test", "-A", "--no-check", "--fail-fast", "--quiet", ...tests];
  const { code } = await runCommand(["timeout", "300", ...test], { cwd: copy });
  return code !== 0;
}

/** Applies a mutation to a copy while a function runs. Returns the result of the function. */
async function withMutation<T>(copy: string, mutant: Mutant, act: (was: string) => Promise<T>): Promise<T> {
  const { file, from, to, text } = mutant;
  const source = await Deno.readTextFile(`${copy}/${file}`);
  await Deno.writeTextFile(`${copy}/${file}`, source.slice(0, from) + text + source.slice(to));
  try {
    return await act(source.slice(from, to).replaceAll(/\s+/g, " "));
  } finally {
    await Deno.writeTextFile(`${copy}/${file}`, source);
  }
}

/** A mutation and its place, in one line. */
function describe({ file, line, text }: Mutant, was: string): string {
  return `${file}:${line}: ${was} -> ${text.replaceAll(/\s+/g, " ")}`;
}

/**
 * Tests in the order in which they run for a mutation: the test next to the source, those of its folder, all others.
 */
export function testsInOrder(file: string, tests: readonly string[]): string[][] {
  const neighbor = file.replace(/\.ts$/, "_test.ts");
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  const nearness = (test: string) => test === neighbor ? 0 : test.startsWith(folder) ? 1 : 2;
  return [0, 1, 2].map((near) => tests.filter((test) => nearness(test) === near)).filter(({ length }) => length > 0);
}

/** Prints the mutations that no named test finds. Starts none after a time, in milliseconds. */
async function tryTests(copy: string, mutants: readonly Mutant[], tests: readonly string[], until: number) {
  if (await isFound(copy, tests)) throw new Error("The tests fail without a mutation");
  let tried = 0;
  let notFound = 0;
  for (const mutant of mutants) {
    if (Date.now() > until) break;
    tried++;
    await withMutation(copy, mutant, async (was) => {
      for (const some of testsInOrder(mutant.file, tests)) if (await isFound(copy, some)) return;
      notFound++;
      console.log(`not found ${describe(mutant, was)}`);
    });
  }
  console.log(`Found ${tried - notFound}, not found ${notFound}, not tried ${mutants.length - tried}`);
}

/** Prints the mutations that only the vectors, only the tests of the tree, or neither find. */
async function tryLanguage(copy: string, mutants: readonly Mutant[], tests: string[]): Promise<void> {
  await Deno.writeTextFile(`${copy}/own_all.ts`, tests.map((file) => `import "./${file}";\n`).join(""));
  const finds = (file: string) => isFound(copy, [file]);
  const [own, golden] = ["own_all.ts", "tests/vectors/vectors_test.ts"] as const;
  for (const file of [own, golden]) if (await finds(file)) throw new Error(`${file} fails without a mutation`);
  const sums = { vectors: 0, both: 0, own: 0, none: 0 };
  for (const mutant of mutants) {
    await withMutation(copy, mutant, async (was) => {
      const [byVectors, byOwn] = await Promise.all([finds(golden), finds(own)]);
      sums[byVectors && byOwn ? "both" : byVectors ? "vectors" : byOwn ? "own" : "none"]++;
      if (byVectors && byOwn) return;
      const who = byVectors ? "only the vectors find" : byOwn ? "only the tests of the tree find" : "not found:";
      console.log(`${who} ${describe(mutant, was)}`);
    });
  }
  const { both, own: byOwn, vectors: byVectors, none } = sums;
  console.log(
    `Found by both ${both}, by the tests of the tree only ${byOwn}, by the vectors only ${byVectors}, not found ${none}`,
  );
}

if (import.meta.main) {
  const { values } = programOptions({
    options: {
      count: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: ["lib/base/go", "lib/language/template"] },
      tests: { type: "string", multiple: true },
      minutes: { type: "string", default: "60" },
    },
  });
  const isSource = (file: string) => !/_(test|bench)\.ts$|\/testing\//.test(file);
  const sources = (await Promise.all(values.only.map(filesBelow))).flat().filter(isSource);
  const all = await Promise.all(
    sources.map(async (file) => mutantsOf(file, await Deno.readTextFile(`${ROOT}${file}`))),
  );
  const mutants = sample(all.flat(), Number(values.count), Number(values.seed));
  const { tests } = values;
  const testsBelow = async (folders: readonly string[]) => {
    const files = (await Promise.all(folders.map(filesBelow))).flat();
    return files.filter((file) => file.endsWith("_test.ts") && !LEFT_OUT.test(file));
  };
  if (tests) {
    const until = Date.now() + Number(values.minutes) * 60_000;
    const named = await testsBelow(tests);
    await withCopy((copy) => tryTests(copy, mutants, named, until));
  } else {
    const own = await testsBelow(["lib/base/go", "lib/language/template", "lib/language/validate", "tests/language"]);
    await withCopy((copy) => tryLanguage(copy, mutants, own));
  }
}
