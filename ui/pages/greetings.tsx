/** A greeting above the list of runs, if the server enables it: a line that can be dismissed, never a window. */
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Refusal } from "../api/refusal.ts";
import type { Greeting } from "../api/source.ts";
import { useApp } from "../app.ts";
import { LinkList } from "../components/link_list.tsx";
import { Refused } from "./refused.tsx";
import { greetingOf, read, releaseOf, stateAfterVisit } from "../model/greeting.ts";
import { plainLinks } from "../model/links.ts";
import { greetingState } from "../settings.ts";
import { trackPending } from "../settled.ts";
import * as words from "../model/text/en/greetings.ts";
import * as shared from "../model/text/en/shared.ts";

/** The greeting to show, if any. */
export function Greetings() {
  const { info, version } = useApp();
  const isThanked = useSignal(false);
  // The time of the visit, so that no greeting appears while the list is open.
  const now = useSignal(Date.now()).value;
  const at = { version: version.value, now };
  useEffect(() => {
    if (version.value !== "") greetingState.value = stateAfterVisit(greetingState.value, at);
  }, [version.value]);
  if (isThanked.value) return <Thanks />;
  const greeting = greetingOf(info.value.greetings, greetingState.value, at);
  if (greeting === undefined) return null;
  const dismiss = () => greetingState.value = read(greetingState.value, greeting, at);
  return (
    <div class="note greeting row" role="status">
      <Words
        greeting={greeting}
        onAnswered={() => {
          dismiss();
          isThanked.value = true;
        }}
      />
      <button type="button" class="button quiet" onClick={dismiss}>{shared.dismissButton}</button>
    </div>
  );
}

function Words({ greeting, onAnswered }: { greeting: Greeting; onAnswered: () => void }) {
  const app = useApp();
  switch (greeting) {
    case "firstTimeUser":
      return (
        <span>
          {words.newHere(
            <kbd>?</kbd>,
            <a href={app.hrefOf({ page: { kind: "help" }, query: [] })}>{words.helpLink}</a>,
          )}
        </span>
      );
    case "feedback":
      return <Question onAnswered={onAnswered} />;
    case "newVersion":
      return <span>{words.newRelease(releaseOf(app.version.value), greetingState.value.release)}</span>;
  }
}

const ANSWERS = { [words.goodButton]: "feedbackGood", [words.notSoGoodButton]: "feedbackNotGood" } as const;

/** The feedback question; the answer goes to the log of the server only. */
function Question({ onAnswered }: { onAnswered: () => void }) {
  const app = useApp();
  const refusal = useSignal<Refusal | undefined>(undefined);
  async function answer(name: string): Promise<void> {
    using _waiting = trackPending();
    try {
      await app.source.noteEvent(name);
      onAnswered();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal.value = error;
    }
  }
  return (
    <>
      <span>{words.question}</span>
      {Object.entries(ANSWERS).map(([word, name]) => (
        <button
          key={name}
          type="button"
          class="button"
          onClick={() => void answer(name)}
        >
          {word}
        </button>
      ))}
      {refusal.value && <Refused refusal={refusal.value} />}
    </>
  );
}

function Thanks() {
  const { info } = useApp();
  return (
    <div class="note greeting row" role="status">
      <span>{words.thanks}</span>
      <LinkList links={plainLinks(info.value.links, "chat")} />
    </div>
  );
}
