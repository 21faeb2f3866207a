/** Merges the lines of several logs by time. Holds only one batch of each log in memory. */

/** A log whose lines begin with timestamps, in order. */
export interface TimedLog<T> {
  /** Lower bound of its timestamps (RFC 3339). The log is opened when the others have reached this time. */
  readonly from: string;
  /** Returns its lines in batches. */
  open(): AsyncIterable<readonly T[]>;
  /** Returns the timestamp of a line; undefined for a line that continues the previous one. */
  timeOf(line: T): string | undefined;
}

/** Number of logs that are opened in advance, because it takes time until the first line arrives. */
const OPENED_IN_ADVANCE = 8;

/** An open log, and its next line. */
interface Head<T> {
  readonly order: number;
  readonly timed: TimedLog<T>;
  readonly batches: AsyncIterator<readonly T[]>;
  batch: readonly T[];
  at: number;
  /** The timestamp of the next line. */
  time: string;
}

/** Yields all lines of all logs ordered by time, in batches. Lines with equal times are in the order of the logs. */
export async function* mergeLines<T>(logs: readonly TimedLog<T>[]): AsyncGenerator<readonly T[]> {
  const waiting = [...logs].sort((a, b) => compare(timeKey(a.from), timeKey(b.from)));
  const opening: Promise<Head<T> | undefined>[] = [];
  const open = new Set<Head<T>>();
  const heads: Head<T>[] = [];
  let opened = 0;
  let begun = 0;
  const openAhead = () => {
    for (; opened < waiting.length && opening.length < OPENED_IN_ADVANCE; opened++) {
      const timed = waiting[opened]!;
      const batches = timed.open()[Symbol.asyncIterator]();
      const head: Head<T> = { order: opened, timed, batches, batch: [], at: 0, time: timeKey(timed.from) };
      open.add(head);
      const first = fillHead(head);
      // Its failure is reported when its turn comes.
      first.catch(() => {});
      opening.push(first);
    }
  };
  try {
    for (;;) {
      openAhead();
      const next = waiting[begun];
      // With equal times, the lines of the log that was opened first come first.
      if (next && (heads[0] === undefined || timeKey(next.from) < heads[0].time)) {
        begun++;
        insert(heads, await opening.shift()!);
        continue;
      }
      const head = heads.shift();
      if (!head) return;
      yield takeUntil(head, heads[0], next && timeKey(next.from));
      const following = await fillHead(head);
      if (following) insert(heads, following);
      else open.delete(head);
    }
  } finally {
    await Promise.allSettled([...open].map(({ batches }) => batches.return?.()));
  }
}

/** Reads batches until the log has a next line; undefined at its end. */
async function fillHead<T>(head: Head<T>): Promise<Head<T> | undefined> {
  while (head.at >= head.batch.length) {
    const { done, value } = await head.batches.next();
    if (done) return undefined;
    head.batch = value;
    head.at = 0;
    updateTime(head);
  }
  return head;
}

/** Sets the time of the next line. A line that continues the previous one has that line's time. */
function updateTime<T>(head: Head<T>): void {
  const line = head.batch[head.at];
  const time = line === undefined ? undefined : head.timed.timeOf(line);
  if (time !== undefined) head.time = timeKey(time);
}

/**
 * Takes the first line of a log, and the following ones that precede all lines of the other log and the time of the
 * next log.
 */
function takeUntil<T>(head: Head<T>, other: Head<T> | undefined, next: string | undefined): readonly T[] {
  const from = head.at;
  do {
    head.at++;
    updateTime(head);
  } while (
    head.at < head.batch.length && (next === undefined || next >= head.time) &&
    (other === undefined || precedes(head, other))
  );
  return from === 0 && head.at === head.batch.length ? head.batch : head.batch.slice(from, head.at);
}

function precedes<T>(head: Head<T>, other: Head<T>): boolean {
  return (compare(head.time, other.time) || head.order - other.order) < 0;
}

/** Inserts a log into the sorted list. */
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

/** Returns a key whose text order is the order of time: fractions of a second have a variable number of digits. */
export function timeKey(time: string): string {
  return time.endsWith("Z") ? time.slice(0, -1) : time;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
