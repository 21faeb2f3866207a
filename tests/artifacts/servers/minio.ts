/**
 * MinIO over TLS with server-side encryption: with its own keys, with a key service, and with customer-provided keys.
 */
import type { Driver, DriverEnvironment } from "@tiphys/model/artifact";
import type { S3Driver } from "../../../lib/stores/s3/s3_driver.ts";
import { sourceOf } from "../../../lib/artifacts/testing/surroundings.ts";
import type { TestedStore } from "../../../lib/artifacts/testing/contract/mod.ts";
import { retrying, retryPolicyOf } from "@tiphys/artifacts/transfer";
import { systemClock } from "@tiphys/base/clock";
import { serve } from "./process.ts";
import { goProgram } from "./programs.ts";
import { contractKeys, driverAt, driverEnvironment, settingsAt } from "./s3.ts";
import type { ServerKind } from "./server.ts";

const VERSION = "v0.0.0-20260212201848-7aac2a2c5b7c";
/** The name of the key in MinIO's key service. */
const KEY_NAME = "contract-key";

const CANNOT: Readonly<Record<string, string>> = {
  "AR-05": "MinIO lists nothing below a key that is an object itself",
  "AR-08": "MinIO rejects keys with a backslash",
  "AR-09": "MinIO rejects keys with an empty segment or a dot as segment",
  "AR-10": "MinIO rejects keys with ..",
};

/** Cases that encryption may affect: contents of all sizes, ranges, folders, and access to them. */
const ENCRYPTION_CASES = [
  "AR-01",
  "AR-02",
  "AR-03",
  "AR-07",
  "AR-14",
  "AR-19",
  "AR-25",
  "AR-30",
  "AR-72",
  "AR-73",
  "AN-04",
];

/**
 * Also AN-03, which compares an object with a local file. Left out for a key service, whose context no store reports.
 */
const WITH_COMPARISON = [...ENCRYPTION_CASES, "AN-03"];

const never = new AbortController().signal;

/** MinIO. Slow to install: it is built from source, which takes many minutes. */
export const minio: ServerKind = {
  name: "minio",
  isSlow: true,
  async start() {
    const program = await goProgram("minio", `github.com/minio/minio@${VERSION}`);
    const keys = contractKeys();
    let ca = "";
    const serving = await serve((port, folder) => {
      ca = makeCertificate(`${folder}/certs`);
      return [program, "server", "--certs-dir", `${folder}/certs`, "--address", `127.0.0.1:${port}`, `${folder}/data`];
    }, {
      MINIO_ROOT_USER: keys.access,
      MINIO_ROOT_PASSWORD: keys.secret,
      MINIO_KMS_SECRET_KEY: `${KEY_NAME}:${btoa("k".repeat(32))}`,
      MINIO_BROWSER: "off",
    });
    const secrets: Readonly<Record<string, string>> = {
      ...keys,
      ca,
      customer: "a secret of the customer's",
      other: "another",
    };
    const settingsOf = (encryption?: Readonly<Record<string, unknown>>) => ({
      ...settingsAt(serving.port),
      insecure: false,
      region: "us-east-1",
      caSecret: { name: "s", key: "ca" },
      createBucketIfNotPresent: {},
      ...(encryption ? { encryptionOptions: { enableEncryption: true, ...encryption } } : {}),
    });
    const driverOf = (settings: Readonly<Record<string, unknown>>, change: Partial<DriverEnvironment> = {}) =>
      driverAt(settings, { secret: (_, key) => Promise.resolve(secrets[key] ?? ""), ...change });
    const minioWith = (
      name: string,
      encryption?: Readonly<Record<string, unknown>>,
      more: Partial<TestedStore> = {},
    ) => {
      const settings = settingsOf(encryption);
      return {
        name,
        partBytes: driverEnvironment().limits.partBytes,
        driver: () => driverOf(settings),
        remembering: (begun) => driverOf(settings, { begun, limits: { ...driverEnvironment().limits, parts: 1 } }),
        place: (key) => ({ store: "s3", key, settings }),
        cannot: CANNOT,
        ...more,
      } satisfies TestedStore;
    };
    await firstWrite(await driverOf(settingsOf()));
    const encryptedMinio = (
      name: string,
      as: string,
      options: Readonly<Record<string, unknown>>,
      more: Partial<TestedStore> = {},
    ) =>
      minioWith(name, options, {
        only: ENCRYPTION_CASES,
        encryption: { as, of: async (key) => await encryptionOf(await driverOf(settingsOf(options)), key) },
        ...more,
      });
    const customer = (key: string) => ({ serverSideCustomerKeySecret: { name: "s", key } });
    return {
      subjects: [
        minioWith("minio"),
        encryptedMinio("minio, its own keys", "AES256", {}, { only: WITH_COMPARISON }),
        encryptedMinio("minio, a key service", "aws:kms", {
          kmsKeyId: KEY_NAME,
          kmsEncryptionContext: '{"of":"contract"}',
        }),
        encryptedMinio("minio, a customer's key", "AES256 of the customer", customer("customer"), {
          only: WITH_COMPARISON,
          driversWithoutKey: [() => driverOf(settingsOf()), () => driverOf(settingsOf(customer("other")))],
        }),
      ],
      [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
    };
  },
};

/** Creates the bucket. Retries until the server is ready. */
async function firstWrite(driver: Driver): Promise<void> {
  const how = {
    policy: { ...retryPolicyOf(() => undefined), steps: 8 },
    clock: systemClock,
    stop: never,
    log: () => {},
  };
  await retrying(how, () => driver.write({ store: "s3", key: "made", settings: {} }, sourceOf("x"), never));
  await driver.close?.();
}

/** The encryption of an object, as reported by the server; undefined if it is not encrypted. */
async function encryptionOf(driver: Driver, key: string): Promise<string | undefined> {
  const { client, encryption } = driver as S3Driver;
  const answer = await client.send({ method: "HEAD", key, headers: await encryption.readHeaders(key), stop: never });
  if ("failed" in answer) throw client.failure(answer.failed, `reading the encryption of ${key}`);
  const { headers } = answer.ok;
  await answer.ok.discard();
  await driver.close?.();
  const ofCustomer = headers.get("x-amz-server-side-encryption-customer-algorithm");
  return ofCustomer ? `${ofCustomer} of the customer` : headers.get("x-amz-server-side-encryption") ?? undefined;
}

/** Creates a key and a certificate, signed by a new certificate authority. Returns the certificate of the authority. */
function makeCertificate(folder: string): string {
  Deno.mkdirSync(folder);
  const request = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-x509", "-days", "2"];
  const run = (...args: string[]) => {
    const { success, stderr } = new Deno.Command("openssl", { args: [...request, ...args], stderr: "piped" })
      .outputSync();
    if (!success) throw new Error(`openssl could not create a certificate: ${new TextDecoder().decode(stderr)}`);
  };
  const authority = `${folder}/authority`;
  Deno.mkdirSync(authority);
  run("-subj", "/CN=contract-ca", "-keyout", `${authority}/ca.key`, "-out", `${authority}/ca.crt`);
  run(
    ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE"],
    ...["-CA", `${authority}/ca.crt`, "-CAkey", `${authority}/ca.key`],
    ...["-keyout", `${folder}/private.key`, "-out", `${folder}/public.crt`],
  );
  return Deno.readTextFileSync(`${authority}/ca.crt`);
}
