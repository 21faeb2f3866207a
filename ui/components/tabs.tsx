/** Tabs as links, one of which is current. */
import { useTabInView } from "./use_tab_in_view.ts";

interface Props<T extends string> {
  /** The label of the tab list for screen readers. */
  readonly label: string;
  /** The tabs in order, with their texts. */
  readonly words: Readonly<Record<T, string>>;
  readonly current: T;
  readonly hrefOf: (tab: T) => string;
}

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
