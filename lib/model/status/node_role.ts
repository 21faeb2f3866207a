/** The roles of nodes, by their types. */
import { NODE_ROLES, type NodeRole } from "../api/node_types.ts";

export { NODE_ROLES, type NodeRole };

type NodeType = keyof typeof NODE_ROLES;

/** The types of nodes with a role. */
export type NodeTypeOf<Role extends NodeRole> = {
  [Type in NodeType]: (typeof NODE_ROLES)[Type] extends Role ? Type : never;
}[NodeType];

/** Returns the types of nodes with one of these roles. */
export function nodeTypesOf(...roles: readonly NodeRole[]): ReadonlySet<string> {
  return new Set(Object.entries(NODE_ROLES).filter(([, role]) => roles.includes(role)).map(([type]) => type));
}

/** Whether a node has one of these roles. */
export function hasRole<Node extends { readonly type: NodeType }, Role extends NodeRole>(
  node: Node,
  ...roles: readonly Role[]
): node is Node & { readonly type: NodeTypeOf<Role> } {
  return (roles as readonly NodeRole[]).includes(NODE_ROLES[node.type]);
}
