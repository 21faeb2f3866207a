/** A name that is cut in its middle where there is no room: names of runs, nodes and pods differ at their ends. */

/** Letters that are never cut: a random suffix, or the item of a loop. */
const END = 12;

/** Letters from which on a name may be cut. */
const LONG = 24;

/** The words for what is read aloud in place of a name in two pieces; undefined where it is in one. */
export function spokenName(text: string): string | undefined {
  return text.length > LONG ? text : undefined;
}

/** The name. */
export function LongName({ text }: { text: string }) {
  if (spokenName(text) === undefined) return <>{text}</>;
  return (
    <span class="cut">
      <span>{text.slice(0, -END)}</span>
      <span>{text.slice(-END)}</span>
    </span>
  );
}
