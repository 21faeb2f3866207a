/** Principals: the names that people and services have in a realm. */

/** One name. */
export interface Principal {
  readonly realm: string;
  readonly parts: readonly string[];
}

/** The name as people write it: `PART/PART@REALM`. */
export function principalText({ parts, realm }: Principal): string {
  return `${parts.join("/")}@${realm}`;
}

/** Whether two names are the same. */
export function isSamePrincipal(one: Principal, other: Principal): boolean {
  return principalText(one) === principalText(other) && one.parts.length === other.parts.length;
}

/** The service of a realm that gives tickets: for its own services, or for those of another realm. */
export function ticketService(realm: string, of: string = realm): Principal {
  return { realm, parts: ["krbtgt", of] };
}

/** Reads a name; the realm is undefined where none is said. */
export function readPrincipal(text: string): { readonly parts: readonly string[]; readonly realm: string | undefined } {
  const at = text.lastIndexOf("@");
  const [name, realm] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  return { parts: name.split("/"), realm: realm || undefined };
}
