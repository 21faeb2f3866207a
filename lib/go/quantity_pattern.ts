/** The form of quantities of Kubernetes, apart from their arithmetic: what only looks at them loads no more. */

/** Sign, whole digits, digits after the point, suffix. */
export const QUANTITY_PATTERN = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*|)$/;

/** What Kubernetes says of a text that has another form. */
export const QUANTITY_RULE =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Whether a text has the form of a quantity. */
export function isQuantity(text: string): boolean {
  return text !== "" && QUANTITY_PATTERN.test(text);
}
