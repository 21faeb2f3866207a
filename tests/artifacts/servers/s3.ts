/** Servers with the S3 protocol: how to start each, and the cases that it cannot fulfill. */
import type { S3 } from "@aws-sdk/client-s3";
import { type Driver, type DriverEnvironment, StoreError } from "@tiphys/model/artifact";
import { makeDriver } from "../../../lib/stores/s3/mod.ts";
import type { TestedStore } from "../../../lib/artifacts/testing/contract/mod.ts";
import { openNet } from "@tiphys/base/net";
import { goProgram, pythonProgram } from "./programs.ts";
import { LOOPBACK, serve, type ServerHost, type ServerProcess } from "./process.ts";
import type { RunningServer, ServerKind } from "./server.ts";

const ACCESS = "contract-access";
const SECRET = "contract-secret-value";
const BUCKET = "contract";
const PART_BYTES = 5 * 1024 * 1024;

const SECRETS: Readonly<Record<string, string>> = {
  access: ` ${ACCESS}\n`,
  secret: `${SECRET}\n`,
  wrong: "wrong-secret-value",
};

/** The credentials of the only user of the S3 servers. */
export function contractKeys(): { readonly access: string; readonly secret: string } {
  return { access: ACCESS, secret: SECRET };
}

/** The values of the secret `s`, by key. */
export function contractSecrets(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(SECRETS).map(([key, value]) => [key, value.trim()]));
}

/** The surroundings of a driver, as in a pod, with one secret. */
export function driverEnvironment(change: Partial<DriverEnvironment> = {}): DriverEnvironment & { close(): void } {
  const net = openNet();
  return {
    secret: (_, key) =>
      SECRETS[key] !== undefined
        ? Promise.resolve(SECRETS[key])
        : Promise.reject(new StoreError(`the secret s has no key ${key}`, "final")),
    secretBytes: () => Promise.reject(new StoreError("binary secrets are not available", "final")),
    configMap: () => Promise.reject(new StoreError("the ConfigMap does not exist", "final")),
    env: (name) => name === "AWS_EC2_METADATA_DISABLED" ? "true" : undefined,
    mayUseIdentity: true,
    net,
    now: Date.now,
    limits: { parts: 4, partBytes: PART_BYTES, objects: 8 },
    close: () => net.close(),
    ...change,
  };
}

/** The settings of a location on a server at a port of 127.0.0.1. */
export function settingsAt(
  port: number,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const secret = (key: string) => ({ name: "s", key });
  return {
    endpoint: `127.0.0.1:${port}`,
    bucket: BUCKET,
    insecure: true,
    accessKeySecret: secret("access"),
    secretKeySecret: secret("secret"),
    ...more,
  };
}

/** A driver with settings. Its `close` also closes its connections. */
export async function driverAt(
  settings: Readonly<Record<string, unknown>>,
  change: Partial<DriverEnvironment> = {},
): Promise<Driver> {
  const around = driverEnvironment(change);
  const driver = await makeDriver({ store: "s3", key: "", settings }, around) as Driver;
  return Object.assign(driver, { close: () => around.close() });
}

async function externalDriver(settings: Readonly<Record<string, unknown>>) {
  return { driver: await driverAt(settings), place: { store: "s3", key: "some/key", settings } };
}

async function testedStore(
  name: string,
  port: number,
  cannot: Readonly<Record<string, string>>,
  checks = true,
): Promise<TestedStore> {
  const created = { createBucketIfNotPresent: {} };
  const maker = await driverAt(settingsAt(port, created));
  const place = { store: "s3", key: "made", settings: {} };
  await maker.write(
    place,
    { size: 1, open: () => ReadableStream.from([new Uint8Array(1)]) },
    new AbortController().signal,
  );
  await maker.close?.();
  return {
    name,
    port,
    partBytes: PART_BYTES,
    driver: (through = port) => driverAt(settingsAt(through)),
    remembering: (begun) =>
      driverAt(settingsAt(port), { begun, limits: { parts: 1, partBytes: PART_BYTES, objects: 1 } }),
    place: (key, through = port) => ({ store: "s3", key, settings: settingsAt(through) }),
    noBucket: () => externalDriver(settingsAt(port, { bucket: "there-is-none" })),
    ...(checks
      ? {
        wrongSecret: () => externalDriver(settingsAt(port, { secretKeySecret: { name: "s", key: "wrong" } })),
        unreadable: () => externalDriver(settingsAt(port, { accessKeySecret: { name: "s", key: "wrong" } })),
      }
      : {}),
    sums: { up: checks, down: checks },
    reference: referenceAt(port),
    unfinished: () => unfinishedAt(port),
    cannot,
  };
}

