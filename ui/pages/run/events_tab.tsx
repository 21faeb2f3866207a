/** The events of Kubernetes about a run and its pods, the newest first. */
import { useApp } from "../../app.ts";
import { Refused } from "../refused.tsx";
import { agoText } from "../../model/duration.ts";
import type { RunScene } from "./run_scene.ts";
import { useEvents } from "./use_events.ts";
import * as words from "../../model/text/en/events_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

/** The most events that are shown, the newest. */
const MOST = 500;

/** The tab. */
export function EventsTab({ scene: { namespace, name, now } }: { scene: RunScene }) {
  const app = useApp();
  const { events, refusal, isOpen } = useEvents(app.source, namespace, name);
  if (refusal.value && events.value.length === 0) {
    if (refusal.value.kind === "unknown-route") return <p class="note">{words.notTold}</p>;
    return <Refused refusal={refusal.value} />;
  }
  if (events.value.length === 0) {
    return (
      <p class="muted">
        {isOpen.value ? words.noEventKnown : words.readingEvents}
      </p>
    );
  }
  return (
    <div class="scroll-x">
      <table class="events">
        <thead>
          <tr>
            <th>{words.typeField}</th>
            <th>{words.reasonField}</th>
            <th>{words.aboutField}</th>
            <th>{shared.messageField}</th>
            <th>{words.whenField}</th>
          </tr>
        </thead>
        <tbody>
          {events.value.slice(-MOST).toReversed().map((event, i) => (
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
