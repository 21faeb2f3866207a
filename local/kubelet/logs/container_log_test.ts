import { assertEquals } from "@std/assert";
import { ContainerLog } from "./container_log.ts";
import { logStream } from "./log_reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function withLog(use: (log: ContainerLog) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const log = new ContainerLog(`${folder}/0.log`);
  try {
    await use(log);
  } finally {
    log.end();
    await Deno.remove(folder, { recursive: true });
  }
}

const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

Deno.test("container log: returns complete lines of both streams, regardless of chunks", () =>
  withLog(async (log) => {
    log.write("stdout", bytes("one\ntw"));
    log.write("stderr", bytes("error\n"));
    log.write("stdout", bytes("o\n"));
    log.end();
    assertEquals(await text(logStream(log.path, {}, undefined)), "one\nerror\ntwo\n");
  }));

Deno.test("container log: keeps a last line without line feed unchanged", () =>
  withLog(async (log) => {
    log.write("stdout", bytes("one\nno newline"));
    log.end();
    assertEquals(await text(logStream(log.path, {}, undefined)), "one\nno newline");
  }));

Deno.test("container log: returns a line that is stored in several parts", () =>
  withLog(async (log) => {
    const long = "x".repeat(100_000);
    log.write("stdout", bytes(`${long}\n`));
    log.end();
    assertEquals((await text(logStream(log.path, {}, undefined))).trimEnd().length, long.length);
  }));

Deno.test("logStream: follows a log until its container has ended", () =>
  withLog(async (log) => {
    log.write("stdout", bytes("before\n"));
    const reader = logStream(log.path, { follow: true }, log).pipeThrough(new TextDecoderStream()).getReader();
    assertEquals((await reader.read()).value, "before\n");
    const next = reader.read();
    log.write("stdout", bytes("after\n"));
    assertEquals((await next).value, "after\n");
    log.end();
    assertEquals((await reader.read()).done, true);
  }));

Deno.test("logStream: stops waiting when its reader cancels", () =>
  withLog(async (log) => {
    const stream = logStream(log.path, { follow: true }, log);
    const reader = stream.getReader();
    const waiting = reader.read();
    await reader.cancel();
    assertEquals((await waiting).done, true);
  }));

Deno.test("logStream: returns only the last lines, with times if requested", () =>
  withLog(async (log) => {
    log.write("stdout", bytes("a\nb\nc\n"));
    log.end();
    assertEquals(await text(logStream(log.path, { tailLines: 2 }, undefined)), "b\nc\n");
    assertEquals(await text(logStream(log.path, { tailLines: 0 }, undefined)), "");
    assertEquals(await text(logStream(log.path, { limitBytes: 3 }, undefined)), "a\nb");
    const [line] = (await text(logStream(log.path, { timestamps: true }, undefined))).split("\n");
    assertEquals(/^\d{4}-\d\d-\d\dT[\d:.]+Z a$/.test(line!), true);
  }));

Deno.test("logStream: finds the last lines even if they span many blocks", () =>
  withLog(async (log) => {
    for (let line = 0; line < 20_000; line++) log.write("stdout", bytes(`line ${line} of many\n`));
    const last = async (tailLines: number) =>
      (await text(logStream(log.path, { tailLines }, undefined))).split("\n").slice(0, -1);
    assertEquals(await last(2), ["line 19998 of many", "line 19999 of many"]);
    assertEquals((await last(15_000))[0], "line 5000 of many");
    assertEquals((await last(30_000)).length, 20_000);
    assertEquals(await last(0), []);
  }));

Deno.test("logStream: returns bytes that are not text", () =>
  withLog(async (log) => {
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    log.write("stdout", every);
    log.end();
    const given = await new Response(logStream(log.path, {}, undefined)).bytes();
    assertEquals([...given], [...every]);
  }));

Deno.test("logStream: omits lines written before a time", () =>
  withLog(async (log) => {
    log.write("stdout", bytes("a\n"));
    log.end();
    const later = new Date(Date.now() + 60_000).toISOString();
    assertEquals(await text(logStream(log.path, { sinceTime: later }, undefined)), "");
    assertEquals(await text(logStream(log.path, { sinceSeconds: 60 }, undefined)), "a\n");
  }));

Deno.test("logStream: accepts any age, and compares times across years", () =>
  withLog(async (log) => {
    log.write("stdout", bytes("a\n"));
    log.end();
    for (
      const [selection, expected] of [
        [{ sinceSeconds: 1e15 }, "a\n"],
        [{ sinceTime: "0001-01-01T00:00:00Z" }, "a\n"],
        [{ sinceTime: "2999-01-01T00:00:00+01:00" }, ""],
        [{ sinceTime: "+275760-09-13T00:00:00Z" }, ""],
      ] as const
    ) assertEquals(await text(logStream(log.path, selection, undefined)), expected);
  }));

