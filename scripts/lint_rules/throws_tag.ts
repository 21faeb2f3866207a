/** The lint rule on where a comment tells what is thrown. */

/** `tiphys/throws-tag`: what a function throws stands behind `@throws`, where editors and readers look for it. */
export const throwsTag: Deno.lint.Rule = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (comment.type !== "Block" || !/(?:^|[.;:] )Throws\b/.test(proseOf(comment.value))) continue;
          context.report({ range: comment.range, message: "What a function throws stands behind `@throws`" });
        }
      },
    };
  },
};

/** The words of a doc comment without what begins its lines; empty for a comment of another kind. */
function proseOf(comment: string): string {
  return comment.startsWith("*") ? comment.slice(1).replaceAll(/\n\s*\*/g, " ").replaceAll(/\s+/g, " ").trim() : "";
}
