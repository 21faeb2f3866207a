/** The project's own rules for `deno lint`: a file below `lint_rules` for each. */
import { jsonIsUnknown } from "./lint_rules/json_is_unknown.ts";
import { linearRegExp } from "./lint_rules/linear_regexp.ts";
import { noDoubleCast } from "./lint_rules/no_double_cast.ts";
import { noIteratorHelpers } from "./lint_rules/no_iterator_helpers.ts";
import { readWhatEnters } from "./lint_rules/read_what_enters.ts";
import { throwsTag } from "./lint_rules/throws_tag.ts";
import { wordsInOnePlace } from "./lint_rules/words_in_one_place.ts";

const plugin: Deno.lint.Plugin = {
  name: "tiphys",
  rules: {
    "linear-regexp": linearRegExp,
    "throws-tag": throwsTag,
    "read-what-enters": readWhatEnters,
    "json-is-unknown": jsonIsUnknown,
    "no-double-cast": noDoubleCast,
    "no-iterator-helpers": noIteratorHelpers,
    "words-in-one-place": wordsInOnePlace,
  },
};

/** Deno requires a default export. */
export default plugin;
