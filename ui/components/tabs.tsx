/** The parts of an object as links, of which one is shown. */
import { useTabInView } from "./use_tab_in_view.ts";

interface Props<T extends string> {
  /** The name of the whole row, for people who do not see it. */
  readonly label: string;
  /** The tabs in their order, with the word that stands on each. */
  readonly words: Readonly<Record<T, string>>;
  readonly current: T;
  readonly hrefOf: (tab: T) => string;
}

/** The row of links. */
export function Tabs<T extends string>({ label, words, current, hrefOf }: Props<T>) {
  return (
    <nav ref={useTabInView<HTMLElement>(current)} class="tabs" aria-label={label}>
      {(Object.entries(words) as [T, string][]).map(([tab, word]) => (
        <a key={tab} class="tab" href={hrefOf(tab)} aria-current={tab === current ? "page" : undefined}>
          {word}
        </a>
      ))}
    </nav>
  );
}
