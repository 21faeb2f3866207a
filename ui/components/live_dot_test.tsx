/** The states of the indicator that shows whether the page is up to date. */
import { states } from "../testing/states.tsx";
import { assertEquals } from "@std/assert";
import { Refusal } from "../api/refusal.ts";
import * as words from "../model/text/en/shared.ts";
import { LiveDot } from "./live_dot.tsx";

const refusal = new Refusal("watch", 0, "the server does not respond");

states(LiveDot, {
  connecting: {
    view: <LiveDot state={{ kind: "connecting" }} now={0} />,
    check: (page) => assertEquals(page.one("status").textContent, words.connecting),
  },
  live: {
    view: <LiveDot state={{ kind: "live" }} now={0} />,
    check: (page) => assertEquals(page.one("status").textContent, words.live),
  },
  offline: {
    view: <LiveDot state={{ kind: "offline", since: 1_000, refusal }} now={6_400} />,
    check: (page) => assertEquals(page.one("status").textContent, words.offlineFor("5s")),
  },
  refused: {
    view: <LiveDot state={{ kind: "refused", refusal }} now={0} />,
    check: (page) => {
      const dot = page.one("status");
      assertEquals([dot.textContent, dot.title], [words.refused, "the server does not respond"]);
    },
  },
});
