/** Workflows that would grow to many nodes, or to large ones. */
import { API_VERSION } from "@tiphys/base/constants";
import { CRON_WORKFLOWS } from "@tiphys/kube";
import {
  argument,
  caseOfSpec,
  caseOfTemplates,
  ENDS,
  failsWith,
  type Fields,
  HOSTILE,
  type HostileCase,
  NOTHING,
  SAY,
  SAY_IT,
  STAYS,
  SUCCEEDS,
  times,
} from "../case.ts";

const TOO_MANY = /a workflow may have \d+ nodes: node .* would exceed the maximum/;
const TOO_LONG = /has \d+ items, and a loop may have \d+/;
const TOO_DEEP = /Maximum recursion depth exceeded/;

function main(body: Fields): Fields {
  return { name: "main", ...body };
}

const step = (name: string, more: Fields = {}) => ({ name, template: "main", ...more });

/** A loop whose items are {@link NOTHING}. */
function loop(more: Fields): readonly Fields[] {
  return [main({ steps: [[{ name: "a", template: "nothing", ...more }]] }), NOTHING];
}

const dag = (tasks: readonly Fields[], more: Fields = {}) => main({ dag: { tasks, ...more } });
const task = (index: number, more: Fields = {}) => ({
  name: `t${index}`,
  template: "nothing",
  when: "1 == 2",
  ...more,
});

