/**
 * `fetch` whose answers break off when their signal is aborted, however late that is. Deno's own forgets the signal of an
 * answer that has begun as soon as garbage is collected: who reads its body then waits for ever.
 */

/** Asks as `fetch` does; an abort of the signal ends the answer's body, too, with the reason of the abort. */
export async function abortableFetch(
  input: string | URL,
  init: RequestInit & { readonly client?: Deno.HttpClient } = {},
): Promise<Response> {
  const response = await fetch(input, init);
  const { signal } = init;
  if (!signal || response.body === null) return response;
  // What pipes holds the signal, and is held by it.
  const body = response.body.pipeThrough(new TransformStream(), { signal });
  return Object.defineProperty(new Response(body, response), "url", { value: response.url });
}
