/** Parts of long tables: sortable headers, and the space of rows that are not rendered. */

interface SortedHeadProps {
  readonly kind: string;
  readonly word: string;
  /** The direction of the order by this column; undefined if the rows are ordered otherwise. */
  readonly direction: "ascending" | "descending" | undefined;
  readonly href: string;
}

/** The header of a sortable column. */
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

/** The space of rows that are not rendered, so that the scrollbar has the right length. */
export function RowSpacer({ pixels }: { pixels: number }) {
  return (
    <tr class="room" aria-hidden="true">
      <td style={{ blockSize: `${pixels}px` }} />
    </tr>
  );
}
