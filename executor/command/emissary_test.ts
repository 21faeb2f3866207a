import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { ENV, EXIT, PATH } from "@tiphys/base/constants";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { flushPromises } from "../../lib/base/clock/testing/settled.ts";
import { formatMarker, type Marker, waitForFile } from "@tiphys/base/watch";
import { writeWhole } from "../../lib/base/watch/testing/write_whole.ts";
import { awaitFact } from "../../tests/await_fact.ts";
import { emissary } from "./emissary.ts";
import { writeExitCode } from "../process/exit_code.ts";
import { kill } from "./kill.ts";
import { canOtherUserStartDeno, NOBODY, startProgram } from "../testing/process.ts";
import { waitUntilReady } from "../before_main/ready.ts";
import { runChild } from "../process/run_child.ts";
import { sendSignal } from "../process/signals.ts";
import type { PodTemplate } from "../pod/template.ts";
import { PLAIN_FILES } from "../pod/shared_files.ts";
import { at, containerFolder } from "../world.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";
import { needs } from "../../lib/base/testing/needs.ts";

/** Writes a marker as the supervisor does: atomically. */
const writeMarker = (file: string, marker: Marker) => writeWhole(file, formatMarker(marker));

const PLAIN: PodTemplate = { container: {} };
const never = new AbortController().signal;

/** Runs a shell script as the container's command. */
function shell(world: TestWorld, script: string): Promise<number> {
  return emissary(world, ["--", "sh", "-c", script]);
}

function exitCode(world: TestWorld, container = "main"): Promise<string | undefined> {
  return world.read(`${PATH.containers}/${container}/exitcode`);
}

/** Waits until the command of a test has written a file. */
async function untilWritten(world: TestWorld, path: string): Promise<void> {
  await waitForFile(at(world, path), async () => await world.read(path) || undefined);
}

Deno.test("emissary: exits with the code of its command and writes it to a file", async () => {
  await using world = await testWorld({ template: PLAIN });
  assertEquals(await shell(world, "exit 7"), 7);
  assertEquals(await exitCode(world), "7");
});

for (const [signal, code] of [["9", 137], ["15", 143], ["11", 139], ["34", 162]] as const) {
  Deno.test(`emissary: a command that is ended by signal ${signal} has exit code ${code}`, async () => {
    await using world = await testWorld({ template: PLAIN });
    assertEquals(await shell(world, `kill -${signal} $$`), code);
  });
}

Deno.test("emissary: exits with 64 and an error if the command is not in PATH", async () => {
  await using world = await testWorld({ template: PLAIN });
  assertEquals(await emissary(world, ["--", "no-such-program"]), 64);
  assertEquals(await exitCode(world), "64");
  assertStringIncludes(await world.read(PATH.terminationLog) ?? "", "failed to find name in PATH: ");
});

Deno.test("emissary: does not start the command before READY (IL-15, IL-16)", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.waitForReady]: "true" } });
  await writeMarker(at(world, PATH.status), { kind: "RUNNING" });
  const running = shell(world, `cat ${world.root}/gate > ${world.root}/seen`);
  await waitForFile(at(world, `${PATH.containers}/main`), () => Promise.resolve(true));
  await world.write("/gate", "written before READY");
  await writeMarker(at(world, PATH.status), { kind: "READY" });
  assertEquals(await running, 0);
  assertEquals(await world.read("/seen"), "written before READY");
});

Deno.test("emissary: starts the command at once if READY was written earlier (IL-16)", async () => {
  const clock = fakeClock();
  await using world = await testWorld({ template: PLAIN, env: { [ENV.waitForReady]: "true" }, clock });
  await writeMarker(at(world, PATH.status), { kind: "READY" });
  // The fake clock does not advance: polling would never end.
  assertEquals(await shell(world, "exit 3"), 3);
});

Deno.test("emissary: FAILED without a reason is a failure (IL-17)", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.waitForReady]: "true" } });
  await writeMarker(at(world, PATH.status), { kind: "FAILED", message: "" });
  assertEquals(await shell(world, "exit 0"), 65);
});

