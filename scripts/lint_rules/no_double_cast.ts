/** The lint rule on casts that contradict the compiler. */

/**
 * `tiphys/no-double-cast`: `as unknown as` says that the compiler is wrong. It may where a type cannot say what is so (a fact
 * about another program, a mark that no code reads): with the reason behind the rule's name.
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
          message: "A cast by way of `unknown` says that the compiler is wrong",
          hint: "Read the value, or give it the type it has; else say why: `-- the reason` behind the rule's name",
        });
      },
    };
  },
};
