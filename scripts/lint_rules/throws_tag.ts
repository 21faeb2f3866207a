/** The lint rule for errors in doc comments. */

/** `tiphys/throws-tag`: errors of a function are documented with `@throws`, where editors and readers expect them. */
export const throwsTag: Deno.lint.Rule = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (comment.type !== "Block" || !/(?:^|[.;:] )Throws\b/.test(proseOf(comment.value))) continue;
          context.report({ range: comment.range, message: "Document the errors of a function with `@throws`" });
        }
      },
    };
  },
};

/** The text of a doc comment without the decoration of its lines; empty for other comments. */
function proseOf(comment: string): string {
  return comment.startsWith("*") ? comment.slice(1).replaceAll(/\n\s*\*/g, " ").replaceAll(/\s+/g, " ").trim() : "";
}