Deno.test("emissary: exits with 65 and repeats the reason if the supervisor failed (IL-17, IL-40)", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.waitForReady]: "true" } });
  await writeMarker(at(world, PATH.status), { kind: "FAILED", message: "no such bucket" });
  assertEquals(await shell(world, "exit 0"), 65);
  assertEquals(await exitCode(world), "65");
  const cause = "supervisor reported pre-main failure: no such bucket";
  assertEquals(await world.termination(), { stage: "wait", cause });
});

Deno.test("waitUntilReady: a supervisor without a marker, or without heartbeats, is presumed dead (IL-13)", async () => {
  await using world = await testWorld();
  const impatient = { silence: 30_000, appearance: 0 };
  await assertRejects(() => waitUntilReady(world, never, impatient), Error, "status marker never appeared within 0s");
  await writeMarker(at(world, PATH.status), { kind: "RUNNING" });
  const longAgo = new Date(Date.now() - 31_000);
  await Deno.utime(at(world, PATH.status), longAgo, longAgo);
  await assertRejects(
    () => waitUntilReady(world, never),
    Error,
    "supervisor presumed dead: no status update within 30s",
  );
});

Deno.test("waitUntilReady: rejects when canceled (IL-07)", async () => {
  await using world = await testWorld();
  await assertRejects(() => waitUntilReady(world, AbortSignal.abort(new Error("cancelled"))), Error, "cancelled");
});

Deno.test("emissary: a signal ends the wait for the supervisor", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.waitForReady]: "true" } });
  const running = shell(world, "exit 0");
  await waitForFile(
    containerFolder(world, "main"),
    () => Deno.stat(containerFolder(world, "main")).catch(() => undefined),
  );
  sendSignal(world, "main", 15);
  assertEquals(await running, 143);
  assertEquals(await exitCode(world), "143");
});

Deno.test("emissary: forwards a signal to all processes of its command", async () => {
  await using world = await testWorld({ template: PLAIN });
  const { root } = world;
  const running = shell(
    world,
    `trap 'wait; exit 9' TERM
     sh -c 'trap "echo inner > ${root}/inner; exit 0" TERM; echo up > ${root}/up; while :; do sleep 0.02; done' &
     while :; do sleep 0.02; done`,
  );
  await untilWritten(world, "/up");
  sendSignal(world, "main", 15);
  assertEquals(await running, 9);
  assertEquals(await world.read("/inner"), "inner\n");
});

Deno.test("emissary: SIGKILL ends a command that ignores other signals (IL-83)", async () => {
  await using world = await testWorld({ template: PLAIN });
  const running = shell(world, `trap "" TERM; echo up > ${world.root}/up; while :; do sleep 0.02; done`);
  await untilWritten(world, "/up");
  sendSignal(world, "main", 15);
  sendSignal(world, "main", 9);
  assertEquals(await running, 137);
});

Deno.test("emissary: captures only the standard output of main for the result", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.includeScriptOutput]: "true" } });
  assertEquals(await shell(world, "printf out; printf err >&2"), 0);
  assertEquals(await world.read(`${PATH.containers}/main/stdout`), "out");
  assertEquals((await world.read(`${PATH.containers}/main/combined`))?.length, 6);
});

Deno.test("emissary: does not wait for leftover processes that keep the output open", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.includeScriptOutput]: "true" } });
  assertEquals(await shell(world, "(sleep 60; echo x) & echo hello"), 0);
  assertEquals(await world.read(`${PATH.containers}/main/stdout`), "hello\n");
});

Deno.test("emissary: captures an output larger than a pipe's buffer completely", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.includeScriptOutput]: "true" } });
  assertEquals(await shell(world, "head -c 300000 /dev/zero | tr '\\0' ' '"), 0);
  assertEquals((await world.read(`${PATH.containers}/main/stdout`))?.length, 300_000);
});

