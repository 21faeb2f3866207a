import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { moneyText } from "../../../ui/model/cost.ts";
import { Layout } from "../../../ui/model/graph/layout.ts";
import { type Part, partsIn } from "../../../ui/model/graph/part.ts";
import { partsOf } from "../../../ui/model/graph/parts.ts";
import { SHADE_COLOURS, toSvg } from "../../../ui/model/graph/svg.ts";
import { type Colouring, tintsOf } from "../../../ui/model/graph/tint.ts";

const NOW = Date.parse("2026-03-01T00:10:00Z");
const PRICES = { currency: "EUR", perHour: { cpu: 36 } };

const at = (seconds: number) => new Date(NOW - 600_000 + seconds * 1000).toISOString().replace(".000", "");

/** A DAG of tasks, with the duration, the host and the template of each. */
function dag(tasks: Readonly<Record<string, Partial<NodeStatus> & { readonly seconds?: number }>>): Part {
  const root = { id: "run", name: "run", displayName: "run", type: "DAG", phase: "Running", templateName: "main" };
  const nodes = Object.entries(tasks).map(([name, { seconds, ...more }]) => ({
    id: name,
    name: `run.${name}`,
    displayName: name,
    type: "Pod",
    phase: "Succeeded",
    boundaryID: "run",
    templateName: "work",
    startedAt: at(0),
    ...(seconds === undefined ? {} : { finishedAt: at(seconds), resourcesDuration: { cpu: seconds } }),
    ...more,
  }));
  const all = [{ ...root, startedAt: at(0) }, ...nodes] as NodeStatus[];
  return partsOf({
    metadata: { name: "run" },
    spec: {
      entrypoint: "main",
      templates: [
        {
          name: "main",
          dag: { tasks: nodes.map(({ displayName, templateName }) => ({ name: displayName, template: templateName })) },
        },
        ...["work", "other"].map((name) => ({ name, container: { image: "alpine" } })),
      ],
    },
    status: { phase: "Running", nodes: Object.fromEntries(all.map((created) => [created.id, created])) },
  } as Workflow);
}

function tinted(whole: Part, colouring: Colouring) {
  const tints = tintsOf(whole, colouring, { now: NOW, prices: PRICES });
  const parts = [...partsIn(whole)].filter(({ members }) => members.length === 0);
  return {
    parts: Object.fromEntries(parts.map((part) => [part.label, Object.values(tints.tintOf(part) ?? {}).join(" ")])),
    legend: tints.legend.map(({ shade, text }) => `${shade} ${text}`),
  };
}

Deno.test("tint: by duration, a part is darker the closer it is to the longest one", () => {
  const whole = dag({ long: { seconds: 100 }, half: { seconds: 50 }, short: { seconds: 2 } });
  assertEquals(tinted(whole, "duration"), {
    parts: { long: "heat-5 1m 40s", half: "heat-3 50s", short: "heat-1 2s" },
    legend: ["heat-1 ≤ 10s", "heat-2 ≤ 25s", "heat-3 ≤ 50s", "heat-4 ≤ 1m 15s", "heat-5 ≤ 1m 40s"],
  });
});

Deno.test("tint: a running part counts until now, and waiting or omitted parts have no color", () => {
  const whole = dag({
    runs: { phase: "Running" },
    done: { seconds: 60 },
    waits: { phase: "Pending" },
    skipped: { type: "Skipped", phase: "Skipped", seconds: 0 },
  });
  assertEquals(tinted(whole, "duration").parts, {
    runs: "heat-5 10m",
    done: "heat-1 1m",
    waits: "",
    skipped: "",
  });
});

Deno.test("tint: by cost, it shows amounts if prices are known, otherwise processor time", () => {
  const whole = dag({ dear: { seconds: 100 }, cheap: { seconds: 10 }, unknown: { resourcesDuration: undefined } });
  const money = (amount: number) => moneyText(amount, PRICES);
  assertEquals(tinted(whole, "cost").parts, {
    dear: `heat-5 ${money(1)}`,
    cheap: `heat-1 ${money(0.1)}`,
    unknown: "",
  });
  const { tintOf: of, legend } = tintsOf(whole, "cost", { now: NOW, prices: undefined });
  const [dear] = [...partsIn(whole)].filter(({ label }) => label === "dear");
  assertEquals([of(dear!)?.text, legend.at(-1)?.text], ["1m 40s CPU", "≤ 1m 40s CPU"]);
});

Deno.test("tint: the most frequent names have distinct hues, and the others share one", () => {
  const tasks = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`t${i}`, { seconds: 1, hostNodeName: `node-${i < 6 ? 0 : i % 9}` }]),
  );
  const { parts, legend } = tinted(dag(tasks), "host");
  assertEquals([parts.t0, parts.t6], ["kind-1 node-0", "kind-3 node-6"]);
  assertEquals(legend.length, 7);
  assertEquals(legend.at(-1), "kind-7 3 others");
});

Deno.test("tint: by template, nodes of one template have one color", () => {
  const whole = dag({ a: { seconds: 1 }, b: { seconds: 1 }, c: { seconds: 1, templateName: "other" } });
  const { parts, legend } = tinted(whole, "template");
  assertEquals(parts, { a: "kind-1 work", b: "kind-1 work", c: "kind-2 other" });
  assertEquals(legend, ["kind-1 work", "kind-2 other"]);
});

Deno.test("tint: an exported picture has the same colors", () => {
  const whole = dag({ long: { seconds: 100 }, short: { seconds: 1 } });
  const picture = new Layout().layOut(whole, new Set([whole.key]));
  const tints = tintsOf(whole, "duration", { now: NOW, prices: undefined });
  const [plain, coloured] = [toSvg(picture), toSvg(picture, tints)];
  assertEquals(plain.includes(SHADE_COLOURS["heat-5"]), false);
  assertEquals([coloured.includes(SHADE_COLOURS["heat-5"]), coloured.includes(SHADE_COLOURS["heat-1"])], [true, true]);
});

Deno.test("tint: without data, there is no legend", () => {
  const whole = dag({ a: { seconds: 1, resourcesDuration: undefined } });
  assertEquals([tinted(whole, "cost").legend, tinted(whole, "host").legend], [[], []]);
});