/** Runs a function with the AWS client, an independent implementation of the protocol. Only tests use it. */
async function withReference<T>(port: number, use: (client: S3) => Promise<T>): Promise<T> {
  const { S3 } = await import("@aws-sdk/client-s3");
  const credentials = { accessKeyId: ACCESS, secretAccessKey: SECRET };
  const s3 = new S3({ endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", forcePathStyle: true, credentials });
  try {
    return await use(s3);
  } finally {
    s3.destroy();
  }
}

function referenceAt(port: number): NonNullable<TestedStore["reference"]> {
  return {
    put: (key, content) =>
      withReference(port, async (s3) => void await s3.putObject({ Bucket: BUCKET, Key: key, Body: content })),
    get: (key) =>
      withReference(port, async (s3) => {
        const { Body } = await s3.getObject({ Bucket: BUCKET, Key: key });
        return new Uint8Array(await Body!.transformToByteArray());
      }),
  };
}

function unfinishedAt(port: number): Promise<string[]> {
  return withReference(port, async (s3) => {
    const { Uploads = [] } = await s3.listMultipartUploads({ Bucket: BUCKET });
    return Uploads.map(({ Key }) => Key ?? "");
  });
}

/** A location without secrets: credentials come from the environment or from an STS or metadata endpoint. */
async function withoutSecrets(
  name: string,
  port: number,
  env: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>>,
) {
  const base = await testedStore(name, port, {}, false);
  const { accessKeySecret: _a, secretKeySecret: _s, ...rest } = settingsAt(port);
  const driver = () => driverAt({ ...rest, ...settings }, { env: (variable) => env[variable] });
  return { ...base, driver, only: ["AR-01", "AR-07", "AR-19"] };
}

/** Starts versitygw without a bucket. */
export async function serveVersitygw(host: ServerHost = LOOPBACK): Promise<ServerProcess> {
  const program = await goProgram("versitygw", "github.com/versity/versitygw/cmd/versitygw@v1.8.0");
  const command = (port: number, folder: string) => {
    for (const name of ["meta", "root", "versions"]) Deno.mkdirSync(`${folder}/${name}`);
    const folders = ["--sidecar", `${folder}/meta`, "--versioning-dir", `${folder}/versions`, `${folder}/root`];
    return [program, "--port", `${host.address}:${port}`, "--access", ACCESS, "--secret", SECRET, "posix", ...folders];
  };
  return await serve(command, {}, host);
}

/** versitygw stores each object as a file in a folder, which makes it the strictest about keys. */
export const versitygw: ServerKind = {
  name: "versitygw",
  async start(): Promise<RunningServer> {
    const serving = await serveVersitygw();
    return {
      subjects: [await testedStore("versitygw", serving.port, {}), await versioned(serving.port)],
      [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
    };
  },
};

/** A bucket with versioning: removing an object adds a delete marker, and overwriting it preserves the old version. */
async function versioned(port: number): Promise<TestedStore> {
  const base = await testedStore("versitygw, with versions", port, {});
  const bucket = `${BUCKET}-versions`;
  await withReference(port, async (s3) => {
    await s3.createBucket({ Bucket: bucket });
    const VersioningConfiguration = { Status: "Enabled" } as const;
    await s3.putBucketVersioning({ Bucket: bucket, VersioningConfiguration });
  });
  const settings = settingsAt(port, { bucket });
  return {
    ...base,
    driver: () => driverAt(settings),
    place: (key) => ({ store: "s3", key, settings }),
    versions: (key) =>
      withReference(port, async (s3) => {
        const { Versions = [], DeleteMarkers = [] } = await s3.listObjectVersions({ Bucket: bucket, Prefix: key });
        return { contents: Versions.length, markers: DeleteMarkers.length };
      }),
    // Excludes cases that write to a removed key: versitygw does not list such objects.
    only: ["AR-01", "AR-06", "AR-07", "AR-14", "AR-76"],
  };
}

/** moto accepts any key and any credentials. */
export const moto: ServerKind = {
  name: "moto",
  async start(): Promise<RunningServer> {
    const program = await pythonProgram("moto_server", "moto[server]==5.2.5");
    const serving = await serve((port) => [program, "-H", "127.0.0.1", "-p", `${port}`], {
      MOTO_S3_DEFAULT_MAX_KEYS: "1000",
    });
    const token = `${serving.folder}/token`;
    await Deno.writeTextFile(token, "a token of a service account");
    const base = `http://127.0.0.1:${serving.port}`;
    const role = "arn:aws:iam::123456789012:role/contract";
    const variables = { AWS_ENDPOINT_URL_STS: base };
    const keys = { AWS_ACCESS_KEY_ID: ACCESS, AWS_SECRET_ACCESS_KEY: SECRET };
    const identity = { ...variables, AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: token };
    return {
      subjects: [
        await testedStore("moto", serving.port, {}, false),
        await withoutSecrets("moto, by the environment", serving.port, keys, { useSDKCreds: true }),
        await withoutSecrets("moto, by a role", serving.port, { ...keys, ...variables }, { roleARN: role }),
        await withoutSecrets("moto, by a web identity", serving.port, identity, {}),
        await withoutSecrets("moto, by its machine", serving.port, { AWS_EC2_METADATA_SERVICE_ENDPOINT: base }, {}),
      ],
      [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
    };
  },
};
