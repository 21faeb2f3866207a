import { assertEquals } from "@std/assert";
import { launcher } from "./launcher.ts";

const onlyHere = Deno.build.os !== "linux" || Deno.build.arch !== "x86_64";

async function launch(args: string[]): Promise<string[]> {
  const file = await Deno.makeTempFile();
  // Prints its arguments each on a line.
  const script = 'for word in "$0" "$@"; do echo "$word"; done';
  await Deno.writeFile(
    file,
    launcher({ program: "/bin/sh", args: ["sh", "-c", script, "zero"], variables: ["V=ours"] }),
  );
  await Deno.chmod(file, 0o755);
  const { stdout } = await new Deno.Command(file, { args }).output();
  await Deno.remove(file);
  return new TextDecoder().decode(stdout).trimEnd().split("\n");
}

Deno.test({
  name: "launcher() passes its arguments on behind the fixed ones, whatever is in them",
  ignore: onlyHere,
  fn: async () => {
    assertEquals((await launch(["one", "", "two  words", "$HOME"])).slice(0, 5), [
      "zero",
      "one",
      "",
      "two  words",
      "$HOME",
    ]);
    assertEquals((await launch([]))[0], "zero");
  },
});

Deno.test({
  name: "launcher() puts its variables behind the whole environment, where others of their names are found first",
  ignore: onlyHere,
  fn: async () => {
    const file = await Deno.makeTempFile();
    const args = ["cat", "/proc/self/environ"];
    await Deno.writeFile(file, launcher({ program: "/bin/cat", args, variables: ["V=ours", "W=too"] }));
    await Deno.chmod(file, 0o755);
    const env = { A: "a", V: "theirs", Z: "z" };
    const { stdout } = await new Deno.Command(file, { env, clearEnv: true }).output();
    const variables = new TextDecoder().decode(stdout).split("\0").slice(0, -1);
    assertEquals(variables.slice(-2), ["V=ours", "W=too"]);
    assertEquals(variables.slice(0, -2).toSorted(), ["A=a", "V=theirs", "Z=z"]);
    await Deno.remove(file);
  },
});

Deno.test({
  name: "launcher() ends with 127 when there is nothing to launch",
  ignore: onlyHere,
  fn: async () => {
    const file = await Deno.makeTempFile();
    await Deno.writeFile(file, launcher({ program: "/no/such/program", args: ["x"], variables: ["V=1"] }));
    await Deno.chmod(file, 0o755);
    assertEquals((await new Deno.Command(file).output()).code, 127);
    await Deno.remove(file);
  },
});
