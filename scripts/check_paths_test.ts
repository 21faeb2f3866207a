import { assertEquals } from "@std/assert";
import { linesWithMachinePaths, linesWithOutsideCitations, namesOfNoFile } from "./check_paths.ts";

Deno.test("linesWithMachinePaths: finds absolute paths below the folder of a user or workplace", () => {
  assertEquals(linesWithMachinePaths("ok\ncd /home/ada/project\nsee /work/main"), [2, 3]);
});

Deno.test("linesWithMachinePaths: ignores relative paths, URLs and paths inside images", () => {
  assertEquals(linesWithMachinePaths("docs/work/x ${dir}/work/in https://h/home/x /var/run/argo/x /root"), []);
});

Deno.test("linesWithOutsideCitations: finds paragraphs of texts that are not in the tree", () => {
  const text = ["(spec/pods 6.4)", "features T-60", "design decision 2"].join("\n");
  assertEquals(linesWithOutsideCitations(text), [1, 2, 3]);
});

Deno.test("linesWithOutsideCitations: ignores field paths and case IDs", () => {
  assertEquals(linesWithOutsideCitations("/spec/volumes, spec.pods[1], (IL-02), a feature of 2 parts"), []);
});

Deno.test("namesOfNoFile: finds source files that are not in the tree, by any suffix of their path", () => {
  const files = ["lib/kube/client.ts", "scripts/ok.ts"];
  const text = "`kube/client.ts`, `lib/kube/client.ts`\n`lib/client.ts`, `client.ts`, lib/x.ts";
  assertEquals(namesOfNoFile(text, files), [[2, "lib/client.ts"]]);
});
