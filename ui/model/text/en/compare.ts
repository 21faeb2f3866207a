/** Words of what differs between two runs, in templates and nodes. */
import { grouped } from "../en.ts";

/** The node that is the run. */
export const runItself = "the run itself";
/** The name of what a container's end says, among outputs. */
export const exitCode = "exit code";
export const templateIsNew = "is new";
export const templateIsGone = "is gone";
export const templateWasChanged = "was changed";
export const noImage = "no image";
export const otherImage = (before: string, after: string) => `${before} → ${after}`;

/** A node that one of both has not. */
export const onlyHere = "only here";
export const notHere = "not here";
export const same = "same";
export const differs = "differs";
/** The nodes of a box that are other than before. */
export const someDiffer = (different: number, all: number) => `${grouped(different)} of ${grouped(all)} differ`;
export const otherTemplate = "other template";
export const otherOutputs = "outputs";
export const nowInPhase = (phase: string) => `now ${phase}`;
export const tookLonger = (by: string) => `${by} longer`;
export const tookShorter = (by: string) => `${by} shorter`;
