/**
 * `fetch` whose response body ends when its signal is aborted at any later time. Deno's `fetch` loses the signal once
 * the response is garbage-collected, so that a reader of the body would wait forever.
 */

/** Works like `fetch`; aborting the signal also ends the body with the signal's reason. */
export async function abortableFetch(
  input: string | URL,
  init: RequestInit & { readonly client?: Deno.HttpClient } = {},
): Promise<Response> {
  const response = await fetch(input, init);
  const { signal } = init;
  if (!signal || response.body === null) return response;
  // The pipe and the signal keep each other alive.
  const body = response.body.pipeThrough(new TransformStream(), { signal });
  return Object.defineProperty(new Response(body, response), "url", { value: response.url });
}
