/** The part of `krb5.conf` that a client needs: the realms, where their servers are, and the realm of a host. */
import { type Node, nodeAt } from "../node.ts";

const KDC_PORT = 88;

/** Servers of a realm that are asked, one after the other. */
const MOST_KDCS = 16;

/** Blocks within blocks that are read; all that is needed has two. */
const MOST_DEPTH = 16;

/** What a `krb5.conf` says. */
export interface Krb5Conf {
  readonly defaultRealm: string | undefined;
  /** The servers of a realm that give tickets; empty where none is named. */
  kdcs(realm: string): readonly Node[];
  /** The realm that the host belongs to, where it is said. */
  realmOf(host: string): string | undefined;
}

/**
 * Reads a `krb5.conf`. Other files that it includes are not there, and what it says of other things is not looked at.
 */
export function readKrb5Conf(text: string): Krb5Conf {
  const values = valuesOf(text);
  const first = (...path: readonly string[]) => values.get(pathText(path))?.[0];
  const domains = new Map(
    [...values].map(([path, [realm = ""]]) => [path.split("\n"), realm] as const)
      .filter(([path]) => path.length === 2 && path[0] === "domain_realm")
      .map(([path, realm]) => [path[1]!.toLowerCase(), realm]),
  );
  return {
    defaultRealm: first("libdefaults", "default_realm"),
    kdcs(realm) {
      const named = ["kdc", "master_kdc", "primary_kdc"].flatMap((key) =>
        values.get(pathText(["realms", realm, key])) ?? []
      );
      // Those that are asked by another protocol than TCP are left out.
      return named.flatMap((address) => nodeAt(address, "tcp/", KDC_PORT) ?? []).slice(0, MOST_KDCS);
    },
    realmOf(host) {
      const name = host.toLowerCase();
      const exact = domains.get(name);
      if (exact) return exact;
      for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
        const realm = domains.get(name.slice(dot)) ?? domains.get(name.slice(dot + 1));
        if (realm) return realm;
      }
    },
  };
}

/** The values of a file by their paths: the section, the names of the blocks around, the key. */
function valuesOf(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let path: string[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    if (line.startsWith("[")) {
      const end = line.indexOf("]");
      path = [line.slice(1, end < 0 ? undefined : end).trim()];
    } else if (line.startsWith("}")) {
      if (path.length > 1) path.pop();
    } else {
      const equals = line.indexOf("=");
      if (equals < 0 || path.length === 0) continue;
      const key = line.slice(0, equals).trim().replace(/\*$/, "");
      const value = line.slice(equals + 1).trim();
      if (value === "{") {
        if (path.length < MOST_DEPTH) path.push(key);
        continue;
      }
      const whole = pathText([...path, key]);
      const all = values.get(whole) ?? [];
      all.push(value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value);
      values.set(whole, all);
    }
  }
  return values;
}

/** A path as one text: no line has the end of a line in it. */
function pathText(path: readonly string[]): string {
  return path.join("\n");
}
