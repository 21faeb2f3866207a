/** Values are data: a value inserted anywhere is unchanged in the output, and nothing in it is interpreted. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { aggregate } from "./aggregate.ts";
import { processArguments, substituteParameters } from "./arguments.ts";
import { evaluateCondition } from "./condition.ts";
import { evaluateCronStop } from "./cron/conditions.ts";
import { parseSchedule } from "./cron/schedule.ts";
import { CronError } from "./cron/field.ts";
import { transformData } from "./data_transform.ts";
import { TemplateError } from "./error.ts";
import { workflowGlobals } from "./globals.ts";
import { Item } from "./item.ts";
import { expandLoop } from "./loop.ts";
import { nodeScope } from "./node_scope.ts";
import { outputParameters } from "./output.ts";
import { markAsValues, recordDerived, recordMerged } from "./plan.ts";
import { replaceField, replaceTags } from "./replace.ts";
import { evaluateResourceConditions } from "./resource_condition.ts";
import { retryScope } from "./retry_scope.ts";
import { labelValueErrors } from "@tiphys/base/selector/label_rules";
import { parseRequirements, SelectorError } from "@tiphys/base/selector/label_selector";
import { evaluateWhen } from "./when/when.ts";
import { workflowMetadata } from "./workflow_metadata.ts";

/** Texts that could be misinterpreted: tags, expressions, quotes, JSON, conditions, control characters. */
const MISLEADING_TEXTS = [
  "{{other}}",
  "{{=1 + 1}}",
  "{{",
  "}}",
  "{{=",
  '"',
  "'",
  "\\",
  "\\u003c",
  "\n",
  "\u0000",
  "\u001b[31m",
  "\u2028",
  '{"a":1}',
  "[1,2]",
  "null",
  "true",
  "1e3",
  "<b>&amp;",
  "%s%n",
  "$(rm)",
  "../..",
  "__proto__",
  "😀",
  "é",
  "(x)",
];

const text = fc.array(fc.oneof(fc.constantFrom(...MISLEADING_TEXTS), fc.string({ unit: "binary", maxLength: 8 })), {
  maxLength: 6,
})
  .map((parts) => parts.join("").toWellFormed());

function scopeWith(value: string): Map<string, string | null> {
  return new Map([["value", value], ["other", "INTERPRETED"], ["n", "1"]]);
}

/** Go quotes these characters in a way that is not valid JSON, so a simple tag rejects them. */
function isRejected(value: string): boolean {
  // deno-lint-ignore no-control-regex -- they are what this is about
  return /[\u0000-\u0007\u000b\u000e-\u001f\u007f]|[\u{10000}-\u{10ffff}]/u.test(value);
}

/** Texts without such characters, which can be in a list or map that an expression returns. */
const plain = text.filter((value) => !/[\u007f\u{10000}-\u{10ffff}]/u.test(value));

Deno.test("values: a simple tag returns a value unchanged, or rejects it because it cannot be written", () => {
  fc.assert(fc.property(text, (value) => {
    let filled;
    try {
      filled = replaceTags({ at: ["<{{value}}>"] }, scopeWith(value), { kind: "all" });
    } catch (error) {
      assert(error instanceof TemplateError && isRejected(value), String(error));
      return;
    }
    assertEquals(filled, { at: [`<${value}>`] });
  }));
});

Deno.test("values: an expression returns every value unchanged", () => {
  fc.assert(fc.property(text, (value) => {
    assertEquals(replaceTags({ at: ["<{{=value}}>"] }, scopeWith(value), { kind: "all" }), { at: [`<${value}>`] });
  }));
});

Deno.test("values: a value within a result that is not a string can be parsed from its JSON", () => {
  fc.assert(fc.property(plain, (value) => {
    const { at } = replaceTags({ at: "{{=[value, {k: value}]}}" }, scopeWith(value), { kind: "all" });
    assertEquals(JSON.parse(at), [value, { k: value }]);
  }));
});

Deno.test("values: a value in a key remains one key and changes no other field", () => {
  fc.assert(fc.property(text, (value) => {
    const filled = replaceTags({ "k{{=value}}": { a: 1 }, b: 2 }, scopeWith(value), { kind: "all" });
    assertEquals(Object.entries(filled), [[`k${value}`, { a: 1 }], ["b", 2]]);
  }));
});

Deno.test("values: an item is unchanged by its loop, from a list and from JSON text", () => {
  fc.assert(fc.property(text, (value) => {
    const lists = [{ withItems: [value] }, { withParam: JSON.stringify([value]) }];
    for (const list of lists) {
      const [child] = expandLoop({ name: "s", arguments: { at: "{{=item}}" }, ...list }, scopeWith("other"));
      assertEquals(child?.arguments.at, value);
    }
  }));
});

