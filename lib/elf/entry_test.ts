import { assertEquals } from "@std/assert";
import { type Entry, entryProgram } from "./entry.ts";
import { type RunnableProcessor, runnableProcessors } from "./testing/runnable_processors.ts";
import { needs } from "../testing/needs.ts";

const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;

const ENTRY: Entry = {
  leaveOldRoot: false,
  withoutCapabilities: [],
  identity: { kind: "own", as: { user: 0, group: 0, groups: [] } },
  workingDir: "/",
  candidates: ["/bin/sh"],
  args: ["sh", "-c", "pwd"],
  env: [],
  report: 2,
};

/** Runs an entry; what it reports comes as the standard error. */
type Enter = (entry: Partial<Entry>) => Promise<{ code: number; stdout: string; report: string }>;

function enterOn({ arch, command }: RunnableProcessor): Enter {
  return async (entry) => {
    const file = await Deno.makeTempFile();
    await Deno.writeFile(file, entryProgram({ ...ENTRY, ...entry }, arch));
    await Deno.chmod(file, 0o755);
    const [program, ...args] = [...command, file];
    const { code, stdout, stderr } = await new Deno.Command(program!, { args }).output();
    await Deno.remove(file);
    const text = new TextDecoder();
    return { code, stdout: text.decode(stdout), report: text.decode(stderr) };
  };
}

const processors = await runnableProcessors();

/** A test for each processor that this machine is, or can pretend to be; or that it is, where `pretend` is false. */
function test(name: string, isAllowed: boolean, fn: (enter: Enter) => Promise<void>, pretend = true): void {
  for (const processor of processors) {
    if (!pretend && processor.command.length > 0) continue;
    const needed = needs("root on Linux", isAllowed, `entryProgram() for ${processor.arch} ${name}`);
    Deno.test({ ...needed, fn: () => fn(enterOn(processor)) });
  }
}

test("starts the program in its folder, with its arguments and environment and nothing else", isRoot, async (enter) => {
  const script = 'pwd; printf "%s\\n" "$0" "$@"; cat /proc/$$/environ | tr "\\0" "\\n" | sort';
  const args = ["sh", "-c", script, "zero", "", "two  words", "$HOME"];
  const env = ["PATH=/usr/bin:/bin", "a.b-c=1 2'3", "EMPTY="];
  const { code, stdout, report } = await enter({ workingDir: "/usr/lib", args, env });
  assertEquals(stdout, "/usr/lib\nzero\n\ntwo  words\n$HOME\nEMPTY=\nPATH=/usr/bin:/bin\na.b-c=1 2'3\n");
  assertEquals([code, report], [0, "reached\n"]);
});

test("tries one place after the other", isRoot, async (enter) => {
  const { stdout } = await enter({ candidates: ["/nowhere/sh", "/etc/passwd", "/bin/sh", "/bin/false"] });
  assertEquals(stdout, "/\n");
});

test("reports when no place has the program", isRoot, async (enter) => {
  const { code, report } = await enter({ candidates: ["/nowhere/sh"] });
  assertEquals([code, report], [127, "reached\nmissing\n"]);
});

test("reports what it could not do, and starts nothing", isRoot, async (enter) => {
  const { code, stdout, report } = await enter({ workingDir: "/nowhere" });
  assertEquals([code, stdout, report], [127, "", "refused\n"]);
});

test("becomes the user, with all groups", isRoot, async (enter) => {
  const identity = { kind: "own", as: { user: 1234, group: 55, groups: [55, 77] } } as const;
  const args = ["sh", "-c", "id -u; id -g; id -G"];
  assertEquals((await enter({ identity, args, env: ["PATH=/usr/bin:/bin"] })).stdout, "1234\n55\n55 77\n");
});

test("takes capabilities away for good", isRoot, async (enter) => {
  const sysAdmin = 21;
  const args = ["sh", "-c", "grep CapEff /proc/self/status"];
  const env = ["PATH=/usr/bin:/bin"];
  const before = BigInt(`0x${(await enter({ args, env })).stdout.split("\t")[1]!.trim()}`);
  const after = BigInt(
    `0x${(await enter({ args, env, withoutCapabilities: [sysAdmin, 200] })).stdout.split("\t")[1]!.trim()}`,
  );
  assertEquals(after, before & ~(1n << BigInt(sysAdmin)));
});

// An emulator has several threads: no such process gets a user namespace.
test("shows its one identity as another in a user namespace", isRoot, async (enter) => {
  const identity = { kind: "shown", as: { user: 1234, group: 55, groups: [] } } as const;
  const args = ["sh", "-c", "id -u; id -g"];
  assertEquals((await enter({ identity, args, env: ["PATH=/usr/bin:/bin"] })).stdout, "1234\n55\n");
}, false);
