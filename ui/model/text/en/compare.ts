/** Texts of the differences between two runs, in templates and nodes. */
import { grouped } from "../en.ts";

/** The root node. */
export const runItself = "the whole run";
/** The name under which outputs list the exit code of a container. */
export const exitCode = "exit code";
export const templateIsNew = "is new";
export const templateIsGone = "is gone";
export const templateWasChanged = "was changed";
export const noImage = "no image";
export const otherImage = (before: string, after: string) => `${before} → ${after}`;

/** A node that only one of the two runs has. */
export const onlyHere = "only here";
export const notHere = "not here";
export const same = "same";
export const differs = "differs";
/** The number of nodes of a folded group that differ. */
export const someDiffer = (different: number, all: number) => `${grouped(different)} of ${grouped(all)} differ`;
export const otherTemplate = "other template";
export const otherOutputs = "outputs";
export const nowInPhase = (phase: string) => `now ${phase}`;
export const tookLonger = (by: string) => `${by} longer`;
export const tookShorter = (by: string) => `${by} shorter`;
