/** The lint rule for casts that contradict the compiler. */

/**
 * `tiphys/no-double-cast`: `as unknown as` contradicts the compiler. It is permitted if no type can express the fact
 * (about another program, or a brand that no code reads): with the reason after the rule's name.
 */
export const noDoubleCast: Deno.lint.Rule = {
  create(context) {
    if (/_(test|bench)\.ts$|(?:^|\/)(?:tests|testing|scripts)\//.test(context.filename)) return {};
    return {
      TSAsExpression(node) {
        const { expression } = node;
        if (expression.type !== "TSAsExpression" || expression.typeAnnotation.type !== "TSUnknownKeyword") return;
        context.report({
          node,
          message: "A cast through `unknown` contradicts the compiler",
          hint:
            "Validate the value, or give it its actual type; otherwise add the reason: `-- the reason` after the rule's name",
        });
      },
    };
  },
};
