/** Lines of several logs in the order of their times, while only what one read of each log brought is held. */

/** A log whose lines begin with their times, in order. */
export interface TimedLog<T> {
  /** No line is older (RFC 3339): the log is opened when the others have come to this time. */
  readonly from: string;
  /** Its lines, in batches as they are read. */
  open(): AsyncIterable<readonly T[]>;
  /** The time that a line begins with; undefined for one that continues the line before. */
  timeOf(line: T): string | undefined;
}

/** The number of logs that are opened before their turn: each takes a moment until its first line is there. */
const AHEAD = 8;

/** A log that is open, and the next line of it. */
interface Head<T> {
  readonly order: number;
  readonly timed: TimedLog<T>;
  readonly batches: AsyncIterator<readonly T[]>;
  batch: readonly T[];
  at: number;
  /** The time of the line at its place. */
  time: string;
}

/** All lines of all logs by their times, in batches; of the same time, in the order of the logs. */
export async function* mergeLines<T>(logs: readonly TimedLog<T>[]): AsyncGenerator<readonly T[]> {
  const waiting = [...logs].sort((a, b) => compare(timeKey(a.from), timeKey(b.from)));
  const opening: Promise<Head<T> | undefined>[] = [];
  const open = new Set<Head<T>>();
  const heads: Head<T>[] = [];
  let opened = 0;
  let begun = 0;
  const openAhead = () => {
    for (; opened < waiting.length && opening.length < AHEAD; opened++) {
      const timed = waiting[opened]!;
      const batches = timed.open()[Symbol.asyncIterator]();
      const head: Head<T> = { order: opened, timed, batches, batch: [], at: 0, time: timeKey(timed.from) };
      open.add(head);
      const first = filled(head);
      // Its failure is told when its turn comes.
      first.catch(() => {});
      opening.push(first);
    }
  };
  try {
    for (;;) {
      openAhead();
      const next = waiting[begun];
      if (next && (heads[0] === undefined || timeKey(next.from) <= heads[0].time)) {
        begun++;
        insert(heads, await opening.shift()!);
        continue;
      }
      const head = heads.shift();
      if (!head) return;
      yield takeUntil(head, heads[0], next && timeKey(next.from));
      const following = await filled(head);
      if (following) insert(heads, following);
      else open.delete(head);
    }
  } finally {
    await Promise.allSettled([...open].map(({ batches }) => batches.return?.()));
  }
}

/** The log with a line at its place; undefined at its end. */
async function filled<T>(head: Head<T>): Promise<Head<T> | undefined> {
  while (head.at >= head.batch.length) {
    const { done, value } = await head.batches.next();
    if (done) return undefined;
    head.batch = value;
    head.at = 0;
    settle(head);
  }
  return head;
}

/** Notes the time of the line at its place; one that continues the line before has that line's. */
function settle<T>(head: Head<T>): void {
  const line = head.batch[head.at];
  const time = line === undefined ? undefined : head.timed.timeOf(line);
  if (time !== undefined) head.time = timeKey(time);
}

/** Takes the first line of a log, and those behind it that come before any line of the other, and before the time of the next. */
function takeUntil<T>(head: Head<T>, other: Head<T> | undefined, next: string | undefined): readonly T[] {
  const from = head.at;
  do {
    head.at++;
    settle(head);
  } while (
    head.at < head.batch.length && (next === undefined || next > head.time) &&
    (other === undefined || precedes(head, other))
  );
  return from === 0 && head.at === head.batch.length ? head.batch : head.batch.slice(from, head.at);
}

function precedes<T>(one: Head<T>, other: Head<T>): boolean {
  return (compare(one.time, other.time) || one.order - other.order) < 0;
}

/** Puts a head behind those that come before it. */
function insert<T>(heads: Head<T>[], head: Head<T> | undefined): void {
  if (!head) return;
  let low = 0;
  let high = heads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (precedes(head, heads[middle]!)) high = middle;
    else low = middle + 1;
  }
  heads.splice(low, 0, head);
}

/** Times as text in their order: fractions of a second have as many digits as they need. */
export function timeKey(time: string): string {
  return time.endsWith("Z") ? time.slice(0, -1) : time;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
