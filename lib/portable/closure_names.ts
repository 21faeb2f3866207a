/**
 * The names of functions in a bundle: those at the top of a module and classes keep theirs, for the traces of errors, and
 * functions that are made again and again do not.
 *
 * The bundler gives each function its name by `Object.defineProperty` when it is made. For a closure that is each time its
 * surroundings run.
 */

/** A closure with its name, as the bundler writes it: an argument that is handed on. */
const CLOSURE = /\/\* @__PURE__ \*\/ __name\(/g;
/** The name of a function declared inside of another one: a statement of its own. A class says `this`. */
const DECLARED_INSIDE = /^[ \t]+__name\((?!this\b)[\w$]+, "(?:[^"\\]|\\.)*"\);\n/gm;
const HANDED_ON = "function __closure(made) { return made; }";

/** The text of a bundle that keeps names, joined and not yet made small, in which closures are not named. */
export function withoutClosureNames(text: string): string {
  const plain = text.replace(DECLARED_INSIDE, "");
  const handed = plain.replace(CLOSURE, "__closure(");
  return handed === plain ? plain : `${handed}\n${HANDED_ON}\n`;
}
