/** JSON as data, and as the text the peer would make of it. */

/** Plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** JSON text with `<`, `>`, `&`, U+2028 and U+2029 escaped, fields in the order they have. */
export function marshalTree(value: Json): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
