import { assertEquals } from "@std/assert";
import * as kube from "../../lib/kube/mod.ts";
import type { Rule } from "../../lib/preflight/mod.ts";
import { SERVER_SSO_RULES, SERVER_WEBHOOK_RULES } from "../../scripts/server_roles.ts";

const RESOURCES = new Map(
  Object.entries(kube).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && "plural" in value
      ? [[name, (value as unknown as kube.Resource).plural] as const]
      : []
  ),
);

/** The rights that the sources of a part of the server ask for with the server's own client, as `VERB RESOURCE`. */
async function askedIn(files: readonly string[]): Promise<string[]> {
  const rights = new Set<string>();
  for (const file of files) {
    const text = await Deno.readTextFile(new URL(`../../server/${file}`, import.meta.url));
    const calls = text.matchAll(/client\.(get|list|create|patch|delete)(?:<[^()]*?>)?\(\s*([A-Z_]+)\b/g);
    for (const [, verb, name = ""] of calls) rights.add(`${verb} ${RESOURCES.get(name)}`);
  }
  return [...rights].sort();
}

function rightsOf(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ resources, verbs }) => verbs.map((verb) => `${verb} ${resources[0]}`)).sort();
}

/** Where the token of an account is read, for both. */
const TOKEN = "gate/account_token.ts";

Deno.test("a server with logins asks for what the component server-sso gives it, and for nothing else", async () => {
  const files = [TOKEN, "sso/accounts.ts", "sso/session_key.ts", "sso/start.ts"];
  assertEquals(rightsOf(SERVER_SSO_RULES), await askedIn(files));
});

Deno.test("a server with webhooks asks for what the component server-webhooks gives it, and for nothing else", async () => {
  const files = [TOKEN, "events/webhooks.ts", "events/warning.ts"];
  assertEquals(rightsOf(SERVER_WEBHOOK_RULES), await askedIn(files));
});
