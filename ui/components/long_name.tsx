/** A name that is cut in the middle if necessary, because names of runs, nodes and pods differ at their ends. */

/** The number of last characters that are never cut: a random suffix, or a loop item. */
const END = 12;

/** The length above which a name may be cut. */
const LONG = 24;

/** Returns the text for screen readers if a name is rendered in two parts, else undefined. */
export function nameForScreenReaders(text: string): string | undefined {
  return text.length > LONG ? text : undefined;
}

export function LongName({ text }: { text: string }) {
  if (nameForScreenReaders(text) === undefined) return <>{text}</>;
  return (
    <span class="cut">
      <span>{text.slice(0, -END)}</span>
      <span>{text.slice(-END)}</span>
    </span>
  );
}
