/** The choice of the suite's cases: by area or name, and by the share of the commit. */
import { isInShare, type Share } from "../../scripts/share.ts";

/** A case in the suite's list, with the fields that are read. */
export interface ListedCase {
  readonly id: string;
  readonly area: string;
}

/** The IDs of the cases to run: those that match the areas, IDs or globs (comma-separated), limited to the share. */
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
