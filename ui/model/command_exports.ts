/** Environment variables with which CLI commands use this server with the identity of the logged-in user. */

/** The server and the identity. */
export interface CommandExports {
  /** The address of the page, with a trailing slash. */
  readonly base: string;
  readonly namespace: string;
  /** The complete value of the authorization header, for example `Bearer …`. */
  readonly token: string;
}

/** Returns `export` lines for a shell; argo and tiphys read the same variables. */
export function commandExports({ base, namespace, token }: CommandExports): string {
  const { hostname, port, protocol, pathname } = new URL(base);
  const isSecure = protocol === "https:";
  const variables: Readonly<Record<string, string>> = {
    ARGO_SERVER: `${hostname}:${port || (isSecure ? "443" : "80")}`,
    ARGO_HTTP1: "true",
    ARGO_SECURE: String(isSecure),
    // Paths that follow start with a slash.
    ...(pathname === "/" ? {} : { ARGO_BASE_HREF: pathname.replace(/\/$/, "") }),
    ARGO_TOKEN: token,
    ...(namespace === "" ? {} : { ARGO_NAMESPACE: namespace }),
  };
  return Object.entries(variables).map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`).join(
    "\n",
  );
}

/** Returns the credentials from the `authorization` cookies, or undefined if scripts cannot read them. */
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
