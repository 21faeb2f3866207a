/**
 * Shares of what is long: CI runs one of so many of it for a commit, chosen by the commit's hash, `deno task all` runs the
 * whole. The share of a case does not depend on what else there is: the same case is in the same share everywhere.
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

/**
 * Reads `2/3`; without a text it is {@link WHOLE}.
 * @throws {Error} when the text is none.
 */
export function parseShare(text: string | undefined): Share {
  if (text === undefined) return WHOLE;
  const [, number, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (number === undefined || of === undefined || number < 1 || number > of) {
    throw new Error(`Expected a share such as 2/3, got ${JSON.stringify(text)}`);
  }
  return { number, of };
}

/** A share as {@link parseShare} reads it. */
export function shareText({ number, of }: Share): string {
  return `${number}/${of}`;
}

/** The share of a commit, by its hash (hexadecimal). */
export function shareOfCommit(hash: string, of = SHARES_OF_CI): Share {
  const start = Number.parseInt(hash.slice(0, 8), 16);
  return { number: Number.isNaN(start) ? 1 : start % of + 1, of };
}

/** The share, of `of`, of the commit that is checked out; the first where there is no history. */
export async function shareOfHead(of = SHARES_OF_CI): Promise<Share> {
  const cwd = new URL("../", import.meta.url).pathname;
  return shareOfCommit(await outputOf(["git", "rev-parse", "HEAD"], { cwd }).catch(() => ""), of);
}

/** Whether something of this name is in a share: in exactly one of so many. */
export function isInShare(name: string, { number, of }: Share): boolean {
  return fnv1a32(name) % of === number - 1;
}

/** The runs of a share, out of so many that are numbered from `first`: each is in exactly one. */
export function runsOfShare(first: number, runs: number, { number, of }: Share): { first: number; runs: number } {
  const start = Math.floor(runs * (number - 1) / of);
  return { first: first + start, runs: Math.floor(runs * number / of) - start };
}

/** The notice of a share that runs: `Share 2/3: 104 of 303 cases`; undefined for the whole. */
export function shareNotice(share: Share, chosen: number, all: number, what: string): string | undefined {
  return share.of === 1 ? undefined : `Share ${shareText(share)}: ${chosen} of ${all} ${what}`;
}
