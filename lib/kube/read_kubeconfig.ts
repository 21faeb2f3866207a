/** Reading of kubeconfig files: bounded, and without quoting the content, which holds credentials. */
import { type Fields, fieldsOf } from "@tiphys/base/fields_of";
import { parseYaml } from "@tiphys/model/yaml/parse";
import { readSmallFile } from "./read_small_file.ts";

/** Maximum size of a kubeconfig in bytes: thousands of clusters with their certificates. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file; one without content has no fields.
 * @throws {Error} for a file that cannot be read or is not valid YAML, with the path, the place and the reason.
 */
export async function readKubeconfig(path: string): Promise<Readonly<Fields>> {
  const failed = (reason: string, cause?: unknown) =>
    new Error(`Could not read the kubeconfig ${path}: ${reason}`, { cause });
  const text = await readSmallFile(path, MAX_BYTES).catch((error: Error & { readonly code?: string }) => {
    if (error.code === "ENOENT") throw failed("there is no such file", error);
    throw failed(error.code === "EISDIR" ? "it is a folder" : error.message, error);
  });
  const [document] = parseYaml(text, { allowsRepeatedKeys: true });
  const [error] = document?.errors ?? [];
  if (error === undefined) return fieldsOf(document?.value);
  // Messages about limits do not quote the file; others may.
  const isLimit = document?.syntax.errors[0]?.code === "RESOURCE_EXHAUSTION";
  throw failed(`line ${error.line}, column ${error.column}: ${isLimit ? error.message : "not valid YAML"}`);
}
