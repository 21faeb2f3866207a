/**
 * The switch for `{{=…}}`: whether it is an expression. It is, but in clusters that switched expressions off
 * (`EXPRESSION_TEMPLATES=false`).
 */

let isOff = false;

/** Runs `act` with `{{=…}}` being a simple tag: a name that nothing has, so it stays as it is or fails as such. */
export function withoutExpressionTags<T>(act: () => T): T {
  const outer = isOff;
  isOff = true;
  try {
    return act();
  } finally {
    isOff = outer;
  }
}

/** Says whether the inside of a tag is an expression rather than a name. */
export function isExpressionTag(tag: string): boolean {
  return tag.startsWith("=") && !isOff;
}
