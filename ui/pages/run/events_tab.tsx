/** The events of Kubernetes about a run and its pods, the newest first. */
import { useSignal } from "@preact/signals";
import { Refusal } from "../../api/refusal.ts";
import type { KubeEvent } from "../../api/source.ts";
import { useApp } from "../../app.ts";
import { RefusalCard } from "../../components/refusal_card.tsx";
import { agoText } from "../../model/duration.ts";
import { useWhileShown } from "../hooks.ts";
import type { RunScene } from "./run_scene.ts";

/** The most events that are kept: the oldest go first. */
const MOST = 500;

/** The tab. */
export function EventsTab({ scene: { namespace, name, now } }: { scene: RunScene }) {
  const app = useApp();
  const events = useSignal<readonly KubeEvent[]>([]);
  const refusal = useSignal<Refusal | undefined>(undefined);
  useWhileShown((signal) => {
    events.value = [];
    refusal.value = undefined;
    void (async () => {
      try {
        for await (const event of app.source.events(namespace, name, signal)) {
          const others = events.value.filter((one) => !isSame(one, event));
          events.value = [event, ...others].slice(0, MOST);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        refusal.value = error;
      }
    })();
  }, [namespace, name]);
  if (refusal.value && events.value.length === 0) {
    return <RefusalCard refusal={refusal.value} login={app.session.login} />;
  }
  if (events.value.length === 0) {
    return <p class="muted">No event is known. Kubernetes forgets events after an hour.</p>;
  }
  return (
    <div class="scroll-x">
      <table class="events">
        <thead>
          <tr>
            <th>Type</th>
            <th>Reason</th>
            <th>About</th>
            <th>Message</th>
            <th>When</th>
          </tr>
        </thead>
        <tbody>
          {events.value.map((event, i) => (
            <tr key={i}>
              <td>{event.type}</td>
              <td>{event.reason}</td>
              <td class="muted">{event.involvedObject.name}</td>
              <td class="foreign">{event.message}{event.count > 1 && ` (×${event.count})`}</td>
              <td class="muted number" title={event.lastTimestamp}>{agoText(event.lastTimestamp, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isSame(a: KubeEvent, b: KubeEvent): boolean {
  return a.reason === b.reason && a.message === b.message && a.involvedObject.name === b.involvedObject.name;
}
