/** Label selectors of Kubernetes objects. */
import type { LabelSelector } from "@tiphys/model/api";
import { tooManyRequirements } from "@tiphys/base/selector/label_selector";
import { labelValueErrors, qualifiedNameErrors } from "@tiphys/base/selector/label_rules";

type Requirement = NonNullable<LabelSelector["matchExpressions"]>[number];

/** Whether an operator requires values, or allows none. */
const NEEDS_VALUES: Readonly<Record<string, boolean>> = { In: true, NotIn: true, Exists: false, DoesNotExist: false };

/** Returns Kubernetes' error message for an invalid selector. */
export function labelSelectorProblem({ matchLabels, matchExpressions }: LabelSelector): string | undefined {
  const equalities = Object.entries(matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: "In",
    values: [value],
  }));
  const requirements = [...equalities, ...matchExpressions ?? []];
  const excess = tooManyRequirements(requirements.length);
  if (excess !== undefined) return excess;
  for (const requirement of requirements) {
    const problem = requirementProblem(requirement);
    if (problem !== undefined) return problem;
  }
}

function requirementProblem({ key, operator, values = [] }: Requirement): string | undefined {
  if (!Object.hasOwn(NEEDS_VALUES, operator)) return `"${operator}" is not a valid label selector operator`;
  const [keyError] = qualifiedNameErrors(key);
  if (keyError !== undefined) return `key: Invalid value: "${key}": ${keyError}`;
  if (NEEDS_VALUES[operator] && values.length === 0) {
    return "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty";
  }
  if (!NEEDS_VALUES[operator] && values.length > 0) return "values set must be empty for exists and does not exist";
  for (const [index, value] of values.entries()) {
    const [error] = labelValueErrors(value);
    if (error !== undefined) return `values[${index}][${key}]: Invalid value: "${value}": ${error}`;
  }
}
