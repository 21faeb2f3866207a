/** Expressions, patterns, names and strings of all kinds. */
import {
  argument,
  caseOfSpec,
  caseOfTemplates,
  ENDS,
  failsWith,
  type Fields,
  type HostileCase,
  NOTHING,
  refused,
  SAY,
  STAYS,
  SUCCEEDS,
  times,
  workflow,
} from "../case.ts";

/** A workflow whose only step runs when an expression holds. */
function workflowWithWhen(name: string, expression: string, outcome = ENDS): HostileCase {
  return caseOfTemplates(name, outcome, () => [
    { name: "main", steps: [[{ name: "a", template: "nothing", when: `{{=${expression}}}` }]] },
    NOTHING,
  ]);
}

/** A workflow of one pod with an argument. */
function withArgument(name: string, text: string, outcome = ENDS): HostileCase {
  return caseOfTemplates(
    name,
    outcome,
    () => [{ name: "main", container: { image: "busybox", command: ["echo"], args: [text] } }],
  );
}

const main = (body: Fields): Fields => ({ name: "main", ...body });

/** The cases of hostile expressions, patterns, names and strings. */
export const TEXTS: readonly HostileCase[] = [
  workflowWithWhen("a version pattern of spaces", `sprig.semverCompare(">=1${" ".repeat(87)}x", "1.0.0")`),
  workflowWithWhen("a version of digits", `sprig.semverCompare(">=1", "${"1.".repeat(5000)}")`),
  workflowWithWhen("bcrypt in a loop", `len(map(1..1000, sprig.bcrypt("x"))) > 0`),
  workflowWithWhen("keys in a loop", `len(map(1..1000, sprig.genPrivateKey("rsa"))) > 0`),
  workflowWithWhen("keys derived in a loop", `len(map(1..1000, sprig.derivePassword(1, "long", "x", "y", "z"))) > 0`),
  workflowWithWhen("an authority", `len(sprig.genCA("x", 1).Cert) > 0`, SUCCEEDS),
  workflowWithWhen(
    "a map that contains itself",
    `let d = sprig.dict("a", 1); len(sprig.toJson(sprig.set(d, "d", d))) > 0`,
  ),
  withArgument("a list that was doubled sixty times, in a tag", "{{=reduce(1..60, [#acc, #acc], 1)}}"),
  workflowWithWhen("a pattern of nested repeats", `"${"a".repeat(40)}b" matches "^(a+)+$"`),
  workflowWithWhen("a pattern of counted repeats", `"a" matches "((a{1,1000}){1,1000}){1,1000}"`),
  workflowWithWhen(
    "a pattern in a loop",
    `len(filter(1..100000, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" matches "(a|a)*b")) > 0`,
  ),
  workflowWithWhen("ranges in ranges", "len(map(1..1000, map(1..1000, map(1..1000, 1)))) > 0"),
  workflowWithWhen("an endless range", "len(1..9000000000000) > 0"),
  workflowWithWhen("a string that doubles", `len(reduce(1..60, #acc + #acc, "x")) > 0`),
  workflowWithWhen("a string that is repeated", `len(repeat("x", 2000000000)) > 0`),
  workflowWithWhen("base64 in a loop", `len(reduce(1..200, toBase64(#acc), "x")) > 0`),
  workflowWithWhen("quotes in a loop", `len(reduce(1..200, toJson(#acc), "x")) > 0`),
  workflowWithWhen(
    "encryption in a loop",
    `len(map(1..10000, sprig.encryptAES("0123456789abcdef", "${"x".repeat(100)}"))) > 0`,
  ),
  workflowWithWhen("a sort of a long list", "len(sortBy(1..900000, -#)) > 0"),
  workflowWithWhen("a hundred thousand parentheses", `${"(".repeat(100_000)}1${")".repeat(100_000)} == 1`),
  workflowWithWhen("a hundred thousand negations", `${"!".repeat(100_000)}true`),
  workflowWithWhen("a sum of a hundred thousand", `${"1+".repeat(100_000)}1 > 0`),
  workflowWithWhen("access to JavaScript", `constructor.constructor("return process")() != nil`),
  workflowWithWhen("access to a prototype", `__proto__.polluted == "yes"`),
  workflowWithWhen("access to the environment", `sprig.env("PATH") == "" || sprig.expandenv("$HOME") == ""`),
  workflowWithWhen(
    "a JSON path that descends",
    `jsonpath('{"a":${"[".repeat(80)}${"]".repeat(80)}}', "${"$..*".repeat(50)}") == nil`,
  ),
  workflowWithWhen("lists that double in a reduction", "len(toJson(reduce(1..40, {[#acc, #acc]}, [1]))) > 0"),
  workflowWithWhen(
    "lists of one long text",
    "let a = repeat('x', 900000); let b = [a, a, a, a, a, a]; len(toJson([b, b, b, b])) > 0",
  ),
  workflowWithWhen("slices of a text of invalid characters", `len(map(1..100, repeat("\ud83d", 900000)[1:2])) > 0`),
  workflowWithWhen("a format of ten million digits", `sprig.printf("%09999999d", 1) == ""`),
  caseOfTemplates("a condition of very many words", ENDS, () => [
    main({ steps: [[{ name: "a", template: "nothing", when: "a == a && ".repeat(20_000) + "true" }]] }),
    NOTHING,
  ]),
  caseOfTemplates("a bomb of bcrypt in a loop of steps", failsWith(/may take|budget|exceeded/), () => [
    main({
      steps: [[{
        name: "a",
        template: "nothing",
        withSequence: { count: "2000" },
        when: '{{=sprig.bcrypt(item) == ""}}',
      }]],
    }),
    NOTHING,
  ]),
  withArgument("a tag with a NUL in it", "{{inputs.\u0000}}"),
  withArgument("a tag of emoji", "{{🦖}} {{workflow.🦖}}"),
  withArgument("half a surrogate pair", "{{workflow.name}}\ud83e"),
  withArgument("tags in tags in tags", "{{".repeat(500) + "workflow.name" + "}}".repeat(500)),
  withArgument("a tag of a megabyte", `{{${"x".repeat(900_000)}}}`),
  withArgument("quotes and a shell", `'"; $(id); \`id\` {{=1+1}} \\u0000`, SUCCEEDS),
  withArgument("a string of a megabyte", "x".repeat(1_000_000)),
  caseOfTemplates("a thousand outputs of one pattern", STAYS, () => [
    main({
      container: { image: "busybox", command: ["echo"] },
      outputs: { parameters: times(1000, (index) => ({ name: `o${index}`, valueFrom: { path: `/tmp/${index}` } })) },
    }),
  ]),
  caseOfTemplates(
    "a pod patch that is not JSON",
    failsWith(/PodSpecPatch/),
    () => [main({ podSpecPatch: "{", ...container() })],
  ),
  caseOfTemplates("a pod patch of aliases", ENDS, () => [
    main({
      podSpecPatch: `a: &a [x,x,x,x,x,x,x,x,x]\n${
        times(12, (index) => `${letterAt(index + 1)}: &${letterAt(index + 1)} [${`*${letterAt(index)},`.repeat(9)}]`)
          .join(
            "\n",
          )
      }`,
      ...container(),
    }),
  ]),
  caseOfTemplates(
    "a pod patch of a deep list",
    ENDS,
    () => [main({ podSpecPatch: `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, ...container() })],
  ),
  caseOfTemplates("a pod patch of thousands of variables", SUCCEEDS, () => [
    main({
      podSpecPatch: JSON.stringify({
        containers: [{ name: "main", env: times(2500, (index) => ({ name: `E${index}`, value: "x" })) }],
      }),
      ...container(),
    }),
  ]),
  caseOfTemplates(
    "a pod patch of thousands of containers",
    failsWith(/podSpecPatch of template "main" has 3000 containers, and a pod may have 500/),
    () => [
      main({
        podSpecPatch: JSON.stringify({
          containers: times(3000, (index) => ({ name: `c${index}`, image: "busybox", command: ["x"] })),
        }),
        ...container(),
      }),
    ],
  ),
  caseOfTemplates(
    "a pod patch of long YAML in every pod of a loop",
    failsWith(/podSpecPatch of template "patched" has \d+ characters; without JSON syntax, the limit is 65536/),
    () => [
      main({ steps: [[{ name: "a", template: "patched", withSequence: { count: "40" } }]] }),
      {
        name: "patched",
        podSpecPatch: `nodeSelector:\n${times(6000, (index) => `  k${index}: "a value"\n`).join("")}`,
        ...container(),
      },
    ],
  ),
  caseOfTemplates("a manifest of many keys", ENDS, () => [
    {
      name: "main",
      resource: { action: "create", manifest: times(18_000, (index) => `k${index}: 1\n`).join("").slice(0, 250_000) },
    },
  ]),
  caseOfTemplates("a manifest of anchors", ENDS, () => [
    {
      name: "main",
      resource: { action: "create", manifest: times(12_000, (index) => `- &a${index} 1\n`).join("") },
    },
  ]),
  caseOfTemplates("a manifest of aliases", ENDS, () => [
    main({
      resource: {
        action: "create",
        manifest: `a: &a [x,x,x,x,x,x,x,x,x]\n${
          times(9, (index) => `${letterAt(index + 1)}: &${letterAt(index + 1)} [${`*${letterAt(index)},`.repeat(9)}]`)
            .join(
              "\n",
            )
        }`,
      },
    }),
  ]),
  caseOfSpec("workflow arguments named as prototypes", ENDS, () => ({
    entrypoint: "main",
    arguments: { parameters: [{ name: "__proto__", value: "x" }, { name: "constructor", value: "y" }] },
    templates: [
      main({ inputs: { parameters: [{ name: "__proto__" }, { name: "toString" }] }, suspend: { duration: "0s" } }),
    ],
  })),
  caseOfSpec("templates named as prototypes", ENDS, () => ({
    entrypoint: "__proto__",
    templates: [{ name: "__proto__", steps: [[{ name: "constructor", template: "toString" }]] }, {
      name: "toString",
      suspend: { duration: "0s" },
    }],
  })),
  caseOfSpec("an empty spec", failsWith(/./), () => ({})),
  caseOfSpec("a missing entrypoint", failsWith(/./), () => ({ entrypoint: "nowhere", templates: [SAY] })),
  caseOfSpec("a negative deadline", ENDS, () => ({ entrypoint: "say", activeDeadlineSeconds: -1, templates: [SAY] })),
  caseOfSpec(
    "an invalid deadline",
    SUCCEEDS,
    () => ({ entrypoint: "say", activeDeadlineSeconds: 9007199254740991, templates: [SAY] }),
  ),
  caseOfSpec("a TTL in the past", STAYS, () => ({
    entrypoint: "say",
    ttlStrategy: { secondsAfterCompletion: -2147483648 },
    templates: [SAY],
  })),
  caseOfSpec("a negative parallelism", STAYS, () => ({ entrypoint: "say", parallelism: -5, templates: [SAY] })),
  caseOfTemplates(
    "a suspension with an invalid duration",
    failsWith(/./),
    () => [main({ suspend: { duration: "for ever" } })],
  ),
  caseOfTemplates("a suspension of a negative duration", ENDS, () => [main({ suspend: { duration: "-99999h" } })]),
  caseOfTemplates("a suspension of 300,000 digits", failsWith(/invalid duration/), () => [
    main({ suspend: { duration: `${"9".repeat(300_000)}h` } }),
  ]),
  caseOfTemplates("a retry limit of a million digits", ENDS, () => [
    main({ retryStrategy: { limit: "9".repeat(1_000_000) }, ...container() }),
  ]),
  caseOfTemplates("a suspension of 1e400 seconds", STAYS, () => [main({ suspend: { duration: "1e400" } })]),
  caseOfTemplates("an invalid timeout", ENDS, () => [main({ timeout: "soon", ...container() })]),
  caseOfTemplates("a timeout of many digits", ENDS, () => [main({ timeout: `${"9".repeat(5000)}s`, ...container() })]),
  caseOfTemplates("an infinite retry limit", ENDS, () => [main({ retryStrategy: { limit: "1e400" }, ...container() })]),
  caseOfTemplates(
    "a template deadline that is a string",
    ENDS,
    () => [main({ activeDeadlineSeconds: "{{workflow.name}}", ...container() })],
  ),
  caseOfSpec("an invalid delay of pods", ENDS, () => ({
    entrypoint: "say",
    podGC: { strategy: "OnPodCompletion", deleteDelayDuration: "NaN" },
    templates: [SAY],
  })),
  caseOfSpec("a selector of pods with 10,000 requirements", ENDS, () => ({
    entrypoint: "say",
    podGC: {
      strategy: "OnPodSuccess",
      labelSelector: { matchExpressions: times(10_000, (index) => ({ key: `k${index}`, operator: "DoesNotExist" })) },
    },
    templates: [SAY],
  })),
  caseOfSpec("labels computed by an expensive expression", ENDS, () => ({
    entrypoint: "say",
    workflowMetadata: { labelsFrom: { a: { expression: 'repeat("x", 1000000)' } } },
    templates: [SAY],
  })),
  caseOfSpec("invalid labels", failsWith(/./), () => ({
    entrypoint: "say",
    workflowMetadata: { labels: { a: "{{workflow.name}} !" } },
    templates: [SAY],
  })),
  {
    name: "a name of 300 letters",
    outcome: refused(/no more than 253/),
    make: () => [workflow({ metadata: { name: "x".repeat(300) }, spec: { entrypoint: "say", templates: [SAY] } })],
  },
  {
    name: "a name with a path outside",
    outcome: refused(/RFC 1123|may not contain/),
    make: () => [workflow({ metadata: { name: "../../etc" }, spec: { entrypoint: "say", templates: [SAY] } })],
  },
  {
    name: "annotations of half a megabyte",
    outcome: ENDS,
    make: () => [
      workflow({
        metadata: { annotations: { a: "x".repeat(500_000) } },
        spec: { entrypoint: "say", templates: [SAY] },
      }),
    ],
  },
  {
    name: "our annotations with invalid values",
    outcome: ENDS,
    make: () => [
      workflow({
        metadata: {
          annotations: {
            "workflows.argoproj.io/pod-name-format": "v9",
            "workflows.argoproj.io/scheduled-time": "yesterday",
            "workflows.argoproj.io/title": "{{=1+",
          },
          labels: { "workflows.argoproj.io/phase": "Succeeded", "workflows.argoproj.io/completed": "true" },
        },
        spec: { entrypoint: "say", templates: [SAY] },
      }),
    ],
  },
  caseOfTemplates("an argument that spells a tag", SUCCEEDS, () => [
    main({
      steps: [[{
        name: "a",
        template: "say-tag",
        arguments: argument("{{=repeat('x', 900000)}}".replace("{{", "{{")),
      }]],
    }),
    { name: "say-tag", inputs: { parameters: [{ name: "p" }] }, suspend: { duration: "0s" } },
  ]),
];

function container(): Fields {
  return { container: { image: "busybox", command: ["echo"] } };
}

function letterAt(index: number): string {
  return String.fromCharCode(97 + index);
}
