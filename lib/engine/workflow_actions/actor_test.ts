import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { actorLabels, resumedBy, withActor } from "./actor.ts";

const PREFIX = "workflows.argoproj.io/";

Deno.test("actorLabels: replaces invalid characters and keeps the end of long values", () => {
  const actor = { subject: "CgExample|ada", email: "ada@example.com", preferredUsername: `${"x".repeat(70)}_ada_` };
  assertEquals(actorLabels("Resume", actor), {
    [`${PREFIX}actor`]: "CgExample-ada",
    [`${PREFIX}actor-email`]: "ada.at.example.com",
    [`${PREFIX}actor-preferred-username`]: `${"x".repeat(58)}_ada`,
    [`${PREFIX}action`]: "Resume",
  });
});

Deno.test("withActor: an anonymous change removes the labels of the last actor and keeps the others", () => {
  const labels = { own: "kept", [`${PREFIX}actor`]: "ada", [`${PREFIX}actor-email`]: "a", [`${PREFIX}action`]: "Stop" };
  const workflow: Workflow = { metadata: { name: "w", labels }, spec: {} };
  assertEquals(withActor(workflow, "Retry", undefined).metadata.labels, { own: "kept" });
});

Deno.test("resumedBy() names the known claims, sorted by name", () => {
  assertEquals(
    resumedBy({ subject: "s", email: "e@x", preferredUsername: "p" }),
    "Resumed by: map[Email:e@x PreferredUsername:p User:s]",
  );
  assertEquals(resumedBy({ subject: "s" }), "Resumed by: map[User:s]");
});
