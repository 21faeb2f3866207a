/** Settings of an embedded cluster, saved in its data folder so that other commands use the same databases. */
import type { ParseResult } from "@tiphys/model/api";
import { CommandError } from "../command_error.ts";

/**
 * Writes settings to a file atomically; without settings, removes the file. Settings contain no passwords: these are in
 * Secrets.
 */
export async function storeSettings(path: string, settings: object | undefined): Promise<void> {
  if (settings === undefined) return void await Deno.remove(path).catch(ignoreAbsent);
  const part = `${path}.part`;
  // A file of an interrupted write may have another mode.
  await Deno.remove(part).catch(ignoreAbsent);
  await Deno.writeTextFile(part, JSON.stringify(settings), { mode: 0o600, createNew: true });
  await Deno.rename(part, path);
}

/**
 * Reads the settings of a file; undefined if it does not exist.
 * @throws {CommandError} for an invalid file.
 */
export async function readStoredSettings<Settings>(
  path: string,
  parse: (value: unknown) => ParseResult<Settings>,
): Promise<Settings | undefined> {
  const text = await Deno.readTextFile(path).catch(ignoreAbsent);
  if (text === undefined) return undefined;
  const parsed = parse(jsonOf(text));
  if (parsed.ok) return parsed.value;
  throw new CommandError(`${path} is invalid: start the cluster again with its --settings`);
}

/** Parses a JSON text; undefined if it is invalid. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function ignoreAbsent(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
  return undefined;
}
