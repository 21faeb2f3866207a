/** The size of a pattern when its repetitions are expanded, as they are in the compiler. */

/** Maximum repetitions of `{n,m}`; the compiler rejects more. */
const MAX_REPETITIONS = 1_000;

/**
 * Returns the maximum number of nodes that a pattern compiles to: one per character, times the repetitions around it.
 */
export function patternSize(pattern: string): number {
  /** The current group and those around it: the size of all parts of each, and of its last part. */
  let group = { all: 0, last: 0 };
  const around: (typeof group)[] = [];
  const add = (size: number) => {
    group.all += size;
    group.last = size;
  };
  for (let offset = 0; offset < pattern.length;) {
    const character = pattern[offset];
    if (character === "\\") {
      if (pattern[offset + 1] === "Q") {
        const end = pattern.indexOf("\\E", offset);
        const quoted = (end < 0 ? pattern.length : end) - offset;
        add(quoted);
        group.last = 1;
        offset += quoted + 2;
        continue;
      }
      add(1);
      offset += 2;
    } else if (character === "[") {
      const end = classEnd(pattern, offset);
      add(1 + (end - offset) / 4);
      offset = end;
    } else if (character === "(") {
      around.push(group);
      group = { all: 2, last: 0 };
      offset++;
    } else if (character === ")") {
      const outer = around.pop();
      const size = outer === undefined ? 1 : group.all;
      group = outer ?? group;
      add(size);
      offset++;
    } else if (character === "{") {
      const times = repetition(pattern, offset);
      if (times === undefined) add(1);
      else {
        group.all += group.last * Math.max(0, times.count - 1) + times.count;
        group.last = group.last * Math.max(1, times.count) + times.count;
      }
      offset += times?.length ?? 1;
    } else {
      // Other operators add a node around the part before them.
      const isOperator = character === "*" || character === "+" || character === "?";
      if (isOperator) [group.all, group.last] = [group.all + 1, group.last + 1];
      else add(1);
      offset++;
    }
  }
  return Math.ceil(around.reduce((sum, outer) => sum + outer.all, group.all));
}

/** Returns the offset after the `]` of the class that begins here. */
function classEnd(pattern: string, start: number): number {
  let offset = start + 1;
  if (pattern[offset] === "^") offset++;
  if (pattern[offset] === "]") offset++;
  while (offset < pattern.length && pattern[offset] !== "]") {
    const isNamed = pattern.startsWith("[:", offset) && pattern.indexOf(":]", offset + 2) > 0;
    if (isNamed) offset = pattern.indexOf(":]", offset + 2) + 2;
    else offset += pattern[offset] === "\\" ? 2 : 1;
  }
  return Math.min(offset + 1, pattern.length);
}

const REPETITION = /\{([0-9]{1,4})(,?)([0-9]{0,4})\}/y;

function repetition(pattern: string, offset: number): { readonly count: number; readonly length: number } | undefined {
  REPETITION.lastIndex = offset;
  const match = REPETITION.exec(pattern);
  if (match === null) return undefined;
  const [least, most] = [Number(match[1]), match[3] === "" ? 0 : Number(match[3])];
  return { count: Math.min(MAX_REPETITIONS, Math.max(least, most) + 1), length: match[0].length };
}
