/**
 * The table of stores: all facts about each kind in one row. Schemas, lint, repositories, pods and the executor use it,
 * so a new store is a folder with its driver and a row here. Loads no driver, and runs in browsers.
 */
import {
  block,
  configMap,
  type Fields,
  flag,
  int32,
  int64,
  type KeySelector,
  list,
  required,
  secret,
  text,
  word,
} from "./fields.ts";
import { isObject } from "@tiphys/base/fields_of";

/** The uses of a kind of store. */
export interface StoreUses {
  /** Whether artifacts can be read from it. */
  readonly input: boolean;
  /** Whether artifacts can be written to it. */
  readonly output: boolean;
  /** Whether the store can be a repository: the default place of artifacts. */
  readonly repository: boolean;
  readonly logs: boolean;
  readonly remove: boolean;
  readonly list: boolean;
  /** Whether a file is read as a stream, without a copy on disk. */
  readonly stream: boolean;
}

/** The fields of a repository of a kind of store. */
export interface RepositoryRow {
  /** The field with the template of its keys. */
  readonly keyFormat: string;
  /** The field with an address that keys are appended to, if the key of an artifact is a part of its address. */
  readonly base?: string;
  /** Fields that an artifact of the store does not have. */
  readonly fields: Fields;
  /** Fields of an artifact that a repository does not have, in addition to its key. */
  readonly lacks?: readonly string[];
}

/** One kind of store. */
export interface StoreRow {
  /** Its fields in an artifact, as in the CRDs. */
  readonly fields: Fields;
  /** Whether the API server does not validate its content. */
  readonly isOpen?: boolean;
  /** The field that identifies artifacts; undefined if it has no such field. */
  readonly key?: string;
  /** The part of that field that is the key: all of it, or the path of its URL. */
  readonly keyIs?: "whole" | "path";
  /** The fields that a location must have to be complete. */
  readonly full: readonly string[];
  /**
   * The fields that identify the store, in addition to the key; all others are about access. All fields if undefined.
   */
  readonly at?: readonly string[];
  /** Secrets that must be set together. */
  readonly pairs?: readonly (readonly [string, string])[];
  readonly repository?: RepositoryRow;
  /** Whether a location without credentials is accessed with the cloud identity of the pod. */
  readonly usesIdentity?: true;
  readonly can: StoreUses;
  /** The condition under which a location is a folder: always, or if its key ends in a slash. */
  readonly isFolder?: "always" | "slash";
}

const basicAuth = { usernameSecret: secret, passwordSecret: secret };
const keyFormat: RepositoryRow = { keyFormat: "keyFormat", fields: { keyFormat: text } };
const all: StoreUses = {
  input: true,
  output: true,
  repository: true,
  logs: true,
  remove: true,
  list: true,
  stream: true,
};