Deno.test("emissary: a slow sink does not cut off output that the command has already written", async () => {
  const clock = fakeClock();
  await using world = await testWorld({ template: PLAIN, clock });
  await Deno.mkdir(containerFolder(world, "main"), { recursive: true });
  const isSlow = Promise.withResolvers<void>();
  const slow = {
    async write(bytes: Uint8Array) {
      await isSlow.promise;
      return bytes.length;
    },
  };
  const waits = clock.nextTimer();
  const go = `${world.root}/go`;
  const script = `echo first; while [ ! -e ${go} ]; do sleep 0.02; done; head -c 60000 /dev/zero`;
  const child = await runChild({ ...world, stdout: slow }, ["sh", "-c", script], containerFolder(world, "main"));
  await Deno.writeTextFile(go, "");
  // The command has exited: the first timer waits for the rest of its output.
  await waits;
  for (let check = 0; check < 50; check++) {
    clock.advance(100);
    await flushPromises();
  }
  isSlow.resolve();
  assertEquals(await clock.runUntil(child.exit), 0);
  assertEquals((await world.read(`${PATH.containers}/main/stdout`))?.length, 60_006);
});

Deno.test("emissary: a capture failure does not stop the command and is reported at its end", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.includeScriptOutput]: "true" } });
  const full = { write: () => Promise.reject(new Error("No space left on device (os error 28)")) };
  const script = `head -c 300000 /dev/zero; sleep 0.3; echo more; echo done > ${world.root}/done`;
  assertEquals(await shell({ ...world, stdout: full }, script), 64);
  assertEquals(await world.read("/done"), "done\n");
  const { cause } = (await world.termination())!;
  assert(cause.includes("failed to capture the output: No space left on device"), cause);
  assertEquals(await shell({ ...world, stdout: full }, "echo more; exit 3"), 3);
});

const SET: PodTemplate = {
  containerSet: { containers: [{ name: "first" }, { name: "second", dependencies: ["first"] }] },
};

Deno.test("emissary: runs a container of a set after its dependencies", async () => {
  await using world = await testWorld({ template: SET, container: "second" });
  const running = shell(world, `cat ${world.root}/made`);
  await world.write("/made", "");
  PLAIN_FILES.makeFolder(containerFolder(world, "first"));
  writeExitCode(world, "first", 0);
  assertEquals(await running, 0);
});

Deno.test("emissary: a failed dependency prevents the run, and its exit code is written", async () => {
  await using world = await testWorld({ template: SET, container: "second" });
  PLAIN_FILES.makeFolder(containerFolder(world, "first"));
  writeExitCode(world, "first", 3);
  assertEquals(await shell(world, "exit 0"), 64);
  assertEquals(await exitCode(world, "second"), "3");
  assertEquals((await world.termination())?.cause, 'dependency "first" exited with non-zero code: 3');
});

Deno.test("emissary: a container whose dependency was killed exits with 143", async () => {
  await using world = await testWorld({ template: SET, container: "second" });
  PLAIN_FILES.makeFolder(containerFolder(world, "first"));
  writeExitCode(world, "first", 137);
  assertEquals(await shell(world, "exit 0"), 143);
  assertEquals(await exitCode(world, "second"), "137");
});

for (const [retries, attempts] of [[0, 1], [1, 1], [2, 2], ["no number", 1]] as const) {
  Deno.test(`emissary: with retries ${retries}, runs a failing container ${attempts} times (IL-58)`, async () => {
    const template = { containerSet: { containers: [{ name: "main" }], retryStrategy: { retries } } };
    await using world = await testWorld({ template });
    assertEquals(await shell(world, `echo try >> ${world.root}/tries; exit 4`), 4);
    assertEquals((await world.read("/tries"))?.trim().split("\n").length, attempts);
  });
}

