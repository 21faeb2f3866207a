/** Label and field selectors, in the text form of a query and in the object form of a spec. */
import {
  checkRequirements,
  meetsRequirement,
  parseRequirements,
  type Requirement,
  SelectorError,
  type SelectorOperator,
} from "@tiphys/base/selector/label_selector";

/** The object form. */
export interface LabelSelector {
  matchLabels?: Record<string, string> | undefined;
  matchExpressions?: { key: string; operator: string; values?: string[] | undefined }[] | undefined;
}

type Labels = Readonly<Record<string, string>> | undefined;

/**
 * Whether the labels satisfy every requirement; an empty selector matches everything.
 * @throws on bad syntax.
 */
export function matchesLabelSelector(selector: string | LabelSelector, labels: Labels): boolean {
  return parseLabelSelector(selector)(labels);
}

/**
 * Parses a selector for matching many objects.
 * @throws {SelectorError} on bad syntax.
 */
export function parseLabelSelector(selector: string | LabelSelector): (labels: Labels) => boolean {
  const requirements = typeof selector === "string" ? requirementsOfText(selector) : requirementsOfObject(selector);
  checkRequirements(requirements);
  return (labels = {}) =>
    requirements.every((requirement) =>
      meetsRequirement(requirement, (key) => Object.hasOwn(labels, key) ? labels[key] : undefined)
    );
}

/** Operators of the object form, and those of the text form. */
const OPERATORS: Readonly<Record<string, SelectorOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

function requirementsOfObject({ matchLabels = {}, matchExpressions = [] }: LabelSelector): Requirement[] {
  return [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: "=", values: [value] }) as const),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator: operatorOf(operator), values })),
  ];
}

function operatorOf(word: string): SelectorOperator {
  if (Object.hasOwn(OPERATORS, word)) return OPERATORS[word]!;
  throw new SelectorError(`Expected In, NotIn, Exists or DoesNotExist as operator of a label selector, got "${word}"`);
}

function requirementsOfText(text: string): Requirement[] {
  try {
    return parseRequirements(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorError(`Expected a label selector, got "${text}": ${error.message}`, { cause: error });
  }
}

/** One term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/**
 * Parses `metadata.name=a,status.phase!=Running`.
 * @throws {SelectorError} on bad syntax.
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  if (text.trim() === "") return [];
  const terms = text.split(/(?<!\\),/);
  checkRequirements(terms);
  return terms.map((term) => {
    const match = /^\s*([^=!\s]+)\s*(==|=|!=)(.*)$/s.exec(term);
    if (!match) throw new SelectorError(`Expected a field selector, got "${text}": "${term}" is not a requirement`);
    const [, field, operator, raw] = match;
    return { field: field!, equal: operator !== "!=", value: raw!.trim().replace(/\\([,=\\])/g, "$1") };
  });
}
