/** A live region for automatic changes: at most one sentence in five seconds, the newest. */
import { useEffect, useState } from "preact/hooks";

const PAUSE_MILLIS = 5_000;

/** The region, visible to screen readers only. The initial text is not announced. */
export function LiveRegion({ text }: { readonly text: string }) {
  const [said, setSaid] = useState({ text, at: performance.now() });
  useEffect(() => {
    if (text === said.text) return;
    const say = () => setSaid({ text, at: performance.now() });
    const wait = said.at + PAUSE_MILLIS - performance.now();
    if (wait <= 0) return say();
    const timer = setTimeout(say, wait);
    return () => clearTimeout(timer);
  }, [text, said]);
  return <span class="hidden" role="status">{said.text}</span>;
}
