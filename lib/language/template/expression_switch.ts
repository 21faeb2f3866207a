/**
 * The switch for `{{=…}}`: whether such a tag is an expression. It is, unless the cluster has disabled expressions
 * (`EXPRESSION_TEMPLATES=false`).
 */

let areExpressionsOff = false;

/**
 * Runs `act` with `{{=…}}` treated as a simple tag, whose name never has a value: it is kept or fails like any unknown
 * name.
 */
export function withoutExpressionTags<T>(act: () => T): T {
  const outer = areExpressionsOff;
  areExpressionsOff = true;
  try {
    return act();
  } finally {
    areExpressionsOff = outer;
  }
}

/** Reports whether the inside of a tag is an expression rather than a name. */
export function isExpressionTag(tag: string): boolean {
  return tag.startsWith("=") && !areExpressionsOff;
}
