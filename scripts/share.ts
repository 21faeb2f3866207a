/**
 * Shares of long suites: for a commit, CI runs one of several shares, chosen by the commit's hash; `deno task all` runs
 * everything. The share of a case does not depend on other cases: the same case is in the same share everywhere.
 */
import { fnv1a32 } from "@tiphys/base/go/hash";
import { outputOf } from "./command.ts";

/** The number of shares into which CI splits long suites: one share of each fits the time budget of a run. */
export const SHARES_OF_CI = 8;

/** One of `of` shares, counted from 1. */
export interface Share {
  readonly number: number;
  readonly of: number;
}

/** Everything: the only share of one. */
export const WHOLE: Share = { number: 1, of: 1 };

/** Parses `2/3`; without a text, returns {@link WHOLE}. @throws {Error} for an invalid share */
export function parseShare(text: string | undefined): Share {
  if (text === undefined) return WHOLE;
  const [, number, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (number === undefined || of === undefined || number < 1 || number > of) {
    throw new Error(`Expected a share such as 2/3, got ${JSON.stringify(text)}`);
  }
  return { number, of };
}

/** A share in the format of {@link parseShare}. */
export function shareText({ number, of }: Share): string {
  return `${number}/${of}`;
}

/** The share of a commit, by its hash (hexadecimal). */
export function shareOfCommit(hash: string, of = SHARES_OF_CI): Share {
  const start = Number.parseInt(hash.slice(0, 8), 16);
  return { number: Number.isNaN(start) ? 1 : start % of + 1, of };
}

/** The share of the commit that is checked out, one of `of`; the first without a history. */
export async function shareOfHead(of = SHARES_OF_CI): Promise<Share> {
  const cwd = new URL("../", import.meta.url).pathname;
  return shareOfCommit(await outputOf(["git", "rev-parse", "HEAD"], { cwd }).catch(() => ""), of);
}

/** Whether a name is in a share. Each name is in exactly one of `of` shares. */
export function isInShare(name: string, { number, of }: Share): boolean {
  return fnv1a32(name) % of === number - 1;
}

/** The runs of a share, of `runs` runs that are numbered from `first`: each run is in exactly one share. */
export function runsOfShare(first: number, runs: number, { number, of }: Share): { first: number; runs: number } {
  const start = Math.floor(runs * (number - 1) / of);
  return { first: first + start, runs: Math.floor(runs * number / of) - start };
}

/** The notice of a share that runs: `Share 2/3: 104 of 303 cases`; undefined for the whole. */
export function shareNotice(share: Share, chosen: number, all: number, subject: string): string | undefined {
  return share.of === 1 ? undefined : `Share ${shareText(share)}: ${chosen} of ${all} ${subject}`;
}
