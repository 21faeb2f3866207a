/** Label and field selectors, in the text form of a query and in the object form of a spec. */

/** The object form. */
export interface LabelSelector {
  matchLabels?: Record<string, string> | undefined;
  matchExpressions?: { key: string; operator: string; values?: string[] | undefined }[] | undefined;
}

type Labels = Readonly<Record<string, string>> | undefined;
type Requirement = (labels: Readonly<Record<string, string>>) => boolean;

/** Whether the labels satisfy every requirement; an empty selector matches everything. Throws on bad syntax. */
export function matchesLabelSelector(selector: string | LabelSelector, labels: Labels): boolean {
  return parseLabelSelector(selector)(labels);
}

/** A selector ready for many objects. Throws TypeError on bad syntax. */
export function parseLabelSelector(selector: string | LabelSelector): (labels: Labels) => boolean {
  const requirements = typeof selector === "string" ? requirementsOfText(selector) : requirementsOfObject(selector);
  return (labels) => requirements.every((holds) => holds(labels ?? {}));
}

function requirementsOfObject(selector: LabelSelector): Requirement[] {
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => requirement(key, "In", [value])),
    ...(selector.matchExpressions ?? []).map((e) => requirement(e.key, e.operator, e.values ?? [])),
  ];
}

function requirement(key: string, operator: string, values: readonly string[]): Requirement {
  switch (operator) {
    case "In":
      return (labels) => Object.hasOwn(labels, key) && values.includes(labels[key]!);
    case "NotIn":
      return (labels) => !(Object.hasOwn(labels, key)) || !values.includes(labels[key]!);
    case "Exists":
      return (labels) => Object.hasOwn(labels, key);
    case "DoesNotExist":
      return (labels) => !(Object.hasOwn(labels, key));
    case "Gt":
      return (labels) => Object.hasOwn(labels, key) && Number(labels[key]) > Number(values[0]);
    case "Lt":
      return (labels) => Object.hasOwn(labels, key) && Number(labels[key]) < Number(values[0]);
    default:
      throw new TypeError(
        `Expected In, NotIn, Exists or DoesNotExist as operator of a label selector, got "${operator}"`,
      );
  }
}

const key = String.raw`[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?`;
const value = String.raw`[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`;
const setTerm = new RegExp(`^(${key})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const equalTerm = new RegExp(`^(${key})\\s*(==|=|!=|>|<)\\s*(${value})?$`);
const presenceTerm = new RegExp(`^(!?)\\s*(${key})$`);
const wholeValue = new RegExp(`^(?:${value})?$`);

function requirementsOfText(text: string): Requirement[] {
  // A comma separates terms, except within the parentheses of a set.
  const terms = text.split(/,(?![^(]*\))/).map((term) => term.trim());
  if (terms.length === 1 && terms[0] === "") return [];
  return terms.map((term) => requirementOfTerm(term, text));
}

function requirementOfTerm(term: string, whole: string): Requirement {
  const set = setTerm.exec(term);
  if (set) {
    const values = set[3]!.split(",").map((v) => v.trim());
    if (!values.every((v) => wholeValue.test(v))) throw badSelector(term, whole);
    return requirement(set[1]!, set[2] === "in" ? "In" : "NotIn", values);
  }
  const equal = equalTerm.exec(term);
  if (equal) {
    const operator = ({ "=": "In", "==": "In", "!=": "NotIn", ">": "Gt", "<": "Lt" } as const)[equal[2]!]!;
    return requirement(equal[1]!, operator, [equal[3] ?? ""]);
  }
  const presence = presenceTerm.exec(term);
  if (presence) return requirement(presence[2]!, presence[1] ? "DoesNotExist" : "Exists", []);
  throw badSelector(term, whole);
}

function badSelector(term: string, whole: string): TypeError {
  return new TypeError(`Expected a label selector, got "${whole}": "${term}" is not a requirement`);
}

/** One term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Reads `metadata.name=a,status.phase!=Running`. Throws TypeError on bad syntax. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  if (text.trim() === "") return [];
  return text.split(/(?<!\\),/).map((term) => {
    const match = /^\s*([^=!\s]+)\s*(==|=|!=)(.*)$/s.exec(term);
    if (!match) throw new TypeError(`Expected a field selector, got "${text}": "${term}" is not a requirement`);
    const [, field, operator, raw] = match;
    return { field: field!, equal: operator !== "!=", value: raw!.trim().replace(/\\([,=\\])/g, "$1") };
  });
}