Deno.test("emissary: forwards a signal to the current attempt (IL-58)", async () => {
  const template = { containerSet: { containers: [{ name: "main" }], retryStrategy: { retries: 2 } } };
  await using world = await testWorld({ template });
  const { root } = world;
  const running = shell(
    world,
    `test -e ${root}/second || { touch ${root}/second; exit 1; }
     trap "exit 5" TERM; echo up > ${root}/up; while :; do sleep 0.02; done`,
  );
  await untilWritten(world, "/up");
  sendSignal(world, "main", 15);
  assertEquals(await running, 5);
});

for (const [signal, code] of [[15, 5], [9, 137]] as const) {
  Deno.test(`emissary: signal ${signal} prevents further attempts (IL-58)`, async () => {
    const template = { containerSet: { containers: [{ name: "main" }], retryStrategy: { retries: 3 } } };
    await using world = await testWorld({ template });
    const { root } = world;
    const running = shell(
      world,
      `echo try >> ${root}/tries; trap "exit 5" TERM; echo up > ${root}/up; while :; do sleep 0.02; done`,
    );
    await untilWritten(world, "/up");
    sendSignal(world, "main", signal);
    assertEquals(await running, code);
    assertEquals(await world.read("/tries"), "try\n");
  });
}

Deno.test("emissary: waits between attempts for the duration of the retry strategy, in Go's syntax", async () => {
  const clock = fakeClock();
  const retryStrategy = { retries: 2, duration: "1m30.5s" };
  const template = { containerSet: { containers: [{ name: "main" }], retryStrategy } };
  await using world = await testWorld({ template, clock });
  assertEquals(await clock.runUntil(shell(world, "exit 4")), 4);
  assert(clock.elapsed >= 90_500 && clock.elapsed < 92_000, `It took ${clock.elapsed} ms`);
});

Deno.test("emissary: ends a sidecar when all main containers have exited", async () => {
  await using world = await testWorld({ template: PLAIN, container: "helper" });
  const running = shell(world, `trap "exit 0" TERM; echo up > ${world.root}/up; while :; do sleep 0.02; done`);
  await untilWritten(world, "/up");
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  writeExitCode(world, "main", 0);
  assertEquals(await running, 0);
});

Deno.test("emissary: copies the output parameters of main, even if the command failed, and skips missing files", async () => {
  await using world = await testWorld();
  const parameters = ["a", "b"].map((name) => ({ name, valueFrom: { path: `/out/${name}` } }));
  await world.write(PATH.template, JSON.stringify({ ...PLAIN, outputs: { parameters } }));
  assertEquals(await shell(world, `mkdir ${world.root}/out; echo one > ${world.root}/out/a; exit 1`), 1);
  assertEquals(await world.read(`${PATH.outputParameters}/out/a`), "one\n");
  assertMatch(world.logged.join(), /cannot save parameter \/out\/b/);
});

for (const kind of ["parameters", "artifacts"] as const) {
  Deno.test(`emissary: a pipe among the output ${kind} is an error and is not read`, async () => {
    await using world = await testWorld();
    const output = { name: "o", path: "/o", valueFrom: { path: "/o" } };
    await world.write(PATH.template, JSON.stringify({ ...PLAIN, outputs: { [kind]: [output] } }));
    assertEquals(await shell(world, `mkfifo ${world.root}/o`), 64);
    assertMatch(
      (await world.termination())?.cause ?? "",
      /failed to save outputs: .*Expected a file or a folder, got a/,
    );
  });
}

Deno.test("emissary: packs the files of an output folder that is a link to an input (IL-51)", async () => {
  await using world = await testWorld();
  const template = {
    ...PLAIN,
    inputs: { artifacts: [{ name: "tree", path: "/work" }] },
    outputs: { artifacts: [{ name: "tree", path: "/work" }] },
  };
  await world.write(PATH.template, JSON.stringify(template));
  await world.write(`${PATH.inputArtifacts}/tree/file`, "before");
  assertEquals(await shell(world, `echo after > ${world.root}/work/file`), 0);
  const archive = at(world, `${PATH.outputArtifacts}/work.tgz`);
  const listed = await new Deno.Command("tar", { args: ["-xzOf", archive, "work/file"] }).output();
  assertEquals(new TextDecoder().decode(listed.stdout), "after\n");
});

