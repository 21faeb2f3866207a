/** The Kubernetes events of a run and its pods, while a tab shows them. */
import { useEffect } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { Refusal } from "../../api/refusal.ts";
import { abortWhenHidden, waitUntilVisible } from "../../api/visibility.ts";
import type { KubeEvent, Source } from "../../api/source.ts";

/** The maximum number of events that are kept; the oldest are dropped first. */
const MAX_ITEMS = 10_000;

/** The events by time, and the refusal if the stream failed. */
export interface RunEvents {
  readonly events: Signal<readonly KubeEvent[]>;
  readonly refusal: Signal<Refusal | undefined>;
  /** Whether the response has started: then an empty list means that there are no events. */
  readonly isOpen: Signal<boolean>;
}

/** Requests the events of a run, unless `isWanted` is false. */
export function useEvents(source: Source, namespace: string, name: string, isWanted = true): RunEvents {
  const events = useSignal<readonly KubeEvent[]>([]);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const isOpen = useSignal(false);
  useEffect(() => {
    events.value = [];
    refusal.value = undefined;
    isOpen.value = false;
    if (!isWanted) return;
    const left = new AbortController();
    const told = new Map<string, KubeEvent>();
    let frame = 0;
    const tell = () => {
      frame = 0;
      events.value = [...told.values()];
    };
    const watcher = { onOpen: () => void (isOpen.value = true) };
    void (async () => {
      while (!left.signal.aborted) {
        // Hidden tabs hold no stream; when the tab becomes visible, everything is requested again.
        await waitUntilVisible(left.signal);
        using hidden = abortWhenHidden();
        try {
          for await (
            const event of source.events(namespace, name, AbortSignal.any([left.signal, hidden.signal]), watcher)
          ) {
            const key = keyOf(event);
            // A repeated event moves to the end.
            told.delete(key);
            told.set(key, event);
            if (told.size > MAX_ITEMS) told.delete(told.keys().next().value!);
            // Events that arrive together are shown together.
            if (frame === 0) frame = requestAnimationFrame(tell);
          }
          return;
        } catch (error) {
          if (left.signal.aborted) return;
          if (hidden.signal.aborted) continue;
          if (!(error instanceof Refusal)) throw error;
          // The last version is too old to continue: everything is requested again.
          if (error.status === 410) continue;
          refusal.value = error;
          return;
        }
      }
    })();
    return () => {
      left.abort();
      cancelAnimationFrame(frame);
    };
  }, [source, namespace, name, isWanted]);
  return { events, refusal, isOpen };
}

function keyOf({ reason, message, involvedObject: { name, part } }: KubeEvent): string {
  return `${name}\n${part}\n${reason}\n${message}`;
}
