/**
 * Responses whose body is one short text, which the port hands to the connection together with the head: one write in place of
 * three, and no stream between them.
 */

const texts = new WeakMap<Response, string>();

/** The most characters of such a text: what is longer goes out no faster than its client reads. */
const MOST_CHARACTERS = 16 << 10;

/** A response with a text for its body. */
export function textResponse(text: string, init: ResponseInit): Response {
  const response = new Response(text, init);
  if (text.length <= MOST_CHARACTERS) texts.set(response, text);
  return response;
}

/** The body of a response, where it is one short text. */
export function wholeTextOf(response: Response): string | undefined {
  return texts.get(response);
}
