/** Checks artifacts of a template: their paths and stores. */
import type { Artifact, ArtifactLocation } from "@tiphys/model/api";
import { pathProblem } from "@tiphys/model/artifact/artifact_path";
import { type StoreRow, STORES } from "@tiphys/model/artifact/stores";
import type { FieldLocation, Report } from "./report.ts";
import { isObject } from "@tiphys/base/fields_of";

/** Checks the path of an artifact: required in a container, not allowed elsewhere, and without directory traversal. */
export function checkArtifactPath(report: Report, artifact: Artifact, isLeaf: boolean, fieldPath: FieldLocation): void {
  const { name, path } = artifact;
  if (!isLeaf) {
    if (path) report.add(fieldPath.pathTo("path"), `${fieldPath.name}.path only valid in container/script templates`);
  } else if (!path) {
    report.add(fieldPath.pathTo(), `error in ${fieldPath.name}: Artifact '${name}' did not specify a path`);
  } else {
    const problem = pathProblem(artifact);
    if (problem !== undefined) report.add(fieldPath.pathTo("path"), `error in ${fieldPath.name}: ${problem}`);
  }
}

/** Argo's error messages for outputs in read-only stores, if they differ from the default. */
const READ_ONLY_MESSAGES: Readonly<Record<string, string>> = {
  git: "git output artifacts unsupported",
  raw: "Raw output artifacts unsupported",
};

/** Checks that the store of an output is writable. */
export function checkOutputStore(report: Report, location: ArtifactLocation, fieldPath: FieldLocation): void {
  for (const [store] of storesIn(location)) {
    const row: StoreRow = STORES[store];
    if (row.can.output) continue;
    report.add(
      fieldPath.pathTo(store),
      `${fieldPath.name}: ${READ_ONLY_MESSAGES[store] ?? `${store} output artifacts unsupported`}`,
    );
  }
}

/** Checks required fields of a store, and fields that exclude each other. */
export function checkArtifactStore(report: Report, location: ArtifactLocation, fieldPath: FieldLocation): void {
  const stores = storesIn(location);
  const [, second] = stores;
  if (second !== undefined) {
    const names = stores.map(([store]) => store).join(", ");
    report.add(
      fieldPath.pathTo(second[0]),
      `${fieldPath.name}: at most one artifact location can be specified, got ${names}`,
    );
  }
  for (const [store, fields] of stores) {
    const row: StoreRow = STORES[store];
    for (const pair of row.pairs ?? []) {
      const [given, ...others] = pair.filter((field) => isObject(fields[field]));
      if (given === undefined || others.length > 0) continue;
      const lacking = pair.find((field) => field !== given);
      report.add(fieldPath.pathTo(store, given), `${fieldPath.name}.${store} has ${given} without ${lacking}`);
    }
  }
  checkGit(report, location, fieldPath);
  checkEncryption(report, location, fieldPath);
  // Clients in Go write all fields, including empty ones.
  const { clientCert, oauth2 } = location.http?.auth ?? {};
  const hasCertificate = clientCert?.clientCertSecret !== undefined || clientCert?.clientKeySecret !== undefined;
  if (hasCertificate && (oauth2?.clientIDSecret !== undefined || oauth2?.tokenURLSecret !== undefined)) {
    report.add(fieldPath.pathTo("http", "auth"), `${fieldPath.name}.http.auth may have clientCert or oauth2, not both`);
  }
}

function checkGit(report: Report, { git }: ArtifactLocation, fieldPath: FieldLocation): void {
  if (!git) return;
  if (!git.repo) report.add(fieldPath.pathTo("git", "repo"), `${fieldPath.name}.git.repo is required`);
  if (git.singleBranch && !git.branch) {
    report.add(
      fieldPath.pathTo("git", "singleBranch"),
      `${fieldPath.name}.git: single branch mode without a branch specified`,
    );
  }
}

function checkEncryption(report: Report, { s3 }: ArtifactLocation, fieldPath: FieldLocation): void {
  const options = s3?.encryptionOptions;
  if (!options?.enableEncryption || !options.serverSideCustomerKeySecret) return;
  const path = fieldPath.pathTo("s3", "encryptionOptions", "serverSideCustomerKeySecret");
  const name = `${fieldPath.name}.s3.encryptionOptions`;
  if (options.kmsKeyId) {
    report.add(path, `${name}: serverSideCustomerKeySecret and kmsKeyId cannot be set together`);
  }
  if (s3?.insecure) report.add(path, `${name}: secure must be set if EncryptOpts.SSECPassword is set`);
}

/** Returns the stores of a location with their fields. */
function storesIn(location: ArtifactLocation): [keyof typeof STORES, Readonly<Record<string, unknown>>][] {
  return (Object.keys(STORES) as (keyof typeof STORES)[]).flatMap((store) => {
    const fields: unknown = location[store];
    return isObject(fields) ? [[store, fields]] : [];
  });
}
