/** The supported processors. */
import { AARCH64 } from "./aarch64.ts";
import type { Processor } from "./processor.ts";
import { X86_64 } from "./x86_64.ts";

const PROCESSORS: Readonly<Record<string, Processor>> = { x86_64: X86_64, aarch64: AARCH64 };

/**
 * Returns the code generator for this machine, or for another name of `Deno.build.arch`.
 * @throws if the processor is not supported.
 */
export function processorFor(arch: string = Deno.build.arch): Processor {
  const processor = PROCESSORS[arch];
  if (!processor) {
    throw new Error(`Programs cannot be generated for ${arch}, only for ${Object.keys(PROCESSORS).join(", ")}`);
  }
  return processor;
}

/** Whether programs can be generated for this machine, which needs Linux and a supported processor. */
export function canMakePrograms(): boolean {
  return Deno.build.os === "linux" && PROCESSORS[Deno.build.arch] !== undefined;
}
