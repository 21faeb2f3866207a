/** The regular expression of a request for logs. */
import { compileRegex } from "@tiphys/language/template";
import { badRequest } from "../wire/errors.ts";

/** Whether a text is wanted; an empty expression wants all. @throws {WireError} for one that cannot be read, in Argo's words. */
export function grepOf(pattern: string): (text: string) => boolean {
  if (pattern === "") return () => true;
  try {
    const expression = compileRegex(pattern);
    return (text) => expression.matches(text);
  } catch (error) {
    throw badRequest(`failed to compile ${JSON.stringify(pattern)}: ${error instanceof Error ? error.message : error}`);
  }
}
