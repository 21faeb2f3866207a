/** The progress of a run in its status: `12/40`. */

/** The number of finished tasks, and of all tasks. */
export interface Progress {
  readonly done: number;
  readonly all: number;
}

/** Parses a progress; an invalid text counts as 0 of 0. */
export function progressOf(text: string | undefined): Progress {
  const [, done, all] = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? "") ?? [];
  return done === undefined || all === undefined ? { done: 0, all: 0 } : { done: Number(done), all: Number(all) };
}
