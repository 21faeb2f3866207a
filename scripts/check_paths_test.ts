import { assertEquals } from "@std/assert";
import { linesWithMachinePaths } from "./check_paths.ts";

Deno.test("linesWithMachinePaths() finds absolute paths below a person's or a workplace's folder", () => {
  assertEquals(linesWithMachinePaths("ok\ncd /home/ada/project\nsee /work/main"), [2, 3]);
});

Deno.test("linesWithMachinePaths() leaves relative paths, addresses and paths inside of images alone", () => {
  assertEquals(linesWithMachinePaths("docs/work/x ${dir}/work/in https://h/home/x /var/run/argo/x /root"), []);
});
