import { assertEquals } from "@std/assert";
import { Command } from "commander";
import { addSubmitFlags } from "../../../cli/flags/submit_flags.ts";
import { submitLine } from "../../../ui/model/cli_line.ts";

/** The words into which a shell splits a line. */
async function wordsOf(line: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `printf '%s\\0' ${line}`] }).output();
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

Deno.test("submitLine: quotes nothing that does not need it", () => {
  const parameters = ["day=2026-03-01", "region=eu"];
  assertEquals(
    submitLine("data", { kind: "WorkflowTemplate", name: "etl", entrypoint: "main", parameters }),
    "tiphys submit --from workflowtemplate/etl --namespace data --entrypoint=main --parameter=day=2026-03-01 --parameter=region=eu",
  );
  assertEquals(
    submitLine("data", { kind: "ClusterWorkflowTemplate", name: "etl", parameters: [] }),
    "tiphys submit --from clusterworkflowtemplate/etl --namespace data",
  );
});

Deno.test("submitLine: a shell and the CLI read any value unchanged", async () => {
  const parameters = [
    "words=two words",
    'quote=it\'s "so"',
    "dollar=$HOME `ls` $(ls) !x \\n",
    "lines=a\nb",
    'json=[{"a": 1}]',
    "-p=-x",
    "empty=",
    "sign=✔ 日",
    "star=* ~ # ; & | < >",
  ];
  const [program, command, ...words] = await wordsOf(
    submitLine("data", { kind: "CronWorkflow", name: "nightly", entrypoint: "-x", parameters }),
  );
  const read = addSubmitFlags(new Command("submit")).option("--from <a>").option("-n, --namespace <a>").exitOverride();
  read.parse(words, { from: "user" });
  assertEquals([program, command, read.args], ["tiphys", "submit", []]);
  assertEquals(read.opts(), { from: "cronwf/nightly", namespace: "data", entrypoint: "-x", parameter: parameters });
});
