/** The lint rule for iterator helpers, which Node.js 20 and older browsers lack. */

const HELPERS = new Set([
  "drop",
  "every",
  "filter",
  "find",
  "flatMap",
  "forEach",
  "map",
  "reduce",
  "some",
  "take",
  "toArray",
]);
const ITERATORS = new Set(["entries", "keys", "matchAll", "values"]);

/** The method that a call expression calls. */
function methodOf(node: Deno.lint.Expression): Deno.lint.MemberExpression | undefined {
  return node.type === "CallExpression" && node.callee.type === "MemberExpression" ? node.callee : undefined;
}

function hasName(callee: Deno.lint.MemberExpression, names: ReadonlySet<string>): boolean {
  return callee.property.type === "Identifier" && names.has(callee.property.name);
}

/**
 * `tiphys/no-iterator-helpers`: the library runs in Node.js 20 and the page in older browsers, whose iterators have no
 * methods. Spread the iterator into an array.
 */
export const noIteratorHelpers: Deno.lint.Rule = {
  create(context) {
    if (/_(test|bench)\.tsx?$|(?:^|\/)(?:tests|testing|scripts)\//.test(context.filename)) return {};
    return {
      CallExpression(node) {
        const helper = methodOf(node);
        if (helper === undefined || !hasName(helper, HELPERS)) return;
        const source = methodOf(helper.object);
        if (source === undefined || !hasName(source, ITERATORS)) return;
        // `Object.values(…)` returns an array.
        if (source.object.type === "Identifier" && source.object.name === "Object") return;
        context.report({
          node,
          message: "Node.js 20 has no methods of iterators",
          hint: "Spread the iterator into an array: [...map.values()].map(…)",
        });
      },
    };
  },
};
