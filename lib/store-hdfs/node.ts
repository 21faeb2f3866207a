/** Addresses of nodes, and errors about fields with addresses. */
import { StoreError } from "@tiphys/model/artifact";

/** The address of a node. */
export interface Node {
  readonly hostname: string;
  readonly port: number;
}

/** Parses the address of a node, `HOST` or `HOST:PORT` with an optional prefix. Undefined for other texts. */
export function parseNode(address: string, prefix: string, usualPort: number): Node | undefined {
  const bare = address.startsWith(prefix) ? address.slice(prefix.length) : address;
  const [, hostname, port] = /^(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/.exec(bare) ?? [];
  if (!hostname || Number(port ?? usualPort) > 65_535) return undefined;
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port ?? usualPort) };
}

/** Returns the error of an invalid field. */
export function fieldError(message: string): StoreError {
  return new StoreError(`hdfs: ${message}`, "final");
}
