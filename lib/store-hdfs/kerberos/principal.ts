/** Principals: the names of users and services in a realm. */

/** A principal. */
export interface Principal {
  readonly realm: string;
  readonly parts: readonly string[];
}

/** Formats a principal: `PART/PART@REALM`. */
export function principalText({ parts, realm }: Principal): string {
  return `${parts.join("/")}@${realm}`;
}

/** Whether two principals are equal. */
export function isSamePrincipal(principal: Principal, other: Principal): boolean {
  return principalText(principal) === principalText(other) && principal.parts.length === other.parts.length;
}

/** Returns the ticket-granting service of a realm, for its own services or for those of another realm. */
export function ticketService(realm: string, of: string = realm): Principal {
  return { realm, parts: ["krbtgt", of] };
}

/** Parses a principal. The realm is undefined if it is missing. */
export function readPrincipal(text: string): { readonly parts: readonly string[]; readonly realm: string | undefined } {
  const index = text.lastIndexOf("@");
  const [name, realm] = index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
  return { parts: name.split("/"), realm: realm || undefined };
}
