/** Settings that an embedded cluster was started with, kept in its data folder so that other commands find the same databases. */
import type { Parsed } from "@tiphys/model/api";
import { CommandError } from "../command_error.ts";

/**
 * Writes settings to a file, atomically; without settings, removes the file. Passwords are in Secrets and not in settings.
 */
export async function keepSettings(path: string, settings: object | undefined): Promise<void> {
  if (settings === undefined) return void await Deno.remove(path).catch(ignoreAbsent);
  const part = `${path}.part`;
  // One that was left behind may have another mode.
  await Deno.remove(part).catch(ignoreAbsent);
  await Deno.writeTextFile(part, JSON.stringify(settings), { mode: 0o600, createNew: true });
  await Deno.rename(part, path);
}

/**
 * Reads the settings of a file; undefined where there is no file.
 * @throws {CommandError} for a file that somebody else wrote, or that is damaged.
 */
export async function keptSettings<Settings>(
  path: string,
  parse: (value: unknown) => Parsed<Settings>,
): Promise<Settings | undefined> {
  const text = await Deno.readTextFile(path).catch(ignoreAbsent);
  if (text === undefined) return undefined;
  const parsed = parse(jsonOf(text));
  if (parsed.ok) return parsed.value;
  throw new CommandError(`${path} cannot be read: start the cluster with its --settings once more`);
}

/** The value of a JSON text; undefined for a text that is not JSON. */
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
