/**
 * English texts: plural forms, numbers and lists. `en/` has one file for each part of the page that loads on demand: a
 * text costs nothing until the part that shows it is loaded. A file named like a page or dialog has the texts of all
 * components that load with it, and `en/shared.ts` those of parts that several pages show. A text is a constant; a
 * sentence with values is one function of them. Markup within a sentence is a parameter too, and the function returns
 * the parts in order, because word order depends on the language. A component imports the file of its part
 * (`import * as words from "../model/text/en/runs_page.ts"`); no file collects all of them. Exports are constants and
 * functions rather than objects, so that unused ones are removed and names are shortened. Argo's terms (phases, types,
 * fields) stay as they are in the API.
 */

const FORMS = new Intl.PluralRules("en");

/** The form of a word for a count: `plural(1, "node", "nodes")` is `node`. */
export const plural = (count: number, one: string, other: string) => FORMS.select(count) === "one" ? one : other;

/** Formats a number with grouped digits: `12,000`. */
export const grouped = (count: number) => count.toLocaleString("en");

/** Lists names and the number of further ones: `a, b and 3 more`. */
export const listed = (names: readonly string[], more: number) =>
  `${names.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
