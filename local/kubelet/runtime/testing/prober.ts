/** A program that makes system calls which no tool makes, and reports their results. */
import { KernelProgram, readReports } from "@tiphys/portable/elf";
import { giveToRoot } from "../../volumes/belonging.ts";
import { startProgram } from "../start_program.ts";
import type { ContainerSpec } from "../runtime.ts";
import type { CallProcessor } from "../system_calls.ts";
import type { Bench } from "./promises.ts";

const STDOUT = 1;
const AT_FDCWD = -100;

/** A system call by its numbers on x86-64 and 64-bit ARM, with its arguments. */
export interface Probe {
  readonly name: string;
  readonly numbers: readonly [number, number];
  readonly args: readonly (number | string)[];
}

/** Adds calls to a program, which reports each result with the index of the call. */
function probing(probes: readonly Probe[]): KernelProgram {
  const program = new KernelProgram().reportTo(STDOUT);
  const column = Deno.build.arch as CallProcessor === "x86_64" ? 0 : 1;
  for (const [place, { numbers, args }] of probes.entries()) {
    const words = args.map((arg) => typeof arg === "string" ? program.text(arg) : arg);
    program.attempt(numbers[column], ...words).report(place, "answer");
  }
  return program.exit(0);
}

/** Makes system calls in a container. Returns the results by name; errors are negative. */
export async function probe(bench: Bench, probes: readonly Probe[]): Promise<Record<string, number>> {
  const reports = await runInside(bench, probing(probes));
  return Object.fromEntries(reports.map(({ kind, first }) => [probes[kind]!.name, first]));
}

/** Creates nested folders. */
export function nestingProgram(folder: string, levels: number): KernelProgram {
  const program = new KernelProgram();
  const name = program.text("d");
  program.must("begin", "chdir", program.text(folder));
  for (let level = 0; level < levels; level++) program.attempt("mkdirat", AT_FDCWD, name, 0o755).attempt("chdir", name);
  return program.exit(0);
}

/** Runs a generated program on this machine, and returns its reports. */
export async function runOutside(program: KernelProgram) {
  const folder = await Deno.makeTempDir();
  try {
    Deno.writeFileSync(`${folder}/probe`, program.file(), { mode: 0o700 });
    const process = await startProgram(`${folder}/probe`, { stdin: "null", stdout: "piped", stderr: "null" });
    return readReports((await process.output()).stdout);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs a generated program as the first process of a container, and returns its reports. */
export async function runInside(bench: Bench, program: KernelProgram, spec: Partial<ContainerSpec> = {}) {
  const volume = await bench.volume(`probe-${crypto.randomUUID()}`);
  const file = `${volume}/probe`;
  Deno.writeFileSync(file, program.file());
  Deno.chmodSync(file, 0o755);
  giveToRoot(file, bench.runtime.rootId);
  const parts: Uint8Array[] = [];
  const mounts = [...spec.mounts ?? [], { source: volume, target: "/probe", readOnly: true }];
  const container = await bench.startRaw(["/probe/probe"], { ...spec, mounts }, (chunk) => parts.push(chunk.slice()));
  await container.ended;
  await container.remove();
  return readReports(new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
}
