/** The progress of a run as its status says it: `12/40`. */

/** The number of tasks that are done, and of all. */
export interface Progress {
  readonly done: number;
  readonly all: number;
}

/** Reads a progress; a text that is none counts as 0 of 0. */
export function progressOf(text: string | undefined): Progress {
  const [, done, all] = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? "") ?? [];
  return done === undefined || all === undefined ? { done: 0, all: 0 } : { done: Number(done), all: Number(all) };
}
