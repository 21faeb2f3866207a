/**
 * Replaces `$(NAME)` by the variable's value, as Kubernetes does in commands, arguments and values: `$$` is one `$`, and a
 * reference to nothing stays as it is written.
 */
export function expandVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$(?:\$|\(([^)]*)\))/g,
    (all, name?: string) => name === undefined ? "$" : variables.get(name) ?? all,
  );
}