Deno.test("container log: writes many short lines of a chunk, and the beginning of a long one", () =>
  withLog(async (log) => {
    const written = `${"\n".repeat(10_000)}x\n${"y".repeat(40_000)}`;
    log.write("stdout", bytes(written));
    log.write("stdout", bytes("z\n"));
    log.end();
    assertEquals(await text(logStream(log.path, {}, undefined)), `${written}z\n`);
    const lines = (await Deno.readTextFile(log.path)).trimEnd().split("\n");
    assertEquals(lines.map((line) => line.split(" ")[2]).slice(9_999), ["F", "F", "P", "P", "F"]);
  }));

Deno.test("logStream: other work of the thread gets turns while a long log is read", () =>
  withLog(async (log) => {
    log.write("stdout", bytes("\n".repeat(10_000)));
    log.end();
    const { now } = performance;
    let millis = 0;
    let turns = 0;
    const timer = setInterval(() => turns++);
    try {
      performance.now = () => millis += 30;
      assertEquals(await text(logStream(log.path, { sinceTime: "2999-01-01T00:00:00Z" }, undefined)), "");
    } finally {
      performance.now = now;
      clearInterval(timer);
    }
    assertEquals(turns > 0, true);
  }));

Deno.test("logStream: is empty for a container that never ran", async () => {
  assertEquals(await text(logStream("/nonexistent/0.log", {}, undefined)), "");
});

Deno.test("container log: on a full disk, drops whole lines, reports it once, and continues", async () => {
  const folder = await Deno.makeTempDir();
  const script = new URL("../testing/log_beyond_limit.ts", import.meta.url).pathname;
  // The limit is 4096 bytes.
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `trap '' XFSZ; ulimit -f 8; exec "$@"`, "sh", Deno.execPath(), "run", "-A", script, `${folder}/0.log`],
  }).output();
  assertEquals(new TextDecoder().decode(stdout), "lost\n");
  assertEquals(await text(logStream(`${folder}/0.log`, {}, undefined)), `${"1".repeat(3000)}\nlast\n`);
  await Deno.remove(folder, { recursive: true });
});

/** A log whose files are full after a few lines. */
async function withSmallFiles(use: (log: ContainerLog) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const log = new ContainerLog(`${folder}/0.log`, undefined, { fileBytes: 200 });
  try {
    await use(log);
  } finally {
    log.end();
    await Deno.remove(folder, { recursive: true });
  }
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${String(from + index).padStart(4, "0")}\n`).join("");

Deno.test("container log: keeps the newest files, within the size limit", () =>
  withSmallFiles(async (log) => {
    for (let line = 1; line <= 100; line++) log.write("stdout", bytes(numbered(line, line)));
    const folder = log.path.slice(0, log.path.lastIndexOf("/"));
    const files = Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
    assertEquals(files, ["0.log", "0.log.1", "0.log.2", "0.log.3", "0.log.4"]);
    for (const file of files) assertEquals(Deno.statSync(`${folder}/${file}`).size <= 200, true, file);
    const kept = await text(logStream(log.path, {}, undefined));
    assertEquals(numbered(1, 100).endsWith(kept), true);
    assertEquals(kept.split("\n").length - 1, 20);
    for (const tailLines of [0, 1, 3, 4, 5, 19, 20]) {
      const tail = await text(logStream(log.path, { tailLines }, undefined));
      assertEquals(tail, tailLines === 0 ? "" : numbered(101 - tailLines, 100), `the last ${tailLines}`);
    }
  }));

Deno.test("logStream: follows a log across files without missing existing entries", () =>
  withSmallFiles(async (log) => {
    const reader = logStream(log.path, { follow: true }, log).pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    for (let line = 1; line <= 100; line++) {
      log.write("stdout", bytes(numbered(line, line)));
      while (!seen.endsWith(numbered(line, line))) seen += (await reader.read()).value ?? "";
    }
    log.end();
    assertEquals((await reader.read()).done, true);
    assertEquals(seen, numbered(1, 100));
  }));

Deno.test("logStream: continues with the oldest existing file if it was slower than the log", () =>
  withSmallFiles(async (log) => {
    log.write("stdout", bytes(numbered(1, 1)));
    const reader = logStream(log.path, { follow: true }, log).pipeThrough(new TextDecoderStream()).getReader();
    let seen = (await reader.read()).value!;
    for (let line = 2; line <= 100; line++) log.write("stdout", bytes(numbered(line, line)));
    log.end();
    for (let next = await reader.read(); !next.done; next = await reader.read()) seen += next.value;
    assertEquals(seen.startsWith(numbered(1, 1)) && seen.endsWith(numbered(81, 100)), true);
  }));

Deno.test("container log: leaves some disk space free, and reports once that lines are dropped", async () => {
  const folder = await Deno.makeTempDir();
  const losses: unknown[] = [];
  const log = new ContainerLog(`${folder}/0.log`, (error) => losses.push(error), {
    leftBytes: Number.MAX_SAFE_INTEGER,
  });
  log.write("stdout", bytes("one\n"));
  log.write("stdout", bytes("two\n"));
  log.end();
  assertEquals(losses.length, 1);
  assertEquals(await text(logStream(log.path, {}, undefined)), "");
  await Deno.remove(folder, { recursive: true });
});
