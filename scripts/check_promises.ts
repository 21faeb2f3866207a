/**
 * Fails for a promise that a statement ignores, since its rejection would end the process. Work in the background must
 * handle its rejection, with `catch` or the second argument of `then`, or be marked with `void` if it cannot reject.
 * Uses the compiler's types, for all sources except tests, in which a rejection fails the run. Return types of packages
 * are not fully known here.
 *
 *     deno task check promises
 */
import ts from "typescript";
import { outputOf } from "./command.ts";

/** An ignored promise. */
export interface FloatingPromise {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
};

/** Maximum number of characters of a statement in the output. */
const SHOWN_CHARACTERS = 100;

/** Returns the promises that some files ignore; `declarations` are type files for all of them. */
export function floatingPromises(files: readonly string[], declarations: readonly string[]): FloatingPromise[] {
  const program = ts.createProgram([...files, ...declarations], OPTIONS);
  const checker = program.getTypeChecker();
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`Expected a source that can be read, got ${file}`);
    const found: FloatingPromise[] = [];
    const visit = (node: ts.Node): void => {
      const dropped = discardedExpression(node);
      if (dropped && !handlesRejection(dropped) && isPromise(checker.getTypeAtLocation(dropped))) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        const text = node.getText(source).split("\n")[0]!.slice(0, SHOWN_CHARACTERS);
        found.push({ file, line: line + 1, text });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** Returns the expression whose value a statement ignores. */
function discardedExpression(node: ts.Node): ts.Expression | undefined {
  if (!ts.isExpressionStatement(node)) return undefined;
  const expression = withoutParentheses(node.expression);
  const isKept = ts.isVoidExpression(expression) || ts.isAwaitExpression(expression) ||
    ts.isBinaryExpression(expression) && isAssignment(expression.operatorToken.kind);
  return isKept ? undefined : expression;
}

function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}

function withoutParentheses(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ? withoutParentheses(expression.expression) : expression;
}

/** Whether an expression is `x.catch(…)`, `x.then(…, …)`, or one of these followed by `finally`. */
function handlesRejection(expression: ts.Expression): boolean {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const { name, expression: before } = expression.expression;
  if (name.text === "catch") return expression.arguments.length > 0;
  if (name.text === "then") return expression.arguments.length > 1;
  return name.text === "finally" && handlesRejection(before);
}

function isPromise(type: ts.Type): boolean {
  return type.isUnion() ? type.types.some(isPromise) : type.getProperty("then") !== undefined;
}

async function sourcesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (name.startsWith(".") || ["node_modules", "build", "gen", "tests", "testing"].includes(name)) continue;
    if (isDirectory) files.push(...await sourcesBelow(path));
    else if (/(?<!_test|_bench|\.d)\.ts$/.test(name)) files.push(path);
  }
  return files.sort();
}

if (import.meta.main) {
  const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const types = await Deno.makeTempFile({ prefix: "deno-", suffix: ".d.ts" });
  try {
    await Deno.writeTextFile(types, await outputOf([Deno.execPath(), "types"]));
    const found = floatingPromises(await sourcesBelow(root), [types]);
    for (const { file, line, text } of found) {
      console.error(
        `${
          file.slice(root.length + 1)
        }:${line}: this promise is not awaited, and its rejection is not handled: ${text}`,
      );
    }
    if (found.length > 0) Deno.exitCode = 1;
  } finally {
    await Deno.remove(types);
  }
}
