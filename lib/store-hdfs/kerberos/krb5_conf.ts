/** The parts of `krb5.conf` that a client needs: the realms, their servers, and the realm of a host. */
import { type Node, parseNode } from "../node.ts";

const KDC_PORT = 88;

/** Maximum number of servers of a realm that are tried. */
const MAX_KDCS = 16;

/** Maximum depth of blocks. The required fields have depth two. */
const MAX_DEPTH = 16;

/** The content of a `krb5.conf`. */
export interface Krb5Conf {
  readonly defaultRealm: string | undefined;
  /** Returns the key distribution centers of a realm; empty if none is configured. */
  kdcs(realm: string): readonly Node[];
  /** Returns the realm of a host, if configured. */
  realmOf(host: string): string | undefined;
}

/** Parses a `krb5.conf`. Included files are not available, and unrelated sections are ignored. */
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
      // Servers with protocols other than TCP are omitted.
      return named.flatMap((address) => parseNode(address, "tcp/", KDC_PORT) ?? []).slice(0, MAX_KDCS);
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

/** Returns the values of a file by path: the section, the names of surrounding blocks, and the key. */
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
        if (path.length < MAX_DEPTH) path.push(key);
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

/** Joins a path to one text. Lines cannot contain line ends. */
function pathText(path: readonly string[]): string {
  return path.join("\n");
}
