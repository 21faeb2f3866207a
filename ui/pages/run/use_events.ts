/** The events of Kubernetes about a run and its pods, as long as a tab shows something of them. */
import { useEffect } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { Refusal } from "../../api/refusal.ts";
import { untilHidden, untilSeen } from "../../api/seen.ts";
import type { KubeEvent, Source } from "../../api/source.ts";

/** The most events that are kept: the oldest go first. */
const MOST = 10_000;

/** The events, by the time of their telling, and why there are no more. */
export interface RunEvents {
  readonly events: Signal<readonly KubeEvent[]>;
  readonly refusal: Signal<Refusal | undefined>;
  /** The server has begun to answer: where there are no events, none is known. */
  readonly isOpen: Signal<boolean>;
}

/** Asks for the events of a run; not where `isWanted` is false. */
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
        // A tab that nobody sees holds no stream; who comes back is told everything anew.
        await untilSeen(left.signal);
        using hidden = untilHidden();
        try {
          for await (
            const event of source.events(namespace, name, AbortSignal.any([left.signal, hidden.signal]), watcher)
          ) {
            const key = keyOf(event);
            // The newest telling of what happened again stands last.
            told.delete(key);
            told.set(key, event);
            if (told.size > MOST) told.delete(told.keys().next().value!);
            // Those that come together are shown together.
            if (frame === 0) frame = requestAnimationFrame(tell);
          }
          return;
        } catch (error) {
          if (left.signal.aborted) return;
          if (hidden.signal.aborted) continue;
          if (!(error instanceof Refusal)) throw error;
          // The version that was told last is too long ago to go on from: all is told anew.
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
