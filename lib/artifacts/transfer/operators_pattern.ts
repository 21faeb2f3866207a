/** Matches errors with the operator's pattern of transient errors (`TRANSIENT_ERROR_PATTERN`). */

/**
 * Whether a text matches the operator's pattern. The regular expression library is loaded only if there is a pattern.
 * An invalid pattern matches nothing, as in Argo.
 */
export async function matchesPattern(text: string, pattern: string | undefined): Promise<boolean> {
  if (!pattern) return false;
  const { textPattern } = await import("@tiphys/base/text_pattern");
  try {
    return textPattern(pattern).test(text);
  } catch {
    return false;
  }
}
