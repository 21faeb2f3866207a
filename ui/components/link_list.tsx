/** The configured links of an installation, in a row. */
import type { FilledLink } from "../model/links.ts";

/** The links; renders nothing without links. */
export function LinkList({ links }: { links: readonly FilledLink[] }) {
  return (
    <>
      {links.map(({ name, href, target }) => (
        <a key={name} class="button quiet" href={href} target={target} rel="noopener noreferrer">{name}</a>
      ))}
    </>
  );
}
