/** Nodes by their addresses, and mistakes in the fields that name them. */
import { StoreError } from "../driver.ts";

/** The address of a node. */
export interface Node {
  readonly hostname: string;
  readonly port: number;
}

/** The node at an address, `HOST` or `HOST:PORT`, which may begin with the prefix; undefined for any other text. */
export function nodeAt(address: string, prefix: string, usualPort: number): Node | undefined {
  const bare = address.startsWith(prefix) ? address.slice(prefix.length) : address;
  const [, hostname, port] = /^(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/.exec(bare) ?? [];
  if (!hostname || Number(port ?? usualPort) > 65_535) return undefined;
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port ?? usualPort) };
}

/** The error of fields that cannot be used. */
export function mistake(message: string): StoreError {
  return new StoreError(`hdfs: ${message}`, "final");
}
