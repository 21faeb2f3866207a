const MAIN = new URL("main.ts", import.meta.url).pathname;

/** Distributes the runs over processes, each with its own cases, and exits with the sum of their counts. */
export async function distributeRuns(workers: number, runArgs: readonly string[]): Promise<never> {
  const counts = await Promise.all(Array.from({ length: workers }, async (_, worker) => {
    const args = ["run", "-A", "--no-check", MAIN, ...runArgs, "--worker", `${worker}/${workers}`];
    const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
    let sum: number[] | undefined;
    for await (const line of linesOf(child.stdout)) {
      const found = /^(\d+) passed, (\d+) failed, (\d+) skipped/.exec(line);
      if (found) sum = found.slice(1).map(Number);
      else console.log(line);
    }
    // A process that ended without counts has failed.
    return sum ?? [0, 1, 0];
  }));
  const [passed, failed, skipped] = [0, 1, 2].map((index) => counts.reduce((sum, count) => sum + count[index]!, 0));
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  Deno.exit(failed ? 1 : 0);
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}
