/** Comments of a document: what is lost where its value is written anew. */
import { visit } from "yaml";
import type { YamlDocument } from "./parse.ts";

/** Whether a document has a comment somewhere. */
export function hasComments({ syntax }: YamlDocument): boolean {
  let found = Boolean(syntax.comment || syntax.commentBefore);
  visit(syntax, {
    Node(_key, node) {
      if (!node.comment && !node.commentBefore) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}
