/** The empty list of runs, with next steps on the page and in a terminal. */
import { useSignal } from "@preact/signals";
import { loadPart, Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import { Refused } from "./refused.tsx";
import { trackPending } from "../settled.ts";
import { showAllRuns } from "../model/text/en/frame.ts";
import * as words from "../model/text/en/after_list.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly isFiltered: boolean;
  readonly namespace: string;
  readonly newRunHref: string;
}

/** The card shown instead of rows. */
export function NoRuns({ isFiltered, namespace, newRunHref }: Props) {
  const app = useApp();
  const refusal = useSignal<Refusal | undefined>(undefined);
  if (isFiltered) {
    return (
      <section class="card">
        <h2>{words.noRunMatches}</h2>
        <p class="muted">{words.removeFilters}</p>
        <a class="button" href={app.hrefOf({ page: { kind: "runs", namespace }, query: [] })}>{showAllRuns}</a>
      </section>
    );
  }
  async function submitHelloWorld(): Promise<void> {
    using _waiting = trackPending();
    try {
      const where = namespace || app.info.value.managedNamespace || "default";
      const { HELLO_WORLD } = await loadPart(() => import("../model/examples.ts"));
      const { metadata } = await app.source.createRun(where, HELLO_WORLD);
      app.go({ page: { kind: "run", namespace: where, name: metadata.name ?? "" }, query: [] });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal.value = error;
    }
  }
  return (
    <section class="card">
      <h2>{words.noRunsYet}</h2>
      <p>{words.aboutRuns}</p>
      <pre class="words">
        tiphys submit <span>examples/hello-world.yaml</span>
        {app.session.login === "ticket" && <>{" "}<span>--local</span></>}
      </pre>
      <p class="row">
        <button type="button" class="button primary" onClick={() => void submitHelloWorld()}>
          {words.helloWorldButton}
        </button>
        <a class="button" href={newRunHref}>{shared.createOneButton}</a>
      </p>
      {refusal.value && <Refused refusal={refusal.value} />}
    </section>
  );
}
