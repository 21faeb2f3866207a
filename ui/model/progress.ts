/** The progress of a run as its status says it: `12/40`. */

/** So many of so many. */
export interface Progress {
  readonly done: number;
  readonly all: number;
}

/** Reads it; what is none is nothing of nothing. */
export function progressOf(text: string | undefined): Progress {
  const [, done, all] = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? "") ?? [];
  return done === undefined || all === undefined ? { done: 0, all: 0 } : { done: Number(done), all: Number(all) };
}
