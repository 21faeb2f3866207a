/** Parses the response of an OAuth token issuer, as of Google and Azure. */
import { fieldsOf } from "@tiphys/base/fields_of";
import type { HttpResponse } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import type { IssuedToken } from "./cached_tokens.ts";
import { parseErrorBody, parseJsonResponse, responseFailure } from "@tiphys/artifacts/store_request";

/**
 * Returns the token of a response. One without an expiration time is fetched again the next time.
 * @throws {StoreError} that begins with `operation`, for a rejection or an invalid response.
 */
export async function parseTokenResponse(
  answer: HttpResponse,
  operation: string,
  now: () => number,
): Promise<IssuedToken> {
  if (answer.status !== 200) {
    throw await responseFailure(answer, operation, {
      now,
      read: (text) => parseErrorBody(text, "error", "error_description"),
      kindOf: (status) => status === 400 ? "forbidden" : status === 404 ? "final" : undefined,
    });
  }
  const { access_token: value, expires_in: seconds } = fieldsOf(parseJsonResponse(await answer.text(), operation));
  if (typeof value !== "string") throw new StoreError(`${operation} failed: the response contains no token`, "final");
  return { value, expiresAt: now() + (Number(seconds) || 0) * 1000 };
}