/** All kinds of stores by their field in an artifact, in the order of the CRDs. */
export const STORES = {
  s3: {
    fields: {
      endpoint: text,
      bucket: text,
      region: text,
      insecure: flag,
      accessKeySecret: secret,
      secretKeySecret: secret,
      sessionTokenSecret: secret,
      roleARN: text,
      useSDKCreds: flag,
      createBucketIfNotPresent: block({ objectLocking: flag }),
      encryptionOptions: block({
        kmsKeyId: text,
        kmsEncryptionContext: text,
        enableEncryption: flag,
        serverSideCustomerKeySecret: secret,
      }, { isOpen: true }),
      caSecret: secret,
      addressingStyle: word("", "path", "virtual-hosted"),
      key: text,
    },
    key: "key",
    full: ["endpoint", "bucket", "key"],
    at: ["endpoint", "bucket"],
    usesIdentity: true,
    pairs: [["accessKeySecret", "secretKeySecret"]],
    repository: { keyFormat: "keyFormat", fields: { keyFormat: text, keyPrefix: text } },
    can: all,
    isFolder: "slash",
  },
  git: {
    fields: {
      repo: required(text),
      revision: text,
      depth: int64,
      fetch: list(text),
      ...basicAuth,
      sshPrivateKeySecret: secret,
      insecureIgnoreHostKey: flag,
      disableSubmodules: flag,
      singleBranch: flag,
      branch: text,
      insecureSkipTLS: flag,
    },
    full: ["repo"],
    can: { input: true, output: false, repository: false, logs: false, remove: false, list: false, stream: false },
    isFolder: "always",
  },
  http: {
    fields: {
      url: required(text),
      headers: list(block({ name: required(text), value: required(text) })),
      auth: block({
        clientCert: block({ clientCertSecret: secret, clientKeySecret: secret }),
        oauth2: block({
          clientIDSecret: secret,
          clientSecretSecret: secret,
          tokenURLSecret: secret,
          scopes: list(text),
          endpointParams: list(block({ key: required(text), value: text })),
        }),
        basicAuth: block(basicAuth),
      }, { isOpen: true }),
      saveStreamViaFile: flag,
    },
    key: "url",
    keyIs: "path",
    full: ["url"],
    at: ["url"],
    can: { input: true, output: true, repository: false, logs: false, remove: false, list: false, stream: true },
  },
  artifactory: {
    fields: { url: required(text), ...basicAuth },
    key: "url",
    keyIs: "path",
    full: ["url", "usernameSecret"],
    at: ["url"],
    pairs: [["usernameSecret", "passwordSecret"]],
    repository: { keyFormat: "keyFormat", base: "repoURL", fields: { repoURL: text, keyFormat: text } },
    can: all,
  },
  hdfs: {
    fields: {
      addresses: list(text),
      hdfsUser: text,
      dataTransferProtection: text,
      krbCCacheSecret: secret,
      krbKeytabSecret: secret,
      krbUsername: text,
      krbRealm: text,
      krbConfigConfigMap: configMap,
      krbServicePrincipalName: text,
      path: required(text),
      force: flag,
    },
    isOpen: true,
    key: "path",
    full: ["addresses"],
    at: ["addresses"],
    repository: { keyFormat: "pathFormat", fields: { pathFormat: text } },
    can: all,
  },
  raw: {
    fields: { data: required(text) },
    full: [],
    can: { input: true, output: false, repository: false, logs: false, remove: false, list: false, stream: true },
  },
  oss: {
    fields: {
      endpoint: text,
      bucket: text,
      accessKeySecret: secret,
      secretKeySecret: secret,
      createBucketIfNotPresent: flag,
      securityToken: text,
      lifecycleRule: block({ markInfrequentAccessAfterDays: int32, markDeletionAfterDays: int32 }),
      useSDKCreds: flag,
      key: required(text),
    },
    key: "key",
    full: ["endpoint", "bucket", "key"],
    at: ["endpoint", "bucket"],
    pairs: [["accessKeySecret", "secretKeySecret"]],
    repository: keyFormat,
    can: all,
    isFolder: "slash",
  },
  gcs: {
    fields: { bucket: text, serviceAccountKeySecret: secret, key: required(text) },
    key: "key",
    full: ["bucket", "key"],
    at: ["bucket"],
    usesIdentity: true,
    repository: keyFormat,
    can: all,
    isFolder: "slash",
  },
  azure: {
    fields: {
      endpoint: required(text),
      container: required(text),
      accountKeySecret: secret,
      useSDKCreds: flag,
      blob: required(text),
    },
    key: "blob",
    full: ["endpoint", "container", "blob"],
    at: ["endpoint", "container"],
    repository: { keyFormat: "blobNameFormat", fields: { blobNameFormat: text } },
    can: all,
    isFolder: "slash",
  },
  plugin: {
    fields: { name: text, configuration: text, connectionTimeoutSeconds: int32, key: required(text) },
    key: "key",
    full: ["name", "configuration", "key"],
    at: ["name", "configuration"],
    repository: { ...keyFormat, lacks: ["connectionTimeoutSeconds"] },
    can: all,
  },
} as const satisfies Readonly<Record<string, StoreRow>>;

/** The name of a kind of store. */
export type StoreName = keyof typeof STORES;

/** The names of the stores, in the order of the CRDs. */
export const STORE_NAMES = Object.keys(STORES) as StoreName[];

/** An artifact or a location, as written. */
type Location = object;

/** A table like {@link STORES}. */
export type StoreTable = Readonly<Record<string, StoreRow>>;

/** Returns the kind of store of an artifact or location; undefined when it has no store. */
export function storeOf(location: Location | undefined): StoreName | undefined {
  return location && STORE_NAMES.find((name) => isObject((location as Record<string, unknown>)[name]));
}

/** Whether an artifact or location has a store. */
export function hasStore(location: Location | undefined): boolean {
  return storeOf(location) !== undefined;
}

/** Returns every selector of a Secret in a location, in the order of the table. */
export function secretSelectors(location: Location | undefined, table: StoreTable = STORES): KeySelector[] {
  return Object.entries(table).flatMap(([name, { fields }]) =>
    selectorsIn(fields, (location as Record<string, unknown> | undefined)?.[name])
  );
}

function isSelector(value: object): value is KeySelector {
  return "key" in value && typeof value.key === "string";
}

function selectorsIn(fields: Fields, value: unknown): KeySelector[] {
  if (!isObject(value)) return [];
  return Object.entries(fields).flatMap(([name, field]) => {
    const inner = value[name];
    if (!isObject(inner)) return [];
    if (field.kind === "secret") return isSelector(inner) ? [inner] : [];
    return field.fields ? selectorsIn(field.fields, inner) : [];
  });
}
