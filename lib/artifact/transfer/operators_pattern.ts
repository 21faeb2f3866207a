/** The operator's pattern of errors that pass (`TRANSIENT_ERROR_PATTERN`), held against the text of one. */

/**
 * Whether the operator's pattern is in a text. The language of patterns is loaded for who has one; one that is no regular
 * expression is in no text, as with Argo.
 */
export async function matchesPattern(text: string, pattern: string | undefined): Promise<boolean> {
  if (!pattern) return false;
  const { textPattern } = await import("../../kube/text_pattern.ts");
  try {
    return textPattern(pattern).test(text);
  } catch {
    return false;
  }
}
