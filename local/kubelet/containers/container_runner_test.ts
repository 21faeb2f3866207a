import { assertEquals, assertRejects } from "@std/assert";
import { logStream } from "../logs/log_reader.ts";
import { ContainerRunner } from "./container_runner.ts";
import {
  type Container,
  type ContainerRuntime,
  type ContainerSpec,
  type Ending,
  PLAIN_IMAGE,
} from "../runtime/runtime.ts";
import { ImageError } from "@tiphys/registry/image_error";
import { CannotStartError } from "./startable.ts";

const runtime: ContainerRuntime = {
  name: "none",
  pull: () => Promise.resolve(PLAIN_IMAGE),
  imageFolder: () => Promise.resolve(""),
  start: () => Promise.reject(new Error("nothing is to be started")),
  close: () => Promise.resolve(),
};

Deno.test("ContainerRunner: does not wait for an image when its pod ends", async () => {
  const folder = await Deno.makeTempDir();
  const stopping = new AbortController();
  const runner = new ContainerRunner({ name: "main", image: "slow" }, "main", {
    runtime,
    restartPolicy: "Never",
    folder,
    specOf() {
      stopping.abort();
      return new Promise(() => {});
    },
    terminationMessage: () => Promise.resolve(""),
    now: () => "",
    onError() {},
    onChange() {},
    recordEvent() {},
    stopping: stopping.signal,
  });
  assertEquals(await runner.run(), undefined);
  await Deno.remove(folder, { recursive: true });
});

/** Runs a container, and returns its records and errors. */
async function recordOf(specOf: () => Promise<ContainerSpec>, container: Partial<Container> = {}) {
  const folder = await Deno.makeTempDir();
  const complaints: string[] = [];
  const told: string[] = [];
  const runner = new ContainerRunner({ name: "main", image: "i" }, "main", {
    runtime: {
      ...runtime,
      start: () =>
        Promise.resolve({
          ended: Promise.resolve({ exitCode: 0, reason: "Completed" }),
          signal() {},
          exec: () => Promise.reject(new Error("it is not running")),
          remove: () => Promise.resolve(),
          ...container,
        }),
    },
    restartPolicy: "Never",
    folder,
    specOf,
    terminationMessage: () => Promise.resolve(""),
    now: () => "",
    onError: (what, error) => complaints.push(`${what}: ${error}`),
    onChange() {},
    recordEvent: ({ message }) => told.push(message),
    stopping: new AbortController().signal,
  });
  await runner.run();
  await Deno.remove(folder, { recursive: true });
  return { state: runner.record.state, complaints, told };
}

Deno.test("ContainerRunner: records one event for a failed pull, even if it retries before the next pull", async () => {
  const first = new ImageError("ErrImagePull", "404");
  const answers = [first, first, new ImageError("ErrImagePull", "404")];
  const { told } = await recordOf(() => {
    const error = answers.shift();
    return error ? Promise.reject(error) : Promise.resolve({ id: "c" } as ContainerSpec);
  });
  assertEquals(told, ["ErrImagePull: 404", "ErrImagePull: 404", "Started container main"]);
});

Deno.test("ContainerRunner: reports the exit code of a container that cannot be removed", async () => {
  const { state, complaints } = await recordOf(() => Promise.resolve({ id: "c" } as ContainerSpec), {
    remove: () => Promise.reject(new Error("busy")),
  });
  assertEquals([state.terminated?.reason, complaints], ["Completed", ["remove container none://c: Error: busy"]]);
});

Deno.test("ContainerRunner: fails a container that no kernel would start, without retry", async () => {
  const { state } = await recordOf(() => Promise.reject(new CannotStartError("a word has more than 5 bytes")));
  const { exitCode, reason, message } = state.terminated!;
  assertEquals([exitCode, reason], [128, "StartError"]);
  assertEquals(message, "Could not start the container: a word has more than 5 bytes");
});

/** A container whose creation a test controls. */
async function makingOf(stopping: AbortController) {
  const folder = await Deno.makeTempDir();
  const made = Promise.withResolvers<Container>();
  const begun = Promise.withResolvers<void>();
  const runner = new ContainerRunner({ name: "main", image: "i" }, "main", {
    runtime: {
      ...runtime,
      start() {
        begun.resolve();
        return made.promise;
      },
    },
    restartPolicy: "Never",
    folder,
    specOf: () => Promise.resolve({ id: "c" } as ContainerSpec),
    terminationMessage: () => Promise.resolve(""),
    now: () => "",
    onError() {},
    onChange() {},
    recordEvent() {},
    stopping: stopping.signal,
  });
  const running = runner.run();
  running.catch(() => {});
  await begun.promise;
  return { runner, running, made, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

Deno.test("ContainerRunner: kills a container that received SIGKILL while it was being created", async () => {
  for (
    const [told, heard] of [[["SIGKILL"], ["SIGKILL"]], [["SIGTERM"], ["SIGTERM"]], [["SIGTERM", "SIGKILL"], [
      "SIGKILL",
    ]]] as const
  ) {
    const stopping = new AbortController();
    await using bench = await makingOf(stopping);
    stopping.abort();
    for (const signal of told) bench.runner.signal(signal);
    const signals: string[] = [];
    const ended = Promise.withResolvers<Ending>();
    bench.made.resolve({
      ended: ended.promise,
      signal(signal) {
        signals.push(signal);
        ended.resolve({ exitCode: 137, reason: "Error" });
      },
      exec: () => Promise.reject(new Error("it is not running")),
      remove: () => Promise.resolve(),
    });
    await bench.running;
    assertEquals(signals, [...heard]);
  }
});

Deno.test("ContainerRunner: the log of a container that could not be created ends for its followers", async () => {
  await using bench = await makingOf(new AbortController());
  const log = new Response(logStream(bench.runner.logPath(), { follow: true }, bench.runner.log)).text();
  bench.made.reject(new Error("no more processes"));
  await assertRejects(() => bench.running, Error, "no more processes");
  assertEquals(await log, "");
});

Deno.test("ContainerRunner: the restart count increases when the container is running again", async () => {
  const folder = await Deno.makeTempDir();
  const seen: string[] = [];
  let attempts = 0;
  const runner: ContainerRunner = new ContainerRunner({ name: "main", image: "i" }, "main", {
    runtime: {
      ...runtime,
      start: () =>
        Promise.resolve({
          ended: Promise.resolve(
            attempts++ === 0 ? { exitCode: 1, reason: "Error" } : { exitCode: 0, reason: "Completed" },
          ),
          signal() {},
          exec: () => Promise.reject(new Error("it is not running")),
          remove: () => Promise.resolve(),
        }),
    },
    restartPolicy: "OnFailure",
    folder,
    specOf: () => Promise.resolve({ id: "c" } as ContainerSpec),
    terminationMessage: () => Promise.resolve(""),
    now: () => "",
    onError() {},
    recordEvent() {},
    onChange() {
      const { restartCount, state } = runner.record;
      seen.push(`${restartCount} ${Object.keys(state).join()}`);
    },
    stopping: new AbortController().signal,
  });
  await runner.run();
  await Deno.remove(folder, { recursive: true });
  assertEquals([...new Set(seen)], ["0 running", "0 terminated", "1 running", "1 terminated"]);
});
