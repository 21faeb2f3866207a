/** Tokens that are good for a while: fetched once for all artifacts that need the same, and used until shortly before their end. */
import type { Net } from "../net/mod.ts";

/** A token, as its issuer gave it. */
export interface FreshToken {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** A token, and how to let the next request fetch another. */
export interface KeptToken {
  readonly value: string;
  readonly forget: () => void;
}

/** A token is not used in its last seconds, which a request may take. */
const MARGIN_MILLIS = 10_000;

/** The tokens by the network they are for: drivers that share connections share tokens. */
const kept = new WeakMap<Net, Map<string, Promise<FreshToken>>>();

/** The token of a name, which says all that it depends on; `fetch` is asked where there is none that is good. */
export async function keptToken(
  { net, now }: { readonly net: Net; readonly now: () => number },
  name: string,
  fetch: () => Promise<FreshToken>,
): Promise<KeptToken> {
  const tokens = kept.getOrInsertComputed(net, () => new Map<string, Promise<FreshToken>>());
  let asked = tokens.get(name);
  const known = await asked?.catch(() => undefined);
  if (known && known.until - MARGIN_MILLIS <= now() && tokens.get(name) === asked) asked = undefined;
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
