/** Parts of long tables: heads that put rows in order, and the room of rows that are not drawn. */

interface SortedHeadProps {
  readonly kind: string;
  readonly word: string;
  /** The order of the rows by this column; undefined where they stand by another one. */
  readonly direction: "ascending" | "descending" | undefined;
  readonly href: string;
}

/** The head of a column by which rows are put in order. */
export function SortedHead({ kind, word, direction, href }: SortedHeadProps) {
  return (
    <th class={kind} aria-sort={direction}>
      <a class="sort" href={href}>
        {word}
        <span aria-hidden="true">{direction === undefined ? "" : direction === "descending" ? "↓" : "↑"}</span>
      </a>
    </th>
  );
}

/** The room of rows that are not there: the scrollbar is as long as if they were. */
export function Room({ pixels }: { pixels: number }) {
  return (
    <tr class="room" aria-hidden="true">
      <td style={{ blockSize: `${pixels}px` }} />
    </tr>
  );
}
