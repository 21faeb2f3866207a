/** Journeys with words of the largest permitted length: no page is wider than the screen. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { CLUSTER_WORKFLOW_TEMPLATES, CRON_WORKFLOWS, type KubeObject, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { type Feed, NAMESPACE } from "../feed/feed.ts";
import { type Journey, journey } from "../journey.ts";

const WIDTHS = [390, 722, 1024, 1440] as const;

/** A word without a position to break a line. */
const WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(25);
const NAME = `run-${"x".repeat(249)}`;
const NODE = WORD.repeat(5);
const LABEL = "l".repeat(63);

const SPEC = {
  entrypoint: "main",
  arguments: { parameters: [{ name: "p".repeat(200), value: WORD, description: WORD, enum: [WORD, "b"] }] },
  templates: [{ name: "main", container: { image: WORD.slice(0, 300), command: ["true", WORD] } }],
};

const ANNOTATIONS = {
  "workflows.argoproj.io/title": WORD,
  "workflows.argoproj.io/description": `**${WORD}** [${WORD}](https://example.test/${WORD}) \`${WORD}\``,
};

const nodeOf = (id: string, name: string, more: object) => ({
  id,
  name,
  displayName: name,
  type: "Pod",
  templateName: "main",
  startedAt: "2026-03-28T11:57:00Z",
  ...more,
});

async function seed(feed: Feed): Promise<void> {
  const object = (kind: string, spec: unknown, namespace?: string) =>
    ({
      apiVersion: "argoproj.io/v1alpha1",
      kind,
      metadata: {
        name: NAME,
        ...(namespace ? { namespace } : {}),
        labels: { [LABEL]: LABEL },
        annotations: ANNOTATIONS,
      },
      spec,
    }) as unknown as KubeObject;
  await feed.run(NAME, {
    phase: "Failed",
    labels: { [LABEL]: LABEL },
    annotations: ANNOTATIONS,
    status: {
      message: WORD,
      conditions: [{ type: "SpecWarning", status: "True", message: WORD }],
      resourcesDuration: { cpu: 5, [`example.test/${"g".repeat(60)}`]: 7 },
      nodes: {
        [NAME]: nodeOf(NAME, NODE, {
          phase: "Failed",
          message: WORD,
          finishedAt: "2026-03-28T11:58:00Z",
          inputs: { parameters: [{ name: WORD, value: WORD }] },
          outputs: {
            parameters: [{ name: WORD, value: WORD }],
            artifacts: [{ name: WORD.slice(0, 200), s3: { key: `${WORD}.txt` } }],
            exitCode: "1",
          },
          resourcesDuration: { cpu: 5 },
          hostNodeName: WORD,
        }),
      },
    },
  });
  await feed.run("short", { status: { message: `waits: ${WORD}` }, annotations: ANNOTATIONS });
  await feed.put(
    [WORKFLOW_TEMPLATES, object("WorkflowTemplate", SPEC, NAMESPACE)],
    [CLUSTER_WORKFLOW_TEMPLATES, object("ClusterWorkflowTemplate", SPEC)],
    [
      CRON_WORKFLOWS,
      // Shorter, because the names of its runs end in a timestamp.
      {
        ...object(
          "CronWorkflow",
          { schedules: ["30 2 * * *"], timezone: "Europe/Berlin", workflowSpec: SPEC },
          NAMESPACE,
        ),
        metadata: { name: "c".repeat(52), namespace: NAMESPACE, annotations: ANNOTATIONS },
      } as unknown as KubeObject,
    ],
  );
}

/** The elements that extend beyond the screen and are not inside a scrollable element. */
const BEYOND = `(() => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  return [...document.querySelectorAll("body *")].filter((one) => {
    const { right, width } = one.getBoundingClientRect();
    if (right <= root.clientWidth + 1 || width === 0) return false;
    for (let at = one.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== "visible") return false;
    }
    return true;
  }).slice(0, 6).map((one) => one.outerHTML.slice(0, 120).replaceAll(/x{20,}|(Donau\\w+)/g, "…"));
})()`;

async function assertFits(page: Page, settled: () => Promise<void>, place: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await settled();
    const over = await page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    if (over > 0) faults.push(`${place} at ${width}: ${over} px too wide: ${await page.evaluate<string>(BEYOND)}`);
  }
  return faults;
}

function fitsScreen(name: string, addresses: readonly string[]): Journey {
  return journey(name, async ({ feed, open, page, settled, expectStatus }) => {
    expectStatus(400, 404, 501, 500);
    await seed(feed);
    const faults: string[] = [];
    for (const address of addresses) {
      await open(`${feed.url}${address}`);
      faults.push(...await assertFits(page, settled, address.replace(NAME, "NAME")));
    }
    assertEquals(faults, []);
  });
}

const RUN = `workflows/data/${NAME}`;

export const LONG_WORDS: readonly Journey[] = [
  fitsScreen("UI-86 long words: the list of runs fits the screen at any width", [
    "workflows/data",
    `workflows/data?cols=duration,progress,message,label:${LABEL}`,
    `workflows/data?peek=data/${NAME}`,
    `workflows/data?label=${LABEL}%3D${LABEL}&Contains=${"x".repeat(200)}`,
  ]),
  fitsScreen("UI-86 long words: other lists fit the screen at any width", [
    "workflow-templates/data",
    "cluster-workflow-templates",
    "cron-workflows/data",
    "reports/data",
    "event-flow/data",
    "workflow-event-bindings/data",
    "event-sources/data",
  ]),
  fitsScreen("UI-86 long words: pages without a namespace or a name fit the screen at any width", [
    "userinfo",
    "help",
    "apidocs",
    "login",
    WORD.slice(0, 500),
  ]),
  fitsScreen("UI-86 long words: templates and schedules fit the screen", [
    `workflow-templates/data/${NAME}`,
    `workflow-templates/data/${NAME}?sidePanel=submit`,
    `workflow-templates/data/${NAME}?tab=manifest`,
    `cluster-workflow-templates/${NAME}`,
    `cron-workflows/data/${"c".repeat(52)}`,
    "workflows/data?sidePanel=submit-new-workflow",
    `workflow-templates/data/${WORD.slice(0, 200)}`,
    `widgets/workflow-status-badges/data?name=${NAME}`,
    `widgets/workflow-graphs/data?name=${NAME}&showOptions=true`,
  ]),
  fitsScreen("UI-86 long words: the page of a run fits the screen in all views", [
    ...["workflow", "timeline", "tree", "logs", "events", "manifest", "artifacts", "compare"].map((tab) =>
      `${RUN}?tab=${tab}`
    ),
    `${RUN}?nodeId=${NAME}`,
    `${RUN}?nodeId=${NAME}&nodePanelView=inputs-outputs`,
    `${RUN}?nodeId=${NAME}&nodePanelView=containers`,
    `${RUN}?show=critical`,
    `${RUN}?find=${WORD.slice(0, 200)}&only=found`,
    `${RUN}?sidePanel=retry`,
    "workflows/data/short",
  ]),
];