Deno.test("emissary: reads arguments from a file and passes a huge argument by file (IL-38)", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.containerArgsFile]: "/argo/config/args" } });
  const script = `for a in "$@"; do printf '%s\\n' "$a"; done > ${world.root}/words`;
  await world.write("/argo/config/args", JSON.stringify([script, "sh", "short", "x".repeat(140_000)]));
  assertEquals(await emissary(world, ["--", "sh", "-c"]), 0);
  const file = `${world.root}/tmp/argo_arg_5.txt`;
  assertEquals(await world.read("/words"), `short\n@${file}\n`);
  assertEquals((await Deno.stat(file)).size, 140_000);
});

Deno.test("emissary: reads the template from its file, then the environment or ConfigMap; without one, the error names both (IL-39)", async () => {
  await using world = await testWorld({ env: { [ENV.template]: JSON.stringify(PLAIN) } });
  assertEquals(await shell(world, "exit 0"), 0);
  // The supervisor's file takes precedence over the environment.
  await world.write(PATH.template, JSON.stringify(SET));
  const second = world.as("second");
  PLAIN_FILES.makeFolder(containerFolder(world, "first"));
  writeExitCode(world, "first", 3);
  assertEquals(await shell(second, "exit 0"), 64);
  await Deno.remove(at(world, PATH.template));
  const offloaded = world.as("main", { [ENV.template]: "offloaded" });
  await world.write(`${PATH.envConfig}/${ENV.template}`, JSON.stringify(PLAIN));
  assertEquals(await shell(offloaded, "exit 0"), 0);
  await using bare = await testWorld();
  assertEquals(await shell(bare, "exit 0"), 64);
  assertMatch(await bare.read(PATH.terminationLog) ?? "", /\/var\/run\/argo\/template .*ARGO_TEMPLATE/);
});

Deno.test("emissary: pauses before and after the command if debugging is enabled", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.pauseAfter]: "true" } });
  const running = shell(world, `echo done > ${world.root}/done`);
  await untilWritten(world, "/done");
  assertEquals(await exitCode(world), undefined);
  await world.write(`${PATH.containers}/main/after`, "go");
  assertEquals(await running, 0);
});

Deno.test("emissary: exits with 67 (Argo: 65) within 32 s if the supervisor stops its heartbeat (IL-12)", async () => {
  const clock = fakeClock();
  await using world = await testWorld({ template: PLAIN, env: { [ENV.waitForReady]: "true" }, clock });
  await writeMarker(at(world, PATH.status), { kind: "RUNNING" });
  await Deno.utime(at(world, PATH.status), new Date(clock.now()), new Date(clock.now()));
  assertEquals(await clock.runUntil(shell(world, "exit 0")), EXIT.supervisorLost);
  assert(clock.elapsed <= 32_000, `It took ${clock.elapsed} ms`);
  const cause = "supervisor presumed dead: no status update within 30s";
  assertEquals(await world.termination(), { stage: "wait", cause });
  assertEquals(await exitCode(world), "67");
});

Deno.test("emissary: waits while heartbeats continue for five minutes, and starts at READY (IL-15)", async () => {
  const clock = fakeClock();
  await using world = await testWorld({ template: PLAIN, env: { [ENV.waitForReady]: "true" }, clock });
  const marker = at(world, PATH.status);
  const running = shell(world, `touch ${world.root}/ran`);
  for (let beat = 0; beat < 60; beat++) {
    // The modification time is set before the rename, so no reader sees the real time.
    await Deno.writeTextFile(`${marker}.tmp`, "RUNNING");
    await Deno.utime(`${marker}.tmp`, new Date(clock.now()), new Date(clock.now()));
    await Deno.rename(`${marker}.tmp`, marker);
    const looked = clock.nextTimer();
    clock.advance(5000);
    await looked;
  }
  assertEquals(await world.read("/ran"), undefined);
  await writeMarker(marker, { kind: "READY" });
  assertEquals(await running, 0);
  assertEquals(await world.read("/ran"), "");
});