Deno.test("values: a field of an item keeps its JSON escapes and is otherwise unchanged", () => {
  const body = { name: "s", arguments: { at: "{{=item.k}}" } };
  // A text that contains an escape of `<`, `>` or `&` loses it, as in Argo Workflows.
  const spared = text.filter((value) => !value.includes("\\u00"));
  fc.assert(fc.property(spared, (value) => {
    const [child] = expandLoop({ ...body, withItems: [{ k: value }] }, scopeWith("other"));
    assertEquals(JSON.parse(`"${child?.arguments.at}"`), value);
  }));
});

Deno.test("values: the JSON of an item is the item, no matter how it is split", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const item = Item.parse(JSON.stringify(value));
    assertEquals(JSON.parse(item.json), JSON.parse(JSON.stringify(value)));
    if (item.kind === "Map") assertEquals(JSON.parse(item.scope()[0]?.[1] ?? ""), JSON.parse(item.json));
  }));
});

Deno.test("values: an argument with an inserted value reaches the template unchanged through all passes", () => {
  const template = {
    inputs: { parameters: [{ name: "x" }, { name: "y", default: "{{node.name}}" }] },
    args: ["{{=inputs.parameters.x}}", "{{=inputs.parameters}}", "<{{inputs.parameters.y}}>", "{{later}}"],
  };
  const call = { arguments: { parameters: [{ name: "x", value: "{{=value}}" }] } };
  fc.assert(fc.property(plain, (value) => {
    const scope = scopeWith(value);
    const context = { globals: scope, locals: new Map([["node.name", value === "" ? "" : "n"]]) };
    const filled = replaceTags(call, scope, { kind: "lenient" });
    let processed = processArguments(template, filled.arguments, context);
    for (let pass = 0; pass < 2; pass++) {
      assertEquals(processed.args[0], value);
      assertEquals(JSON.parse(processed.args[1] ?? "").x, value);
      assertEquals(processed.args[2], `<${context.locals.get("node.name")}>`);
      assertEquals(processed.args[3], pass === 0 ? "{{later}}" : "now");
      processed = substituteParameters(processed, new Map([...scope, ["later", "now"]]), context.locals);
    }
  }));
});

Deno.test("values: a nested tag uses a value as a part of its name and for nothing else", () => {
  const filled = replaceTags({ at: "{{a.{{value}}}} {{a.{{value}}.{{n}}}}" }, scopeWith("b"), { kind: "lenient" });
  assertEquals(filled, { at: "{{a.b}} {{a.b.1}}" });
  const names = new Map([["a.b", "B"], ["a.b.1", "B1"]]);
  assertEquals(replaceTags(filled, names, { kind: "all" }), { at: "B B1" });
  fc.assert(fc.property(text, (value) => {
    if (isRejected(value)) return;
    const scope = new Map([...scopeWith(value), ["a.", "INTERPRETED"], ["a", "INTERPRETED"]]);
    const once = replaceTags({ at: "{{a.{{value}}}}" }, scopeWith(value), { kind: "lenient" });
    const twice = replaceTags(once, scope, { kind: "lenient" });
    assertEquals(twice.at, value.trim() === "" ? twice.at : `{{a.${value}}}`);
  }));
});

Deno.test("values: no tag begins in a value that was inserted into a tag, in any later pass", () => {
  const scope = new Map([["value", "{{x"], ["x", "INTERPRETED"], ["n", "{{x"]]);
  let filled = replaceTags({ at: "{{a.{{b.{{value}}.{{n}}}}}} {{c.{{value}}}}" }, scope, { kind: "lenient" });
  for (let pass = 0; pass < 3; pass++) filled = replaceTags(filled, scope, { kind: "lenient" });
  assertEquals(filled, { at: "{{a.{{b.{{x.{{x}}}} {{c.{{x}}" });
  const named = new Map([...scope, ["b.{{x", "B"], ["c.{{x", "C"]]);
  assertEquals(
    replaceTags(replaceTags({ at: "{{a.{{b.{{value}}}}}}|{{c.{{value}}}}" }, scope, { kind: "lenient" }), named, {
      kind: "lenient",
    }),
    { at: "{{a.B}}|C" },
  );
});

