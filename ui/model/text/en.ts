/**
 * English texts: plural forms, numbers and lists. `en/` has one file for each area of the page, named like its
 * component or page. A text is a constant; a sentence with values is one function of them. Markup within a sentence is
 * a parameter too, and the function returns the parts in order, because word order depends on the language. Parts of
 * the page load on demand together with their texts: a component imports the file of its area (`import * as words from
 * "../model/text/en/run_table.ts"`), and `en/shared.ts` for common texts; no file collects all of them. Exports are
 * constants and functions rather than objects, so that unused ones are removed and names are shortened. Argo's terms
 * (phases, types, fields) stay as they are in the API.
 */

const FORMS = new Intl.PluralRules("en");

/** The form of a word for a count: `plural(1, "node", "nodes")` is `node`. */
export const plural = (count: number, one: string, other: string) => FORMS.select(count) === "one" ? one : other;

/** Formats a number with grouped digits: `12,000`. */
export const grouped = (count: number) => count.toLocaleString("en");

/** Lists names and the number of further ones: `a, b and 3 more`. */
export const listed = (names: readonly string[], more: number) =>
  `${names.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