Deno.test("emissary: fails at once if the marker cannot be read", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.waitForReady]: "true" } });
  await Deno.mkdir(at(world, PATH.status));
  assertEquals(await shell(world, "exit 0"), 65);
  assertMatch((await world.termination())?.cause ?? "", /failed to read \/var\/run\/argo\/status/);
});

Deno.test("emissary: exits with 66 and an error rather than replace content of a volume (IL-06)", async () => {
  await using world = await testWorld({ template: PLAIN });
  const template = {
    container: { volumeMounts: [{ name: "v", mountPath: "/volume" }] },
    inputs: { artifacts: [{ name: "a", path: "/alias/file" }] },
  };
  await world.write(PATH.template, JSON.stringify(template));
  await world.write(`${PATH.inputArtifacts}/a`, "loaded");
  await world.write("/volume/file", "precious");
  await Deno.symlink(at(world, "/volume"), at(world, "/alias"));
  assertEquals(await shell(world, "exit 0"), 66);
  assertEquals(await exitCode(world), "66");
  const { stage, artifact, cause } = (await world.termination())!;
  assertEquals([stage, artifact], ["link", "a"]);
  assertMatch(
    cause,
    /refusing to stage input artifact "a" at \/alias\/file: it resolves to .* inside volume mount "v"/,
  );
  assertEquals(await world.read("/volume/file"), "precious");
});

/** Runs a script with the real program as the user `nobody`. */
async function runAsNobody(world: TestWorld, script: string): Promise<number> {
  const process = await startProgram(world, ["emissary", "--", "sh", "-c", script], { uid: NOBODY });
  return (await process.status).code;
}

Deno.test({
  ...needs(
    "root, and Deno where the user nobody can start it",
    await canOtherUserStartDeno(),
    "emissary: a non-root main finds an artifact at /message in the layout that is chosen for it (IL-54)",
  ),
  fn: async () => {
    await using world = await testWorld();
    const artifacts = [{ name: "a", path: "/message", raw: { data: "hello" } }];
    const template = { container: {}, inputs: { artifacts } };
    await world.write(PATH.template, JSON.stringify(template));
    await Deno.chmod(world.root, 0o755);
    await Deno.chmod(at(world, "/dev"), 0o777);
    // A link would have to be created in the image's root folder, which main cannot write to …
    await world.write(`${PATH.inputArtifacts}/a`, "hello");
    assertEquals(await runAsNobody(world, `cat ${world.root}/message`), 66);
    assertMatch((await world.termination())?.cause ?? "", /failed to link input artifact "a" at \/message/);
    // … so the legacy layout is chosen, in which the kubelet mounts the artifact there.
    await Deno.remove(at(world, PATH.inputArtifacts), { recursive: true });
    await world.write("/message", "hello");
    assertEquals(await runAsNobody(world, `test "$(cat ${world.root}/message)" = hello`), 0);
  },
});

Deno.test("emissary: waits for the exit of its command without polling (IL-77)", async () => {
  const clock = fakeClock();
  await using world = await testWorld({ template: PLAIN, clock });
  // The fake clock does not advance: polling would never end.
  assertEquals(await shell(world, "sleep 0.1"), 0);
  assertEquals(await exitCode(world), "0");
});

Deno.test("emissary: signal 9 of the controller kills the command, and the exit code is 137 (IL-83)", async () => {
  await using world = await testWorld({ template: PLAIN });
  const running = shell(world, `trap "" TERM; sh -c 'trap "" TERM; echo $$ > ${world.root}/inner; sleep 60' & wait`);
  await untilWritten(world, "/inner");
  assertEquals(await kill(world, ["9", "1"]), 0);
  assertEquals(await running, 137);
  const inner = Number(await world.read("/inner"));
  const isGone = () => !isRunning(inner);
  await awaitFact("the children of the command are gone too", isGone, { seconds: 30 });
});

