/** Splits a JSONPath into the texts of its steps: `$.a[0]..b` into `$`, `a`, `[0]`, `..`, `b`. */
import { failBranch } from "./path_error.ts";

/** Counters that track whether a position is within quotes, a script or a subscript. */
interface Nesting {
  quotes: number;
  scripts: number;
  subscripts: number;
}

/** Returns the texts of the steps. Keys outside of brackets may contain anything but dots and brackets. */
export function splitPath(path: string): string[] {
  const first = path[0] ?? "";
  if (first !== "$" && first !== "@") {
    failBranch(`unexpected token '${first}' at index 0`, () => "a path begins with $ or @");
  }
  const second = path[1];
  if (second !== undefined && second !== "." && second !== "[") {
    failBranch(`unexpected token '${second}' at index 1`, () => "expected . or [ behind the first sign");
  }
  const tokens = [first];
  const nesting: Nesting = { quotes: 0, scripts: 0, subscripts: 0 };
  let token = "";
  let brackets = 0;
  for (const character of [...path].slice(1)) {
    if (token === "") Object.assign(nesting, { quotes: 0, scripts: 0 });
    if (token === "" || token === ".") brackets = 0;
    if (character === "[") brackets++;
    countNesting(character, nesting);
    token += character;
    if (token === ".") continue;
    if (token === "..") {
      tokens.push(token);
      token = "";
      continue;
    }
    const open = nesting.quotes % 2 === 1 || nesting.scripts !== 0;
    if (character === "[") {
      const opens = token === "[" || token === ".[" || brackets > 1;
      if (opens) continue;
      tokens.push(withoutDot(token.slice(0, -1)));
      token = "[";
      brackets = 1;
    } else if (brackets > 0) {
      if (open || character !== "]" || nesting.subscripts !== 0) continue;
      tokens.push(withoutDot(token));
      token = "";
    } else if (character === "." && !open) {
      tokens.push(withoutDot(token.slice(0, -1)));
      token = ".";
    }
  }
  if (token !== "") tokens.push(withoutDot(token));
  return tokens;
}

function countNesting(character: string, nesting: Nesting): void {
  if (character === "'") nesting.quotes++;
  else if (character === "(") nesting.scripts++;
  else if (character === ")") nesting.scripts--;
  else if (character === "[") nesting.subscripts++;
  else if (character === "]") nesting.subscripts--;
}

function withoutDot(token: string): string {
  return token.startsWith(".") ? token.slice(1) : token;
}
