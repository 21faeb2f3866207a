/**
 * A cache of tokens: fetched once for all artifacts with the same credentials, and used until shortly before they
 * expire.
 */
import type { Net } from "@tiphys/base/net";

/** A token as issued. */
export interface IssuedToken {
  readonly value: string;
  /** Expiration time in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A cached token. `forget` drops it, so that the next request fetches another. */
export interface CachedToken {
  readonly value: string;
  readonly forget: () => void;
}

/** A token is not used in its last seconds, because a request takes time. */
const MARGIN_MILLIS = 10_000;

/** Tokens by network, because drivers that share connections share tokens. */
const tokenCaches = new WeakMap<Net, Map<string, Promise<IssuedToken>>>();

/**
 * Returns the token with a name, which must include everything that the token depends on. `fetch` is called if none is
 * valid.
 */
export async function getOrFetchToken(
  { net, now }: { readonly net: Net; readonly now: () => number },
  name: string,
  fetch: () => Promise<IssuedToken>,
): Promise<CachedToken> {
  const tokens = tokenCaches.getOrInsertComputed(net, () => new Map<string, Promise<IssuedToken>>());
  let asked = tokens.get(name);
  const known = await asked?.catch(() => undefined);
  if (known && known.expiresAt - MARGIN_MILLIS <= now() && tokens.get(name) === asked) asked = undefined;
  if (!asked || !known) {
    asked = fetch();
    tokens.set(name, asked);
  }
  const mine = asked;
  const forget = () => {
    if (tokens.get(name) === mine) tokens.delete(name);
  };
  try {
    return { value: (await mine).value, forget };
  } catch (error) {
    forget();
    throw error;
  }
}