Deno.test("values: an object that is derived from a filled-in one knows which of its texts are values", () => {
  fc.assert(fc.property(text.filter((value) => !isRejected(value)), (value) => {
    const scope = scopeWith(value);
    const source = {
      name: "{{value}}",
      own: "{{later}}",
      list: [{ name: "n", v: "{{value}}" }],
      both: "{{value}}{{later}}",
    };
    const filled = replaceTags(source, scope, { kind: "lenient" });
    const made = recordDerived({ ...filled, more: "{{other}}" }, filled);
    const merged = recordMerged({ ...made, list: [{ ...made.list[0], w: "{{other}}" }] }, made, {
      list: [{ name: "n", w: "{{other}}" }],
    });
    const later = new Map([...scope, ["later", "L"]]);
    const expected = { name: value, own: "L", list: [{ name: "n", v: value }], both: `${value}L`, more: "{{other}}" };
    assertEquals(replaceTags(made, later, { kind: "lenient" }), expected);
    assertEquals(replaceTags(merged, later, { kind: "lenient" }), {
      ...expected,
      list: [{ name: "n", v: value, w: "INTERPRETED" }],
    });
    assertEquals(replaceField(made, "both", later, { kind: "lenient" }), `${value}L`);
    assertEquals(replaceTags(markAsValues({ at: ["{{other}}", value] }), scope, { kind: "all" }), {
      at: ["{{other}}", value],
    });
  }));
});

Deno.test("values: a workflow's parameters, labels and annotations can be parsed unchanged from their JSON", () => {
  fc.assert(fc.property(text, (value) => {
    const globals = workflowGlobals({
      metadata: { name: "w", labels: { l: value }, annotations: { a: value } },
      spec: { arguments: { parameters: [{ name: "p", value }] } },
    });
    assertEquals(globals.get("workflow.parameters.p"), value);
    assertEquals(JSON.parse(globals.get("workflow.parameters.json")!), [{ name: "p", value }]);
    assertEquals(JSON.parse(globals.get("workflow.labels.json")!), { l: value });
    assertEquals(JSON.parse(globals.get("workflow.annotations.json")!), { a: value });
  }));
});

Deno.test("values: outputs of a loop's children can be parsed unchanged from their lists", () => {
  fc.assert(fc.property(text, (value) => {
    const outputs = { result: JSON.stringify(value), parameters: [{ name: "p", value }] };
    const scope = aggregate("steps.s", "s", [{ name: "s(0:x)", phase: "Succeeded", outputs }]);
    assertEquals(JSON.parse(scope.get("steps.s.outputs.result")!), [value]);
    assertEquals(JSON.parse(scope.get("steps.s.outputs.parameters")!), [{ p: value }]);
  }));
});

Deno.test("values: an output parameter gets its value unchanged, from a tag and from an expression", () => {
  fc.assert(fc.property(text, (value) => {
    const declared = [{ name: "a", valueFrom: { parameter: "{{value}}" } }, {
      name: "b",
      valueFrom: { expression: "value" },
    }];
    assertEquals(outputParameters(declared, scopeWith(value)), [{ name: "a", value }, { name: "b", value }]);
  }));
});

Deno.test("values: a quoted value in a condition is compared, not interpreted", () => {
  fc.assert(fc.property(text, (value) => {
    const quoted = `'${value.replace(/[\\'"]/g, "\\$&")}'`;
    assertEquals(evaluateWhen(`${quoted} == ${quoted}`), true);
  }));
});

Deno.test("values: a hook's argument and an artifact's key keep a value unchanged", () => {
  fc.assert(fc.property(text, (value) => {
    const hook = { arguments: { parameters: [{ name: "p", value: "{{=value}}" }] } };
    const mode = { kind: "strict", prefixes: [] } as const;
    assertEquals(replaceTags(hook, scopeWith(value), mode).arguments.parameters[0]?.value, value);
    const artifact = { s3: { key: "a/{{=value}}/b" } };
    assertEquals(replaceTags(artifact, scopeWith(value), { kind: "lenient" }), { s3: { key: `a/${value}/b` } });
  }));
});

Deno.test("values: a ConfigMap's value reaches the template unchanged", () => {
  const template = {
    inputs: { parameters: [{ name: "x", valueFrom: { configMapKeyRef: { name: "m", key: "k" } } }] },
    args: ["{{=inputs.parameters.x}}"],
  };
  fc.assert(fc.property(plain, (value) => {
    const context = { globals: scopeWith("other"), locals: new Map<string, string>(), configMapValue: () => value };
    assertEquals(processArguments(template, {}, context).args, [value]);
  }));
});

