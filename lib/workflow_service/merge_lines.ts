/** Lines of several logs in the order of their times, while only one line of each log is held. */

/** A log whose lines begin with their times, in order. */
export interface TimedLog<T> {
  /** No line is older (RFC 3339): the log is opened when the others have come to this time. */
  readonly from: string;
  open(): AsyncIterable<T>;
  /** The time that a line begins with; undefined for one that continues the line before. */
  timeOf(line: T): string | undefined;
}

/** The number of logs that are opened before their turn: each takes a moment until its first line is there. */
const AHEAD = 8;

/** The next line of a log that is open. */
interface Head<T> {
  readonly log: OpenLog<T>;
  readonly line: T;
  readonly time: string;
}

interface OpenLog<T> {
  readonly order: number;
  readonly timed: TimedLog<T>;
  readonly lines: AsyncIterator<T>;
}

/** All lines of all logs by their times; of the same time, in the order of the logs. */
export async function* mergeLines<T>(logs: readonly TimedLog<T>[]): AsyncGenerator<T> {
  const waiting = [...logs].sort((a, b) => compare(timeKey(a.from), timeKey(b.from)));
  const opening: Promise<Head<T> | undefined>[] = [];
  const open = new Set<OpenLog<T>>();
  const heads: Head<T>[] = [];
  let opened = 0;
  let begun = 0;
  const openAhead = () => {
    for (; opened < waiting.length && opening.length < AHEAD; opened++) {
      const timed = waiting[opened]!;
      const log: OpenLog<T> = { order: opened, timed, lines: timed.open()[Symbol.asyncIterator]() };
      open.add(log);
      const head = nextHead(log, timeKey(timed.from));
      // Its failure is told when its turn comes.
      head.catch(() => {});
      opening.push(head);
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
      yield head.line;
      const following = await nextHead(head.log, head.time);
      if (following) insert(heads, following);
      else open.delete(head.log);
    }
  } finally {
    await Promise.allSettled([...open].map(({ lines }) => lines.return?.()));
  }
}

async function nextHead<T>(log: OpenLog<T>, before: string): Promise<Head<T> | undefined> {
  const { done, value } = await log.lines.next();
  if (done) return undefined;
  const time = log.timed.timeOf(value);
  return { log, line: value, time: time === undefined ? before : timeKey(time) };
}

/** Puts a head behind those that come before it. */
function insert<T>(heads: Head<T>[], head: Head<T> | undefined): void {
  if (!head) return;
  let low = 0;
  let high = heads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = heads[middle]!;
    const order = compare(other.time, head.time) || other.log.order - head.log.order;
    if (order > 0) high = middle;
    else low = middle + 1;
  }
  heads.splice(low, 0, head);
}

/** Times as text in their order: fractions of a second have as many digits as they need. */
function timeKey(time: string): string {
  return time.endsWith("Z") ? time.slice(0, -1) : time;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
