/**
 * Parses file sizes reported by stores, in bytes. In one place, because free space and the end of reads are computed
 * from them.
 */
import { StoreError } from "@tiphys/model/artifact";

/**
 * Parses the size that a store reports; undefined when it reports none.
 * @throws {StoreError} `final`, beginning with `operation`, for an invalid size.
 */
export function parseReportedSize(
  reportedSize: string | number | null | undefined,
  operation: string,
): number | undefined {
  const text = String(reportedSize ?? "");
  if (text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new StoreError(`${operation} failed: ${JSON.stringify(text.slice(0, 300))} is not a valid file size`, "final");
}

/**
 * Parses the size of a missing body, from the response to `HEAD`. A repeated equal value is accepted.
 * @throws {StoreError} `final`, beginning with `operation`, for an invalid size.
 */
export function parseHeadSize(headers: Headers, operation: string): number | undefined {
  const told = headers.get("content-length") ?? "";
  const [size, ...others] = new Set(told.split(",").map((text) => text.trim()));
  return parseReportedSize(others.length > 0 ? told : size, operation);
}