Deno.test("values: the outputs of a node reach later steps unchanged", () => {
  fc.assert(fc.property(text, (value) => {
    const outputs = { result: value, exitCode: "0", parameters: [{ name: "p", value }] };
    const { values } = nodeScope("steps.s", { id: "i", outputs }, new Map());
    assertEquals(values.get("steps.s.outputs.result"), value);
    assertEquals(values.get("steps.s.outputs.parameters.p"), value);
    const facts = { metadata: { name: "w" }, spec: {}, status: { outputs: { parameters: [{ name: "o", value }] } } };
    assertEquals(workflowGlobals(facts).get("workflow.outputs.parameters.o"), value);
  }));
});

Deno.test("values: a bare expression compares the message of an attempt and does not interpret it", () => {
  fc.assert(fc.property(text, (message) => {
    const attempt = { id: "c", message, nodeFlag: { retried: true } };
    const scope = retryScope({ id: "r", type: "Retry", children: ["c"] }, new Map([["c", attempt]]));
    scope.set("said", message);
    assertEquals(evaluateCondition("lastRetry.message == said", scope), true);
  }));
});

Deno.test("values: the labels of a cron workflow are compared and not interpreted", () => {
  fc.assert(fc.property(text, (value) => {
    const facts = { name: value, namespace: "n", labels: { l: value }, annotations: {}, failed: 0, succeeded: 0 };
    assertEquals(evaluateCronStop("cronworkflow.labels.l == cronworkflow.name", facts), true);
  }));
});

Deno.test("values: a computed label is the value itself, or is rejected", () => {
  fc.assert(fc.property(text, (value) => {
    const metadata = { labelsFrom: { l: { expression: "value" } } };
    try {
      assertEquals(workflowMetadata(metadata, scopeWith(value)).labels, { l: value });
    } catch (error) {
      assert(error instanceof TemplateError && labelValueErrors(value).length > 0, String(error));
    }
  }));
});

Deno.test("values: data passes through a transformation unchanged, and a JSON path returns it", () => {
  fc.assert(fc.property(text, (value) => {
    assertEquals(transformData([value], [{ expression: "map(data, {#})" }, { expression: "data[0]" }]), value);
    const found = replaceTags("{{=jsonpath(toJson({a: [value]}), '$.a[0]')}}", scopeWith(value), { kind: "all" });
    assertEquals(found, value);
  }));
});

Deno.test("values: the fields of a resource do not change its conditions", () => {
  fc.assert(fc.property(text, (value) => {
    const resource = JSON.stringify({ [value]: value, status: { message: value, phase: "Succeeded" } });
    assertEquals(
      evaluateResourceConditions(resource, "status.phase == Succeeded", "status.phase == Failed").kind,
      "met",
    );
  }));
});

Deno.test("values: missing, absent and empty remain different in every mode", () => {
  const scope = new Map<string, string | null>([["tasks.absent", null], ["tasks.empty", ""]]);
  const modes = [{ kind: "lenient" }, { kind: "strict", prefixes: ["tasks"] }, { kind: "all" }] as const;
  for (const mode of modes) {
    assertEquals(replaceTags("<{{tasks.empty}}>", scope, mode), "<>");
    const absent = assertThrows(() => replaceTags("{{tasks.absent}}", scope, mode), TemplateError);
    assertEquals(absent.isVariableMissing, false);
    const ask = () => replaceTags("{{tasks.missing}}", scope, mode);
    if (mode.kind === "lenient") assertEquals(ask(), "{{tasks.missing}}");
    else assertEquals(assertThrows(ask, TemplateError).isVariableMissing, true);
  }
  assertEquals(replaceTags("{{=tasks.absent ?? 'nothing'}}", scope, { kind: "all" }), "nothing");
  assertEquals(replaceTags("{{=tasks.empty ?? 'nothing'}}", scope, { kind: "all" }), "");
});

Deno.test("values: every text is parsed or rejected, and never crashes the parser", () => {
  const readers: readonly ((text: string) => unknown)[] = [
    (text) => replaceTags({ a: text, b: [text] }, scopeWith("x"), { kind: "lenient" }),
    evaluateWhen,
    parseRequirements,
    parseSchedule,
    Item.parse,
  ];
  const soup = fc.oneof(
    text,
    fc.array(
      fc.constantFrom(
        "a",
        "1",
        " ",
        "(",
        ")",
        "[",
        "]",
        "!",
        "=",
        "~",
        "<",
        "&",
        "|",
        ",",
        ".",
        "?",
        ":",
        "in",
        "*",
        "/",
        "-",
        "@every ",
        "{{",
        "}}",
        "'",
      ),
    )
      .map((words) => words.join("")),
  );
  fc.assert(
    fc.property(soup, (text) => {
      for (const read of readers) {
        try {
          read(text);
        } catch (error) {
          const known = error instanceof TemplateError || error instanceof SelectorError || error instanceof CronError;
          assert(known, `${read}: ${error}`);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
