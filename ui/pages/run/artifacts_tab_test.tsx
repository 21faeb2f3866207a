/** The artifacts of a run in all their states. */
import { states } from "../../testing/states.tsx";
import { assert, assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { BlockView } from "../../components/markdown.tsx";
import { ArtifactView } from "../../components/run/artifact_view.tsx";
import { sampleNode, sampleRun, succeededRun } from "../../testing/objects.ts";
import { hangs, refusal } from "../../testing/server.ts";
import { ArtifactPeek } from "./artifact_peek.tsx";
import { ArtifactDialog } from "./artifact_dialog.tsx";
import { ArtifactsTab } from "./artifacts_tab.tsx";
import * as answers from "../../model/text/en/answer.ts";
import * as lists from "../../model/text/en/artifacts_tab.ts";
import * as views from "../../model/text/en/artifact_dialog.ts";
import { answerIs, LONG, stateOf } from "../../testing/run_states.tsx";

const artifact = (name: string) => ({ name, path: `/tmp/${name}`, s3: { key: `hello/${name}` } });

const withOutputs = (artifacts: NonNullable<NodeStatus["outputs"]>["artifacts"]) =>
  sampleRun({ nodes: [sampleNode("load", "Succeeded", { outputs: { parameters: [], artifacts } })] });

const withArtifacts = (...names: readonly string[]) => withOutputs(names.map(artifact));

const fileOf = (name: string) => `GET artifact-files/argo/workflows/hello/id-load/outputs/${name}`;

const FILE = fileOf("report.csv");

const file = (body: BodyInit, type: string, name = "report.csv") => () =>
  new Response(body, {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"` },
  });

states(ArtifactsTab, {
  "no artifacts": stateOf(succeededRun, "tab=artifacts"),
  "some artifacts with their types": stateOf(withArtifacts("report.csv", "all.tgz", LONG), "tab=artifacts", (page) => {
    assert(page.has("link", "report.csv"));
    assert(page.has("cell", lists.types.csv) && page.has("cell", lists.types.tgz));
  }, { [FILE]: file("a,b\n1,2\n", "text/csv"), [fileOf("all.tgz")]: refusal(404), [fileOf(LONG)]: hangs }),
  "an artifact with its size": stateOf(withArtifacts("report.csv"), "tab=artifacts", (page) => {
    assert(page.has("cell", "8 B"));
  }, { [FILE]: file("a,b\n1,2\n", "text/csv") }),
  "the sizes in the run are shown without requests": stateOf(
    withOutputs([{ ...artifact("report.csv"), size: 2048 }, { ...artifact("folder"), size: 10, objects: 2 }]),
    "tab=artifacts",
    (page) => assert(page.has("cell", "2.0 KiB") && page.has("cell", "2 files")),
    { [FILE]: refusal(500), [fileOf("folder")]: refusal(500) },
  ),
});

const opened = "tab=artifacts&artifactNode=id-load&artifact=outputs:report.csv";

states([ArtifactDialog], {
  loading: stateOf(withArtifacts("report.csv"), opened, undefined, { [FILE]: hangs }),
  "not found": stateOf(withArtifacts("report.csv"), opened, (page) => assert(page.has("alert")), {
    [FILE]: refusal(404),
  }),
  forbidden: stateOf(withArtifacts("report.csv"), opened, (page) => assert(page.has("alert")), {
    [FILE]: refusal(403),
  }),
});

states([ArtifactView, BlockView], {
  "Markdown is formatted, and its source is shown on request": stateOf(
    withArtifacts("report.csv"),
    opened,
    async (page) => {
      await page.until(() => document.querySelector(".markdown strong")?.textContent === "bold");
      assert(!page.text.includes("**"), page.text);
      await page.click(page.one("button", views.sourceToggle));
      assert(page.text.includes("is **bold**"), page.text);
    },
    { [FILE]: file("# Report\n\nThis is **bold**.\n", "text/markdown", "report.md") },
  ),
});

states([ArtifactDialog, ArtifactView], {
  "a table": stateOf(
    withArtifacts("report.csv"),
    opened,
    (page) => page.until(() => page.all("cell", "42").length === 1),
    {
      [FILE]: file("id,count\na,42\n", "text/csv"),
    },
  ),
  "a text": stateOf(withArtifacts("report.csv"), opened, (page) => page.until(() => page.text.includes("hello text")), {
    [FILE]: file("hello text\n", "text/plain", "report.txt"),
  }),
  "it is next to the list, with type and size, until it is closed": stateOf(
    withArtifacts("report.csv"),
    opened,
    async (page) => {
      await page.until(() => page.text.includes("text/plain · 11 B"));
      assertEquals(document.activeElement?.id, "artifact-title");
      assertEquals(document.querySelectorAll("tr[aria-current]").length, 1);
      await page.press("Escape");
      assert(!page.has("dialog") && page.has("link", "report.csv"));
      assert(!page.address.includes("artifact="), page.address);
    },
    { [FILE]: file("hello text\n", "text/plain", "report.txt") },
  ),
  "an image": stateOf(withArtifacts("report.csv"), opened, (page) => page.until(() => page.has("img", /report/)), {
    [FILE]: file(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]), "image/png", "report.png"),
  }),
});

const peek = (state: string, body: BodyInit, type: string, name: string, text: string) =>
  [
    `a peek at ${state}`,
    stateOf(withArtifacts("report.csv"), "", (page) =>
      page.until(() =>
        document.querySelector(".answer.columns")?.textContent?.includes(text) === true
      ), {
      [FILE]: file(body, type, name),
    }),
  ] as const;

states([ArtifactPeek], {
  ...Object.fromEntries([
    peek("a text: its size and first lines", "a\n".repeat(9), "text/plain", "a.txt", "18 Ba\na\na\na\na"),
    peek("a table: its first rows", "id,n\na,42\n", "text/csv", "a.csv", "10 Bidna42"),
    peek("Markdown: formatted", "# Report\n\n**bold**", "text/markdown", "a.md", "Reportbold"),
  ]),
  "an image": stateOf(withArtifacts("report.csv"), "", (page) => page.until(() => page.has("img", /report/)), {
    [FILE]: file(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]), "image/png", "report.png"),
  }),
  "an artifact that cannot be read": stateOf(withArtifacts("report.csv"), "", (page) => {
    assert(answerIs(answers.outputsHeading)(page).has("link", "report.csv"));
  }, { [FILE]: refusal(403) }),
});
