/**
 * A measure of how thorough the tests of the language are, made by hand: small mistakes are made in `lib/go` and
 * `lib/template`, one at a time, and the golden vectors and the tests of the tree (beside the source, and
 * `tests/language`) are asked whether they see each. Those that only the vectors see are shown: rules that a clone does
 * not test.
 *
 *     deno run -A scripts/mutants.ts --count 200 --seed 1
 *     deno run -A scripts/mutants.ts --count 50 --only lib/template/when
 */
import { parseArgs } from "node:util";
import ts from "typescript";
import { runCommand } from "./command.ts";

/** A mistake: in one file, one piece of text in place of another. */
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

/** Tests that take long and look for other things than wrong answers. */
const LEFT_OUT = /fuzz|browser|bench|prices|certificates|budget|meter/;

/** The mistakes that can be made in a source: another operator, a condition turned round, a number one higher. */
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

/** So many of a list, spread by a seed: the same ones each time. */
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

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}${folder}`)) {
    const path = `${folder}/${name}`;
    if (isDirectory) files.push(...await filesBelow(path));
    else if (name.endsWith(".ts")) files.push(path);
  }
  return files.sort();
}

/** A copy of the project in which mistakes are made, with one file that runs each set of tests. */
async function makeCopy(tests: readonly string[], vectors: string | undefined): Promise<string> {
  const copy = await Deno.makeTempDir({ prefix: "mutants-" });
  for (const name of ["lib", "tests", "controller", "scripts", "simulate", "deno.json", "deno.lock"]) {
    await runCommand(["cp", "-r", `${ROOT}${name}`, copy]);
  }
  const imports = tests.map((file) => `import "./${file}";\n`).join("");
  await Deno.writeTextFile(`${copy}/own_all.ts`, imports);
  if (vectors) await Deno.writeTextFile(`${copy}/vectors_all.ts`, 'import "./tests/vectors/vectors_test.ts";\n');
  return copy;
}

/** Whether a set of tests fails, or takes for ever. */
async function isSeen(copy: string, set: "own" | "vectors", vectors: string): Promise<boolean> {
  const test = [Deno.execPath(), "test", "-A", "--no-check", "--fail-fast", "--quiet", `${set}_all.ts`];
  const { code } = await runCommand(["timeout", "120", ...test], { cwd: copy, env: { VECTORS: vectors } });
  return code !== 0;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: ["lib/go", "lib/template"] },
      vectors: { type: "string", default: new URL("../../shared/conformance/expr", import.meta.url).pathname },
    },
  });
  const all = [...await filesBelow("lib/go"), ...await filesBelow("lib/template"), ...await filesBelow("lib/validate")];
  all.push(...await filesBelow("tests/language"));
  const tests = all.filter((file) => file.endsWith("_test.ts") && !LEFT_OUT.test(file));
  const sources = all.filter((file) =>
    values.only.some((start) => file.startsWith(start)) && !/_(test|bench)\.ts$|\/testing\//.test(file)
  );
  const mutants = (await Promise.all(sources.map(async (file) => mutantsOf(file, await Deno.readTextFile(file)))))
    .flat();
  const copy = await makeCopy(tests, values.vectors);
  const sums = { vectors: 0, both: 0, own: 0, none: 0 };
  try {
    for (const set of ["own", "vectors"] as const) {
      if (await isSeen(copy, set, values.vectors)) throw new Error(`The ${set} tests fail without any mistake`);
    }
    for (const mutant of sample(mutants, Number(values.count), Number(values.seed))) {
      const source = await Deno.readTextFile(`${ROOT}${mutant.file}`);
      await Deno.writeTextFile(
        `${copy}/${mutant.file}`,
        source.slice(0, mutant.from) + mutant.text + source.slice(mutant.to),
      );
      const [vectors, own] = await Promise.all([
        isSeen(copy, "vectors", values.vectors),
        isSeen(copy, "own", values.vectors),
      ]);
      await Deno.writeTextFile(`${copy}/${mutant.file}`, source);
      sums[vectors && own ? "both" : vectors ? "vectors" : own ? "own" : "none"]++;
      if (vectors === own && own) continue;
      const was = source.slice(mutant.from, mutant.to).replaceAll(/\s+/g, " ");
      const who = vectors ? "only the vectors see" : own ? "only the own tests see" : "nobody sees";
      console.log(`${who} ${mutant.file}:${mutant.line}: ${was} -> ${mutant.text.replaceAll(/\s+/g, " ")}`);
    }
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
  console.log(
    `Seen by both ${sums.both}, by the own tests only ${sums.own}, by the vectors only ${sums.vectors}, by nobody ${sums.none}`,
  );
}
