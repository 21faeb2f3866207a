/**
 * A canary: a secret in every field of an artifact location that may contain one. Tests search for it where it must not
 * appear.
 */

/** The secret. No kind of quoting or escaping changes its characters. */
export const CANARY = "canary4f1b0c7e5d";

const selector = { name: "store", key: "key" };

/** A location in each kind of store. Every credential that users write directly into the location is the canary. */
export const LOCATIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  s3: {
    s3: {
      endpoint: `user:${CANARY}@s3.invalid`,
      bucket: "b",
      key: "k",
      accessKeySecret: selector,
      secretKeySecret: selector,
    },
  },
  gcs: { gcs: { bucket: "b", key: "k", serviceAccountKeySecret: selector } },
  oss: { oss: { endpoint: `https://user:${CANARY}@oss.invalid`, bucket: "b", key: "k", securityToken: CANARY } },
  azure: {
    azure: { endpoint: `https://azure.invalid/?sig=${CANARY}`, container: "c", blob: "b", accountKeySecret: selector },
  },
  http: {
    http: {
      url: `https://user:${CANARY}@http.invalid/a`,
      headers: [{ name: "Authorization", value: `Bearer ${CANARY}` }],
    },
  },
  artifactory: {
    artifactory: { url: `https://user:${CANARY}@art.invalid/a`, usernameSecret: selector, passwordSecret: selector },
  },
  git: { git: { repo: `https://user:${CANARY}@git.invalid/a`, usernameSecret: selector, passwordSecret: selector } },
  hdfs: { hdfs: { addresses: ["hdfs.invalid:8020"], path: "/a", hdfsUser: CANARY } },
  plugin: { plugin: { name: "p", key: "k", configuration: `password: ${CANARY}` } },
};
