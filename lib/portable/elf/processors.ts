/** The processors that programs can be made for. */
import { AARCH64 } from "./aarch64.ts";
import type { Processor } from "./processor.ts";
import { X86_64 } from "./x86_64.ts";

const PROCESSORS: Readonly<Record<string, Processor>> = { x86_64: X86_64, aarch64: AARCH64 };

/**
 * The kind of this machine, as `Deno.build.arch` names it, or another.
 * @throws when no program can be made for it.
 */
export function processorFor(arch: string = Deno.build.arch): Processor {
  const processor = PROCESSORS[arch];
  if (!processor) {
    throw new Error(`No programs can be made for ${arch}, only for ${Object.keys(PROCESSORS).join(", ")}`);
  }
  return processor;
}

/** Whether programs can be made for this machine: for Linux, on a processor that is known. */
export function canMakePrograms(): boolean {
  return Deno.build.os === "linux" && PROCESSORS[Deno.build.arch] !== undefined;
}
