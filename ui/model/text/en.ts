/**
 * English: how it counts; and where the words of the page are. `en/` has a file for each area, named as the component or the
 * page that says them. Words are constants, a sentence is one function of what stands in it. Markup within a sentence is a
 * slot as well, and the function answers the pieces in their order: the order of words belongs to the language.
 *
 * Parts of the page are loaded when they are first shown, and so are their words: a component imports the file of its own
 * area (`import * as words from "../model/text/en/run_table.ts"`), and `en/shared.ts` for what several areas say; no file
 * gathers all. Exports are constants and functions, not objects: what nobody says is left out of the programs, and names are
 * made short. Argo's words (phases, types, fields) stay as they are on the wire.
 */

const FORMS = new Intl.PluralRules("en");

/** The form of a word beside a count: `plural(1, "node", "nodes")` is `node`. */
export const plural = (count: number, one: string, other: string) => FORMS.select(count) === "one" ? one : other;

/** A number with its digits in groups: `12,000`. */
export const grouped = (count: number) => count.toLocaleString("en");

/** Names, and how many more there are beside them: `a, b and 3 more`. */
export const listed = (names: readonly string[], more: number) =>
  `${names.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
