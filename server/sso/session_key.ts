/**
 * The session key, in the Secret `sso` that Argo's server uses as well, so that sessions survive a change of servers.
 */
import { createHash, createPrivateKey, generateKeyPairSync } from "node:crypto";
import { Buffer } from "node:buffer";
import { classifyError, type KubeClient, SECRETS } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";
import { UserError } from "@tiphys/base/user_error";

const SECRET = "sso";
const KEY = "cookieEncryptionPrivateKey";

/**
 * Returns the key that encrypts sessions. Creates the Secret if it does not exist; if two servers start at the same
 * time, the second one uses the Secret of the first.
 * @throws {UserError} if the Secret contains something else.
 */
export async function loadSessionKey(client: KubeClient, namespace: string): Promise<Uint8Array> {
  const found = await findSecret(client, namespace) ?? await createSecret(client, namespace) ??
    await findSecret(client, namespace);
  return sessionKeyOf(found?.[KEY] ?? "", namespace);
}

/** @throws {UserError} if it is not an RSA key in Argo's format: PKCS#1, DER, base64. */
export function sessionKeyOf(base64: string, namespace: string): Uint8Array {
  const der = Buffer.from(base64, "base64");
  try {
    createPrivateKey({ key: der, format: "der", type: "pkcs1" });
  } catch {
    throw new UserError(
      `the key ${KEY} of the Secret ${JSON.stringify(SECRET)} in ${
        JSON.stringify(namespace)
      } is not an RSA key (PKCS#1, DER): ` +
        "delete the Secret to create a new one, which ends all sessions",
    );
  }
  return new Uint8Array(createHash("sha256").update(der).digest());
}

async function findSecret(
  client: KubeClient,
  namespace: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    return dataOf(await client.get(SECRETS, namespace, SECRET));
  } catch (error) {
    if (classifyError(error) === "notFound") return undefined;
    throw error;
  }
}

/** Creates the Secret with the key; undefined if another server has created it first. */
async function createSecret(
  client: KubeClient,
  namespace: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "der" },
    publicKeyEncoding: { type: "pkcs1", format: "der" },
  });
  try {
    const data = { [KEY]: Buffer.from(privateKey).toString("base64") };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: SECRET, namespace }, data };
    return dataOf(await client.create(SECRETS, namespace, secret));
  } catch (error) {
    if (classifyError(error) === "alreadyExists") return undefined;
    throw error;
  }
}
