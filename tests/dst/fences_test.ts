/** The need for the fences: without each of them the simulation finds a fault. */
import { assert, assertEquals } from "@std/assert";
import { readCase } from "./case.ts";
import type { Likelihood } from "./faults.ts";
import { clientWithout, type Fence, FENCES } from "./fences.ts";
import { judge } from "./oracles.ts";
import { shrink } from "./shrink.ts";
import { runCase } from "./simulation.ts";

/** A disabled fence, and the number of seeds within which the simulation must find the consequence. */
interface Trial {
  readonly fence: Fence;
  readonly cases: readonly string[];
  readonly controllers: 1 | 2;
  readonly likelihood: Likelihood;
  readonly seeds: number;
  /** The oracle that finds it. */
  readonly oracle: string;
}

const always = { has: 1, frequency: 0.8 };
const STOPPED: Likelihood = {
  pause: { has: 1, frequency: 0.12 },
  behind: always,
  answerLost: { has: 0.7, frequency: 0.15 },
};

const TRIALS: readonly Trial[] = [
  {
    fence: "leaseGuard",
    cases: ["chain"],
    controllers: 2,
    likelihood: STOPPED,
    seeds: 20,
    oracle: "hasOneActiveController",
  },
  { fence: "leaseVersion", cases: ["hello"], controllers: 1, likelihood: {}, seeds: 1, oracle: "writesConditionally" },
  { fence: "epoch", cases: ["fan-out"], controllers: 2, likelihood: STOPPED, seeds: 20, oracle: "actsInOwnEpoch" },
  {
    fence: "workflowVersion",
    cases: ["hello"],
    controllers: 1,
    likelihood: {},
    seeds: 1,
    oracle: "writesConditionally",
  },
  {
    fence: "podConditions",
    cases: ["pod-gc-at-once"],
    controllers: 1,
    likelihood: {},
    seeds: 1,
    oracle: "writesConditionally",
  },
  {
    fence: "ownKey",
    cases: ["chain", "script"],
    controllers: 1,
    likelihood: { forged: { has: 1, frequency: 1 } },
    seeds: 10,
    oracle: "sameResult",
  },
];

/** The first seed for which the oracle reports a problem. */
async function firstSeedThatFails({ fence, cases, seeds, oracle, ...options }: Trial, isOff: boolean) {
  for (let seed = 1; seed <= seeds; seed++) {
    for (const name of cases) {
      const testCase = readCase(name);
      const without = new Set(isOff ? [fence] : []);
      const faultless = await runCase({ case: testCase, seed: "faultless", faults: [] });
      const evidence = await runCase({ ...options, case: testCase, seed: String(seed), faultless, without });
      if (judge(evidence).some((problem) => problem.startsWith(`${oracle}:`))) {
        return { one: testCase, seed, evidence, without };
      }
    }
  }
  return undefined;
}

for (const trial of TRIALS) {
  Deno.test(`fence ${trial.fence}: without it, ${trial.oracle} reports a problem within ${trial.seeds} seeds`, async () => {
    const found = await firstSeedThatFails(trial, true);
    assert(found);
    assertEquals(await firstSeedThatFails({ ...trial, seeds: Math.min(found.seed, 3) }, false), undefined);
  });
}

Deno.test("fences: each fence has a trial", () => {
  assertEquals(TRIALS.map(({ fence }) => fence).sort(), FENCES.toSorted());
});

Deno.test("fences: with all of them a client sends requests unchanged", async () => {
  const sent: unknown[] = [];
  const answer = (_path: string, init: RequestInit = {}) => {
    sent.push(JSON.parse(String(init.body)));
    return Promise.resolve(Response.json({ metadata: {} }));
  };
  const transport = { fetch: answer, webSocket: () => Promise.reject(new Error()), close: () => {} };
  const body = { metadata: { uid: "u", resourceVersion: "7" } };
  const path = "/api/v1/namespaces/default/pods/p";
  await clientWithout(new Set(), transport).request("PATCH", path, { body });
  await clientWithout(new Set(["podConditions"]), transport).request("PATCH", path, { body });
  assertEquals(sent, [body, { metadata: {} }]);
});

Deno.test("shrink: a failed run becomes small enough to read", async () => {
  const trial = TRIALS.find(({ fence }) => fence === "ownKey")!;
  const found = await firstSeedThatFails({ ...trial, cases: ["chain"] }, true);
  assert(found);
  const { one, seed, evidence, without } = found;
  const smallest = await shrink({ case: one, seed: String(seed), faults: evidence.trace, without });
  assert(smallest);
  assertEquals(smallest.faults.map(({ kind }) => kind), ["forged"]);
  assertEquals(JSON.stringify(smallest.case).length < JSON.stringify(one).length, true, "fewer steps fail as badly");
  assertEquals(await shrink({ case: one, seed: String(seed), faults: smallest.faults }), undefined);
});
