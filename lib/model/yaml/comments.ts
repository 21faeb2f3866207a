/** Detects comments, which are lost when the value of a document is written again. */
import { visit } from "yaml";
import type { YamlDocument } from "./parse.ts";

/** Whether a document has a comment. */
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
