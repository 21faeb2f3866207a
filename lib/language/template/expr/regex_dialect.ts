/** Translates Go's spellings of Unicode classes and duplicate group names, which the RE2 library does not support. */

// A token ends before the next one of its kind begins, so that no part of a pattern is read many times.
const OUTSIDE_CLASS = /\\Q[\s\S]*?(?:\\E|$)|\\[pP](?:\{[^{}]*\}|[A-Za-z])|\\[\s\S]|\[\^?\]?|\(\?P?<[^<>]*>|[\s\S]/uy;
const INSIDE_CLASS = /\\[pP](?:\{[^{}]*\}|[A-Za-z])|\\[\s\S]|\[:[^[\]]*:\]|[\s\S]/uy;

/** Returns the pattern in the library's syntax. Invalid parts are kept, so that the library rejects them. */
export function translatePattern(pattern: string): string {
  if (!/\\[pP]|\(\?P?</.test(pattern)) return pattern;
  const names = new Set<string>();
  let isInside = false;
  let out = "";
  for (let offset = 0; offset < pattern.length;) {
    const rule = isInside ? INSIDE_CLASS : OUTSIDE_CLASS;
    rule.lastIndex = offset;
    const token = rule.exec(pattern)![0];
    offset += token.length;
    if (/^\\[pP]/.test(token)) out += unicodeClass(token, isInside);
    else if (token.startsWith("(?") && names.has(groupName(token))) out += "(";
    else out += token;
    if (token.startsWith("(?")) names.add(groupName(token));
    if (isInside ? token === "]" : token.startsWith("[")) isInside = !isInside;
  }
  return out;
}

/** Returns the name in `(?P<name>` or `(?<name>`. */
function groupName(group: string): string {
  return group.slice(group.indexOf("<") + 1, -1);
}

/** Returns `\p{name}` as the library spells it: capitalized, without blanks, and with the short name of a category. */
function unicodeClass(written: string, isInside: boolean): string {
  const [, letter, negation, name = ""] = /^\\([pP])\{?(\^?)([^}]*)\}?$/u.exec(written)!;
  const plain = name.replace(/[_\- ]/g, "");
  const canonical = plain.slice(0, 1).toUpperCase() + plain.slice(1).toLowerCase();
  if (canonical === "Ascii") {
    const range = (letter === "P") === (negation === "^") ? "\\x00-\\x7f" : "\\x{80}-\\x{10ffff}";
    return isInside ? range : `[${range}]`;
  }
  return `\\${letter}{${negation}${CATEGORIES.get(canonical) ?? canonical}}`;
}

const CATEGORIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    C: "other",
    Cc: "control cntrl",
    Cf: "format",
    Cn: "unassigned",
    Co: "privateuse",
    Cs: "surrogate",
    L: "letter",
    LC: "casedletter",
    Ll: "lowercaseletter",
    Lm: "modifierletter",
    Lo: "otherletter",
    Lt: "titlecaseletter",
    Lu: "uppercaseletter",
    M: "mark combiningmark",
    Mc: "spacingmark",
    Me: "enclosingmark",
    Mn: "nonspacingmark",
    N: "number",
    Nd: "decimalnumber digit",
    Nl: "letternumber",
    No: "othernumber",
    P: "punctuation punct",
    Pc: "connectorpunctuation",
    Pd: "dashpunctuation",
    Pe: "closepunctuation",
    Pf: "finalpunctuation",
    Pi: "initialpunctuation",
    Po: "otherpunctuation",
    Ps: "openpunctuation",
    S: "symbol",
    Sc: "currencysymbol",
    Sk: "modifiersymbol",
    Sm: "mathsymbol",
    So: "othersymbol",
    Z: "separator",
    Zl: "lineseparator",
    Zp: "paragraphseparator",
    Zs: "spaceseparator",
  }).flatMap(([category, names]) =>
    names.split(" ").map((name) => [name.charAt(0).toUpperCase() + name.slice(1), category])
  ),
);
