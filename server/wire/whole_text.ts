/**
 * Responses whose body is one short text. It is written together with the head, in one write instead of three, and
 * without a stream.
 */

const texts = new WeakMap<Response, string>();

/** The maximum length of such a text. Longer bodies are streamed, no faster than the client reads. */
const MAX_CHARACTERS = 16 << 10;

/** Returns a response with a text as its body. */
export function textResponse(text: string, init: ResponseInit): Response {
  const response = new Response(text, init);
  if (text.length <= MAX_CHARACTERS) texts.set(response, text);
  return response;
}

/** The body of a response, if it is one short text. */
export function wholeTextOf(response: Response): string | undefined {
  return texts.get(response);
}
