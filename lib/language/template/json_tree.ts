/** JSON as data, and as the text that Argo Workflows would make of it. */

/** Plain JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Serializes JSON with `<`, `>`, `&`, U+2028 and U+2029 escaped and fields in their own order. */
export function marshalTree(value: Json): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
