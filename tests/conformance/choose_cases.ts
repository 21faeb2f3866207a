/** The choice of cases of the suite: by their area or name, and by the share of the commit. */
import { isInShare, type Share } from "../../scripts/share.ts";

/** A case in the suite's list, as far as it is read. */
export interface ListedCase {
  readonly id: string;
  readonly area: string;
}

/**
 * The ids of the cases that run: those of the areas, ids or globs of ids (several in one, separated by commas), and of these
 * the ones in the share.
 */
export function chooseCases(
  cases: readonly ListedCase[],
  only: readonly string[],
  share: Share,
): { readonly chosen: readonly string[]; readonly candidates: number } {
  const words = only.flatMap((text) => text.split(",")).filter((word) => word !== "");
  const globs = words.map((word) =>
    new RegExp(`^${word.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".")}$`)
  );
  const candidates = cases.filter(({ id, area }) => words.includes(area) || globs.some((glob) => glob.test(id)));
  return { chosen: candidates.map(({ id }) => id).filter((id) => isInShare(id, share)), candidates: candidates.length };
}