/** The cases of workflows that would grow too large. */
export const GROWTH: readonly HostileCase[] = [
  caseOfTemplates("recursion once", failsWith(TOO_DEEP), () => [main({ steps: [[step("a")]] })]),
  caseOfTemplates("recursion twice in steps", failsWith(TOO_MANY), () => [main({ steps: [[step("a"), step("b")]] })]),
  caseOfTemplates("recursion twice in a DAG", failsWith(TOO_MANY), () => [dag([step("a"), step("b")])]),
  caseOfTemplates(
    "recursion twice in a DAG that continues after failures",
    failsWith(TOO_MANY),
    () => [dag([step("a"), step("b")], { failFast: false })],
  ),
  caseOfTemplates(
    "recursion in a loop",
    failsWith(TOO_MANY),
    () => [main({ steps: [[step("a", { withItems: [1, 2, 3] })]] })],
  ),
  caseOfTemplates(
    "recursion in a sequence of a DAG",
    failsWith(TOO_MANY),
    () => [dag([step("a", { withSequence: { count: "9" } })])],
  ),
  caseOfTemplates(
    "recursion by hooks",
    failsWith(TOO_MANY),
    () => [
      main({
        steps: [[{ name: "a", template: "nothing", hooks: { x: hook("true"), y: hook("1 == 1") } }]],
      }),
      NOTHING,
    ],
  ),
  caseOfSpec("recursion by the exit handler", failsWith(TOO_MANY), () => ({
    entrypoint: "nothing",
    onExit: "main",
    templates: [main({ steps: [[step("a"), step("b")]] }), NOTHING],
  })),
  caseOfTemplates(
    "recursion by exit handlers of steps",
    failsWith(/Maximum recursion depth exceeded|would exceed the maximum/),
    () => [
      main({
        steps: [[{ name: "a", template: "nothing", onExit: "main" }, {
          name: "b",
          template: "nothing",
          onExit: "main",
        }]],
      }),
      NOTHING,
    ],
  ),
  caseOfTemplates(
    "recursion with unlimited retries",
    failsWith(TOO_MANY),
    () => [main({ retryStrategy: { limit: "1000", retryPolicy: "Always" }, steps: [[step("a"), step("b")]] })],
  ),
  caseOfTemplates(
    "recursion over inline templates",
    failsWith(TOO_MANY),
    () => [main({ steps: [[{ name: "a", inline: { steps: [[step("b"), step("c")]] } }]] })],
  ),
  caseOfTemplates(
    "recursion over five templates",
    failsWith(TOO_MANY),
    () =>
      times(5, (index) => ({
        name: index === 0 ? "main" : `t${index}`,
        dag: {
          tasks: times(3, (position) => ({ name: `x${position}`, template: index === 4 ? "main" : `t${index + 1}` })),
        },
      })),
  ),
  caseOfTemplates(
    "recursion of a failing template with continueOn",
    failsWith(TOO_MANY),
    () => [main({ steps: [[step("a", { continueOn: { failed: true, error: true } })], [step("b")]] })],
  ),
  caseOfTemplates(
    "recursion whose argument doubles",
    failsWith(/the inputs of node .* take \d+ bytes; the maximum is 2097152/),
    () => [
      main({
        inputs: { parameters: [{ name: "p", value: "x".repeat(1000) }] },
        steps: [[step("a", { arguments: argument("{{inputs.parameters.p}}{{inputs.parameters.p}}") })]],
      }),
    ],
  ),
  caseOfTemplates(
    "recursion whose argument quotes itself",
    failsWith(/the inputs of node .* take|Maximum recursion|tags of one object/),
    () => [
      main({
        inputs: { parameters: [{ name: "p", value: '"' }] },
        steps: [[step("a", { arguments: argument("{{=toJson(inputs.parameters.p + inputs.parameters.p)}}") })]],
      }),
    ],
  ),
  caseOfTemplates(
    "a sequence of a million numbers",
    failsWith(TOO_LONG),
    () => loop({ withSequence: { count: "1000000" } }),
  ),
  caseOfTemplates(
    "a sequence from the least to the greatest number",
    failsWith(TOO_LONG),
    () => loop({ withSequence: { start: "-9223372036854775808", end: "9223372036854775807" } }),
  ),
  caseOfTemplates(
    "a long sequence that counts backward",
    failsWith(TOO_LONG),
    () => loop({ withSequence: { count: "-9000000" } }),
  ),
  caseOfTemplates(
    "a sequence with an infinite count",
    failsWith(/invalid syntax/),
    () => loop({ withSequence: { count: "Infinity" } }),
  ),
  caseOfTemplates("a sequence of 1e400", failsWith(/invalid syntax/), () => loop({ withSequence: { count: "1e400" } })),
  caseOfTemplates(
    "a sequence beyond any integer",
    failsWith(/value out of range/),
    () => loop({ withSequence: { count: "9".repeat(400) } }),
  ),
  caseOfTemplates(
    "a sequence with a wide format",
    failsWith(/characters|width|format|%!/),
    () => loop({ withSequence: { count: "2000", format: "%100000d" } }),
  ),
  caseOfTemplates(
    "a list of 100,000 items",
    failsWith(TOO_LONG),
    () => loop({ withItems: times(100_000, (index) => index) }),
  ),
  caseOfTemplates(
    "a parameter of 200,000 items",
    failsWith(TOO_LONG),
    () => loop({ withParam: JSON.stringify(times(200_000, () => 1)) }),
  ),
  caseOfTemplates(
    "a parameter of empty lists",
    failsWith(TOO_LONG),
    () => loop({ withParam: `[${"[],".repeat(400_000)}[]]` }),
  ),
  caseOfTemplates(
    "a parameter that is not a list",
    failsWith(/could not be parsed as a JSON list/),
    () => loop({ withParam: "{}" }),
  ),
  caseOfTemplates(
    "items nested thousands deep, as a string",
    ENDS,
    () => loop({ withParam: `[${"[".repeat(50_000)}${"]".repeat(50_000)}]` }),
  ),
  caseOfTemplates(
    "loops in loops in loops",
    failsWith(TOO_MANY),
    () => [
      main({ steps: [[{ name: "a", template: "b", withSequence: { count: "100" } }]] }),
      { name: "b", steps: [[{ name: "a", template: "c", withSequence: { count: "100" } }]] },
      { name: "c", steps: [[{ name: "a", template: "nothing", withSequence: { count: "100" } }]] },
      NOTHING,
    ],
  ),
  caseOfSpec("inputs of all children together", failsWith(/the nodes of a workflow may take \d+ bytes/), () => ({
    entrypoint: "main",
    arguments: { parameters: [{ name: "big", value: "x".repeat(900_000) }] },
    templates: [
      main({
        steps: [[{
          name: "a",
          template: "taker",
          withSequence: { count: "2000" },
          arguments: argument("{{workflow.parameters.big}}"),
        }]],
      }),
      { name: "taker", inputs: { parameters: [{ name: "p" }] }, suspend: {} },
    ],
  })),
  caseOfSpec("inputs of all children together, each its own", failsWith(/filled-in characters/), () => ({
    entrypoint: "main",
    arguments: { parameters: [{ name: "big", value: "x".repeat(900_000) }] },
    templates: [
      main({
        steps: [[{
          name: "a",
          template: "taker",
          withSequence: { count: "2000" },
          arguments: argument("{{workflow.parameters.big}}{{item}}"),
        }]],
      }),
      { name: "taker", inputs: { parameters: [{ name: "p" }] }, suspend: {} },
    ],
  })),
  caseOfTemplates("pods with large arguments", failsWith(/may take|would take|exceed the limit/), () => [
    main({
      inputs: { parameters: [{ name: "big", value: "x".repeat(700_000) }] },
      steps: [[{
        name: "a",
        template: "say-it",
        withSequence: { count: "500" },
        arguments: argument("{{inputs.parameters.big}}{{item}}"),
      }]],
    }),
    SAY_IT,
  ]),
  caseOfTemplates("billion laughs by parameters", ENDS, () => [
    main({
      inputs: {
        parameters: times(30, (index) => ({
          name: `p${index}`,
          value: index === 0 ? "ha" : `{{inputs.parameters.p${index - 1}}}`.repeat(10),
        })),
      },
      suspend: { duration: "0s" },
    }),
  ]),
  caseOfTemplates("billion laughs by calls", failsWith(/may make|may take|exceeds/), () => [
    main({ steps: [[{ name: "a", template: "t0", arguments: argument("ha") }]] }),
    ...times(12, (index) => ({
      name: `t${index}`,
      inputs: { parameters: [{ name: "p" }] },
      ...(index === 11 ? { suspend: {} } : {
        steps: [[{
          name: "a",
          template: `t${index + 1}`,
          arguments: argument("{{inputs.parameters.p}}".repeat(10)),
        }]],
      }),
    })),
  ]),
  caseOfTemplates("a DAG of 3,000 tasks in a chain", ENDS, () => [
    dag(times(3000, (index) => task(index, index ? { dependencies: [`t${index - 1}`] } : {}))),
    NOTHING,
  ]),
  caseOfTemplates(
    "a DAG of 5,000 independent tasks",
    failsWith(TOO_MANY),
    () => [dag(times(5000, (index) => task(index))), NOTHING],
  ),
  caseOfTemplates("a dense DAG of 300 tasks", SUCCEEDS, () => [
    dag(times(300, (index) => task(index, { dependencies: times(index, (position) => `t${position}`) }))),
    NOTHING,
  ]),
  caseOfTemplates("a DAG of layers with wide conditions", ENDS, () => [
    dag(
      times(200, (index) =>
        task(
          index,
          index < 20 ? {} : {
            depends: times(20, (position) =>
              `(t${Math.floor(index / 20) * 20 - 20 + position}.Succeeded || t${
                Math.floor(index / 20) * 20 - 20 + position
              }.Failed)`).join(" && "),
          },
        )),
    ),
    NOTHING,
  ]),
  caseOfTemplates("a DAG with a cycle", failsWith(/graph with cycle/), () => [
    dag([task(0, { dependencies: ["t1"] }), task(1, { dependencies: ["t0"] })]),
    NOTHING,
  ]),
  caseOfTemplates("a DAG with a cycle of 3,000", failsWith(/graph with cycle/), () => [
    dag(times(3000, (index) => task(index, { dependencies: [`t${(index + 1) % 3000}`] }))),
    NOTHING,
  ]),
  caseOfTemplates("a DAG with a thousand targets", ENDS, () => [
    dag(times(1000, (index) => task(index)), { target: times(1000, (index) => `t${index}`).join(" ") }),
    NOTHING,
  ]),
  caseOfTemplates("a condition of 100,000 parentheses", failsWith(/./), () => [
    dag([task(0), task(1, { depends: `${"(".repeat(100_000)}t0${")".repeat(100_000)}` })]),
    NOTHING,
  ]),
  caseOfTemplates("3,000 groups of steps", ENDS, () => [
    main({ steps: times(3000, (index) => [{ name: `s${index}`, template: "nothing", when: "1 == 2" }]) }),
    NOTHING,
  ]),
  caseOfTemplates("1,000 hooks on one step", STAYS, () => [
    main({
      steps: [[{
        name: "a",
        template: "say",
        hooks: Object.fromEntries(
          times(1000, (index) => [`h${index}`, { template: "nothing", expression: `steps.a.status == "${index}"` }]),
        ),
      }]],
    }),
    SAY,
    NOTHING,
  ]),
  caseOfTemplates("a container set of a hundred dense members", STAYS, () => [
    main({
      containerSet: {
        containers: times(100, (index) => ({
          name: `c${index}`,
          image: "busybox",
          command: ["echo"],
          dependencies: index < 2 ? [] : [`c${index - 2 - index % 2}`, `c${index - 1 - index % 2}`],
        })),
      },
    }),
  ]),
  caseOfTemplates("a histogram of 60,000 buckets", ENDS, () => [
    {
      ...NOTHING,
      name: "main",
      metrics: {
        prometheus: [{ name: "h", help: "h", histogram: { value: "1", buckets: times(60_000, (index) => index) } }],
      },
    },
  ]),
  caseOfTemplates("items of lists in lists", ENDS, () => [
    main({ steps: [[{ name: "a", template: "nothing", withParam: `${"[".repeat(150)}${"]".repeat(150)}` }]] }),
    NOTHING,
  ]),
  cron("a cron condition that takes long", { when: "{{=len(map(1..3000, {len(1..300)})) > 0}}" }),
  cron("a stop condition that takes long", {
    stopStrategy: { expression: "len(filter(1..999999, {# % 2 == 0})) > 5" },
  }),
  cron("a hundred schedules that rarely fire", {
    schedules: times(100, (index) => `CRON_TZ=America/New_York ${index % 60} 2 29 2 ${index % 7}`),
  }),
  cron("a hundred schedules of every second", {
    schedules: times(100, () => "@every 1s"),
    concurrencyPolicy: "Forbid",
  }),
  caseOfTemplates("unlimited retries", STAYS, () => [
    main({
      retryStrategy: { retryPolicy: "Always" },
      steps: [[{ name: "a", template: "missing-input" }]],
    }),
    { name: "missing-input", inputs: { parameters: [{ name: "p" }] }, suspend: {} },
  ]),
  caseOfTemplates("a retry whose back-off is infinite", STAYS, () => [
    main({
      retryStrategy: { limit: "100", backoff: { duration: "1", factor: "99999" } },
      container: { image: "x", command: ["x"] },
    }),
  ]),
  caseOfTemplates(
    "outputs that are larger than a node",
    failsWith(/the outputs of a node may take|budget|memory/),
    () => [
      main({
        steps: [[{ name: "a", template: "nothing" }]],
        outputs: {
          parameters: times(
            200,
            (index) => ({ name: `o${index}`, valueFrom: { expression: `join(map(1..90000, "xxxxxxxxx"))` } }),
          ),
        },
      }),
      NOTHING,
    ],
  ),
  caseOfTemplates("100,000 tags in one string", ENDS, () => [
    main({ container: { image: "busybox", command: ["echo"], args: ["{{workflow.name}}".repeat(60_000)] } }),
  ]),
  caseOfTemplates("100,000 unclosed braces", ENDS, () => [
    main({ container: { image: "busybox", command: ["echo"], args: ["{{".repeat(100_000)] } }),
  ]),
];

/** A CronWorkflow with these fields. */
function cron(name: string, spec: Fields): HostileCase {
  const workflowSpec = { entrypoint: "say", templates: [SAY] };
  const metadata = { name: HOSTILE };
  const object = {
    apiVersion: API_VERSION,
    kind: "CronWorkflow",
    metadata,
    spec: { schedules: ["* * * * *"], workflowSpec, ...spec },
  };
  return { name, outcome: STAYS, make: () => [{ resource: CRON_WORKFLOWS, object }] };
}

function hook(expression: string): Fields {
  return { template: "main", expression };
}
