/** The variables with which command lines ask the server of this page as the person who is logged in here. */

/** The server, and the person. */
export interface CommandExports {
  /** The address of the page; it ends with a slash. */
  readonly base: string;
  readonly namespace: string;
  /** The whole header of the credentials: `Bearer …`. */
  readonly token: string;
}

/** The lines, for shells; Argo's program and ours read the same variables. */
export function commandExports({ base, namespace, token }: CommandExports): string {
  const { hostname, port, protocol, pathname } = new URL(base);
  const isSecure = protocol === "https:";
  const variables: Readonly<Record<string, string>> = {
    ARGO_SERVER: `${hostname}:${port || (isSecure ? "443" : "80")}`,
    ARGO_HTTP1: "true",
    ARGO_SECURE: String(isSecure),
    // What follows begins with a slash.
    ...(pathname === "/" ? {} : { ARGO_BASE_HREF: pathname.replace(/\/$/, "") }),
    ARGO_TOKEN: token,
    ...(namespace === "" ? {} : { ARGO_NAMESPACE: namespace }),
  };
  return Object.entries(variables).map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`).join(
    "\n",
  );
}

/** The credentials in the cookies of a page, as `authorization` holds them; undefined where scripts may not read them. */
export function tokenInCookies(cookies: string): string | undefined {
  for (const part of cookies.split(";")) {
    const [name, ...rest] = part.trim().split("=");
    const value = rest.join("=").replace(/^"/, "").replace(/"$/, "");
    if (name !== "authorization" || value === "") continue;
    try {
      return decodeURIComponent(value);
    } catch {
      return value;
    }
  }
  return undefined;
}
