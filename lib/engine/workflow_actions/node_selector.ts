/** `--node-field-selector`: selects nodes by their fields. */
import type { NodeStatus } from "@tiphys/model/api";
import { UserError } from "@tiphys/base/user_error";
import { parseFieldSelector } from "@tiphys/kube/selectors";
import { templateNameOf } from "@tiphys/model/status";
import { ActionError } from "./error.ts";

const INPUT = /^inputs\.parameters\.(.+)\.value$/;

const FIELDS: Readonly<Record<string, (node: NodeStatus) => string | undefined>> = {
  "id": (node) => node.id,
  "name": (node) => node.name,
  "displayName": (node) => node.displayName,
  "phase": (node) => node.phase,
  "templateName": templateNameOf,
  "templateRef.name": (node) => node.templateRef?.name,
  "templateRef.template": (node) => node.templateRef?.template,
};

/**
 * Parses a selector (`phase=Failed,displayName!=a`). Every term must hold; a missing field is empty.
 * @throws {ActionError} when it cannot be parsed, or refers to an unknown field.
 */
export function parseNodeSelector(text: string): (node: NodeStatus) => boolean {
  const terms = readTerms(text).map(({ field, equal, value }) => {
    const read = reader(field);
    return (node: NodeStatus) => (read(node) === value) === equal;
  });
  return (node) => terms.every((holds) => holds(node));
}

function readTerms(text: string) {
  try {
    return parseFieldSelector(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new ActionError(`unable to parse node field selector '${text}': ${error.message}`);
  }
}

function reader(field: string): (node: NodeStatus) => string {
  const known = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  if (known) return (node) => known(node) ?? "";
  const input = INPUT.exec(field)?.[1];
  if (input === undefined) {
    const names = [...Object.keys(FIELDS), "inputs.parameters.NAME.value"].join(", ");
    throw new ActionError(`Expected a field of nodes (${names}), got "${field}"`);
  }
  return (node) => node.inputs?.parameters?.find(({ name }) => name === input)?.value ?? "";
}