/** Whether a process is running. A zombie is not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

for (const [signal, code] of [[15, 143], [9, 137]] as const) {
  Deno.test(`emissary: signal ${signal} while waiting for a dependency ends it with exit code ${code} (IL-41)`, async () => {
    await using world = await testWorld({ template: SET, container: "second" });
    const running = shell(world, "exit 0");
    sendSignal(world, "second", signal);
    assertEquals(await running, code);
    assertEquals(await exitCode(world, "second"), String(code));
    assertEquals(await world.read(`${PATH.containers}/second/combined`), undefined);
  });
}

Deno.test("emissary: ignores the exit code file of a previous run", async () => {
  await using world = await testWorld({ template: PLAIN, env: { [ENV.pauseBefore]: "true" } });
  PLAIN_FILES.makeFolder(containerFolder(world, "main"));
  writeExitCode(world, "main", 1);
  const running = shell(world, "exit 0");
  const file = `${containerFolder(world, "main")}/exitcode`;
  await waitForFile(file, () => Deno.stat(file).then(() => undefined, () => true));
  await world.write(`${PATH.containers}/main/before`, "go");
  assertEquals(await running, 0);
});

Deno.test("emissary: keeps the links of a previous run, also in volumes", async () => {
  await using world = await testWorld();
  const template = {
    container: { volumeMounts: [{ name: "v", mountPath: "/volume" }] },
    inputs: { artifacts: [{ name: "a", path: "/alias/file" }] },
  };
  await world.write(PATH.template, JSON.stringify(template));
  await world.write(`${PATH.inputArtifacts}/a`, "loaded");
  await Deno.mkdir(at(world, "/volume"));
  await Deno.symlink(at(world, "/volume"), at(world, "/alias"));
  for (let life = 0; life < 2; life++) assertEquals(await shell(world, `cat ${world.root}/volume/file`), 0);
});

Deno.test("emissary: passes a huge argument through the shared folder if /tmp is not writable", async () => {
  await using world = await testWorld({ template: PLAIN });
  await world.write("/tmp", "not a folder");
  const long = "x".repeat(140_000);
  assertEquals(await emissary(world, ["--", "sh", "-c", `echo "$1" > ${world.root}/word`, "sh", long]), 0);
  const file = at(world, `${PATH.varRunArgo}/argo_arg_4.txt`);
  assertEquals(await world.read("/word"), `@${file}\n`);
  assertEquals((await Deno.stat(file)).size, 140_000);
});

Deno.test("emissary: ignores a partially written exit code", async () => {
  await using world = await testWorld({ template: SET, container: "second" });
  PLAIN_FILES.makeFolder(containerFolder(world, "first"));
  const file = `${containerFolder(world, "first")}/exitcode`;
  await Deno.writeTextFile(file, "");
  const running = shell(world, "exit 0");
  await Deno.writeTextFile(file, "0");
  assertEquals(await running, 0);
});

Deno.test("emissary: in a single-container pod, does not wait and stages the script itself", async () => {
  const template = { script: { source: "echo alone" } };
  const env = { [ENV.singleContainer]: "true", [ENV.template]: JSON.stringify(template) };
  await using world = await testWorld({ env });
  await Deno.mkdir(at(world, PATH.staging), { recursive: true });
  // The file in the shared folder must be ignored: in this layout only the user's command could have written it.
  await world.write(PATH.template, JSON.stringify({ script: { source: "echo forged" } }));
  assertEquals(await shell(world, `sh ${at(world, PATH.scriptSource)} > ${world.root}/said`), 0);
  assertEquals(await world.read("/said"), "alone\n");
});

Deno.test("emissary: a variable of the user cannot enable the single-container mode", async () => {
  const env = { [ENV.singleContainer]: "true", [ENV.waitForReady]: "true" };
  await using world = await testWorld({ template: PLAIN, env });
  await writeMarker(at(world, PATH.status), { kind: "FAILED", message: "no inputs" });
  assertEquals(await shell(world, "exit 0"), EXIT.preMainFailed);
});
