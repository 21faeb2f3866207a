/** The answer of an issuer of tokens: OAuth's, as Google and Azure give it. */
import { fieldsOf } from "../fields_of.ts";
import type { HttpResponse } from "../net/mod.ts";
import { StoreError } from "./driver.ts";
import type { FreshToken } from "./kept_tokens.ts";
import { errorIn, failureOf, jsonOf } from "./store_request.ts";

/**
 * The token of an answer; one that does not say how long it is good for is fetched anew the next time.
 * @throws {StoreError} with `what` in front for a refusal, and for what is no answer to that.
 */
export async function tokenIn(answer: HttpResponse, what: string, now: () => number): Promise<FreshToken> {
  if (answer.status !== 200) {
    throw await failureOf(answer, what, {
      now,
      read: (text) => errorIn(text, "error", "error_description"),
      kindOf: (status) => status === 400 ? "forbidden" : status === 404 ? "final" : undefined,
    });
  }
  const { access_token: value, expires_in: seconds } = fieldsOf(jsonOf(await answer.text(), what));
  if (typeof value !== "string") throw new StoreError(`${what} failed: the answer has none`, "final");
  return { value, until: now() + (Number(seconds) || 0) * 1000 };
}
