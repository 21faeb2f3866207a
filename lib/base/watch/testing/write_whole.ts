/** Writes a file atomically: a reader sees either nothing or all of it. */
export async function writeWhole(file: string, text: string, mode = 0o644): Promise<void> {
  const temporary = `${file}.tmp`;
  await Deno.writeTextFile(temporary, text, { mode });
  await Deno.rename(temporary, file);
}
