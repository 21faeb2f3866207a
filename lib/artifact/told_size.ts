/** Sizes of files, in bytes, as stores tell them: read in one place, since rooms and ends of readings are reckoned from them. */
import { StoreError } from "./driver.ts";

/**
 * The size that a store tells; undefined where it tells none.
 * @throws {StoreError} `final`, `what` in front, where it is no size.
 */
export function toldSize(told: string | number | null | undefined, what: string): number | undefined {
  const text = String(told ?? "");
  if (text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new StoreError(`${what} failed: ${JSON.stringify(text.slice(0, 300))} is no size of a file`, "final");
}

/**
 * The size of a body that is not there, as the answer to `HEAD` tells it; one that is told twice is told once.
 * @throws {StoreError} `final`, `what` in front, where it is no size.
 */
export function sizeInHead(headers: Headers, what: string): number | undefined {
  const told = headers.get("content-length") ?? "";
  const [size, ...others] = new Set(told.split(",").map((text) => text.trim()));
  return toldSize(others.length > 0 ? told : size, what);
}
