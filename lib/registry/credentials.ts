/** Registry credentials from Docker's configuration and from pull secrets, which have the same format. */
import * as z from "zod";
import { ImageError } from "./image_error.ts";

/** A username and password, or an identity token. */
export type Credentials =
  | { readonly kind: "password"; readonly username: string; readonly password: string }
  | { readonly kind: "identityToken"; readonly token: string };

const entry = z.looseObject({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  identitytoken: z.string().optional(),
});

/** Docker's `config.json`; also the content of `.dockerconfigjson` in a secret. */
export const dockerConfig = z.looseObject({
  auths: z.record(z.string(), entry).optional(),
  credHelpers: z.record(z.string(), z.string()).optional(),
  credsStore: z.string().optional(),
});

export type DockerConfig = z.infer<typeof dockerConfig>;

/** Runs a credential helper (`docker-credential-NAME get`); undefined without credentials for the registry. */
export type CredentialHelper = (helper: string, server: string) => Promise<Credentials | undefined>;

/** The key of docker.io in the configuration, the address of a former API. */
const DOCKER_HUB = "https://index.docker.io/v1/";

/**
 * Returns the credentials of the configuration for a registry. A helper takes precedence over credentials in the file.
 */
export async function credentialsFor(
  registry: string,
  config: DockerConfig,
  ask: CredentialHelper = runHelper,
): Promise<Credentials | undefined> {
  const servers = registry === "docker.io" ? [DOCKER_HUB, "docker.io", "index.docker.io"] : [registry];
  for (const server of servers) {
    const helper = config.credHelpers?.[server];
    const found = helper === undefined ? undefined : await ask(helper, server);
    if (found) return found;
  }
  for (const [key, value] of Object.entries(config.auths ?? {})) {
    const host = key.replace(/^https?:\/\//, "").replace(/\/.*/s, "");
    const found = servers.includes(key) || servers.includes(host) ? fromEntry(value) : undefined;
    if (found) return found;
  }
  return !config.credsStore ? undefined : await ask(config.credsStore, servers[0]!);
}

function fromEntry({ auth, username, password, identitytoken }: z.infer<typeof entry>): Credentials | undefined {
  if (identitytoken) return { kind: "identityToken", token: identitytoken };
  if (username && password !== undefined) return { kind: "password", username, password };
  if (!auth) return undefined;
  const text = decodeAuth(auth);
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { kind: "password", username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Decodes base64; empty for invalid input, which must not appear in errors. */
function decodeAuth(auth: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(auth));
  } catch {
    return "";
  }
}

const helperOutput = z.looseObject({ Username: z.string(), Secret: z.string() });

/** Runs a helper; undefined also if it is not installed, since most images are public. */
async function runHelper(helper: string, server: string): Promise<Credentials | undefined> {
  let child: Deno.ChildProcess;
  try {
    const streams = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    child = new Deno.Command(`docker-credential-${helper}`, { args: ["get"], ...streams }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const writer = child.stdin.getWriter();
  // A helper that ends without reading its input has already responded.
  await writer.write(new TextEncoder().encode(server)).catch(() => {});
  await writer.close().catch(() => {});
  const { success, stdout } = await child.output();
  return success ? fromHelper(helper, new TextDecoder().decode(stdout)) : undefined;
}

function fromHelper(helper: string, text: string): Credentials {
  let answer: z.infer<typeof helperOutput>;
  try {
    answer = helperOutput.parse(JSON.parse(text));
  } catch {
    // The output is not quoted, since it may be a password.
    throw new ImageError("ErrImagePull", `docker-credential-${helper} did not return credentials`);
  }
  const { Username, Secret } = answer;
  return Username === "<token>"
    ? { kind: "identityToken", token: Secret }
    : { kind: "password", username: Username, password: Secret };
}
