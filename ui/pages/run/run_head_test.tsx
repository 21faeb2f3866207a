/** The head of the page of a run in all its states. */
import { states } from "../../testing/states.tsx";
import { assert } from "@std/assert";
import * as words from "../../model/text/en/run_page.ts";
import { sampleRun } from "../../testing/objects.ts";
import { RunHead } from "./run_head.tsx";
import { LONG, stateOf } from "../../testing/run_states.tsx";

const SOURCE = {
  metadata: {
    name: "hello",
    labels: { "workflows.argoproj.io/cron-workflow": "nightly", "workflows.argoproj.io/creator": "ada" },
  },
  spec: {
    arguments: { parameters: Array.from({ length: 6 }, (_, i) => ({ name: `p${i}`, value: "v".repeat(i * 100) })) },
  },
};

states([RunHead], {
  "source, creator and parameters": stateOf(sampleRun(SOURCE), "", (page) => {
    const source = page.within("group", words.sourceLabel);
    assert(source.has("link", "nightly"));
    const { text } = source;
    assert(text.includes(words.byCreator("ada")) && text.includes("p3=v") && !text.includes("p4="), text);
    assert(text.includes(words.moreParameters(2)) && text.length < 300, text);
  }),
  "a condition is in the line of the source": stateOf(
    sampleRun({ status: { conditions: [{ type: "MetricsError", status: "True", message: LONG }] } }),
    "",
    (page) => assert(page.within("group", words.sourceLabel).text.includes(`MetricsError ${LONG}`)),
  ),
});
