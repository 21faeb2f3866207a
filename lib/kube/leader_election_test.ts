import { assertEquals, assertRejects } from "@std/assert";
import { KubeClient } from "./client.ts";
import { handlerTransport } from "./handler_transport.ts";
import { type LeaderElectionOptions, runAsLeader } from "./leader_election.ts";
import type { KubeObject } from "./object.ts";

/** One Lease behind an API that checks versions like a real one. */
class LeaseServer {
  lease: KubeObject | undefined;
  down = false;
  #version = 0;

  readonly client: KubeClient = new KubeClient(handlerTransport((request) => this.handle(request)));

  async handle(request: Request): Promise<Response> {
    if (this.down) return refusal(503, "ServiceUnavailable");
    if (request.method === "GET") return this.lease ? Response.json(this.lease) : refusal(404, "NotFound");
    const given = await request.json() as KubeObject;
    if (request.method === "POST" && this.lease) return refusal(409, "AlreadyExists");
    const { resourceVersion } = given.metadata;
    if (request.method === "PUT" && resourceVersion !== this.lease?.metadata.resourceVersion) {
      return refusal(409, "Conflict");
    }
    return Response.json(this.write(given));
  }

  write(lease: KubeObject): KubeObject {
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.#version) } };
    return this.lease;
  }

  get holder(): unknown {
    return (this.lease?.spec as { holderIdentity?: string } | undefined)?.holderIdentity;
  }
}

function refusal(code: number, reason: string): Response {
  return Response.json({ kind: "Status", code, reason, message: reason }, { status: code });
}

/** A clock that advances only when something waits. `atStep` is called before each wait. */
function candidate(server: LeaseServer, identity: string, atStep: (step: number) => void = () => {}) {
  const clock = { now: 0, ahead: 0, steps: 0 };
  const options: LeaderElectionOptions = {
    client: server.client,
    namespace: "n",
    name: "controller",
    identity,
    now: () => clock.now,
    wallNow: () => clock.now + clock.ahead,
    wait: (ms, signal) => {
      if (!signal.aborted) clock.now += ms;
      atStep(++clock.steps);
      return Promise.resolve();
    },
  };
  return { options, clock };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

Deno.test("runAsLeader: acquires a free lease at once, renews it while working, and releases it at the end", async () => {
  const server = new LeaseServer();
  const stop = new AbortController();
  const renewals: unknown[] = [];
  const { options } = candidate(server, "me", (step) => {
    renewals.push((server.lease?.spec as { renewTime: string }).renewTime);
    if (step === 3) stop.abort();
  });
  let holderAtWork: unknown;
  await runAsLeader(options, (signal) => {
    holderAtWork = server.holder;
    return untilAborted(signal);
  }, stop.signal);
  assertEquals(holderAtWork, "me");
  assertEquals(renewals, ["1970-01-01T00:00:00.000000Z", "1970-01-01T00:00:05.000000Z", "1970-01-01T00:00:10.000000Z"]);
  assertEquals(server.holder, "");
});

Deno.test("runAsLeader: takes a lease over when it is unchanged for its duration, by our clock alone", async () => {
  const server = new LeaseServer();
  server.write({ metadata: { name: "controller" }, spec: { holderIdentity: "other", leaseTransitions: 4 } });
  const { options, clock } = candidate(server, "me", (step) => {
    // The other holder renews once more after five seconds of our clock.
    if (step === 1) server.write(server.lease!);
  });
  let beganAt = -1;
  await runAsLeader(options, () => {
    beganAt = clock.now;
    return Promise.resolve();
  }, new AbortController().signal);
  assertEquals(beganAt, 20_000);
  assertEquals((server.lease?.spec as { leaseTransitions: number }).leaseTransitions, 5);
});

Deno.test("runAsLeader: takes a lease over as soon as the duration that its holder wrote has passed", async () => {
  for (
    const [leaseDurationSeconds, expected] of [[7, 7000], [12, 12_000], [undefined, 15_000], [31, 31_000]] as const
  ) {
    const server = new LeaseServer();
    server.write({ metadata: { name: "controller" }, spec: { holderIdentity: "other", leaseDurationSeconds } });
    const { options, clock } = candidate(server, "me");
    let beganAt = -1;
    await runAsLeader(options, () => {
      beganAt = clock.now;
      return Promise.resolve();
    }, new AbortController().signal);
    assertEquals(beganAt, expected);
  }
});

Deno.test("runAsLeader: acquires a released lease without waiting", async () => {
  const server = new LeaseServer();
  server.write({ metadata: { name: "controller" }, spec: { holderIdentity: "" } });
  const { options, clock } = candidate(server, "me");
  await runAsLeader(options, () => Promise.resolve(), new AbortController().signal);
  assertEquals(clock.steps, 1);
});

Deno.test("runAsLeader: aborts the work of a holder that lost the lease before throwing", async () => {
  const server = new LeaseServer();
  const { options } = candidate(server, "me", (step) => {
    if (step === 2) server.write({ ...server.lease!, spec: { holderIdentity: "other" } });
  });
  let stopped = false;
  const leading = runAsLeader(options, async (signal) => {
    await untilAborted(signal);
    stopped = true;
  }, new AbortController().signal);
  await assertRejects(() => leading, Error, "was lost");
  assertEquals([stopped, server.holder], [true, "other"]);
});

Deno.test("runAsLeader: a holder that cannot renew stops before another one can acquire the lease", async () => {
  const server = new LeaseServer();
  const errors: unknown[] = [];
  const { options, clock } = candidate(server, "me", (step) => {
    server.down = step >= 1;
  });
  const leading = runAsLeader(
    { ...options, onError: (error) => errors.push(error) },
    untilAborted,
    new AbortController().signal,
  );
  await assertRejects(() => leading, Error, "was lost");
  assertEquals([clock.now, errors.length], [10_000, 6]);
});

Deno.test("runAsLeader: a renewal that fails once is retried before the lease is lost", async () => {
  const server = new LeaseServer();
  const stop = new AbortController();
  const times: number[] = [];
  const { options, clock } = candidate(server, "me", (step) => {
    times.push(clock.now);
    server.down = step === 2;
    if (step === 5) stop.abort();
  });
  await runAsLeader(options, untilAborted, stop.signal);
  assertEquals(times, [5_000, 10_000, 11_000, 16_000, 21_000]);
});

Deno.test("runAsLeader: renews with one request, every period from its start, so that a slow server does not end it", async () => {
  const server = new LeaseServer();
  const stop = new AbortController();
  const { options, clock } = candidate(server, "me", (step) => {
    if (step === 6) stop.abort();
  });
  const requests: string[] = [];
  const client = new KubeClient(handlerTransport(async (request) => {
    if (clock.steps > 0 && !stop.signal.aborted) {
      requests.push(request.method);
      clock.now += 4_500;
    }
    return await server.handle(request);
  }));
  await runAsLeader({ ...options, client }, untilAborted, stop.signal);
  assertEquals(requests, ["PUT", "PUT", "PUT", "PUT", "PUT"]);
});

Deno.test("runAsLeader: a holder whose lease another client changed reads it again and renews it", async () => {
  const server = new LeaseServer();
  const stop = new AbortController();
  const { options } = candidate(server, "me", (step) => {
    if (step === 1) server.write({ ...server.lease!, metadata: { ...server.lease!.metadata, labels: { a: "b" } } });
    if (step === 4) stop.abort();
  });
  let labels: unknown;
  await runAsLeader(options, async (signal) => {
    await untilAborted(signal);
    labels = server.lease?.metadata.labels;
  }, stop.signal);
  assertEquals(labels, { a: "b" });
});

Deno.test("runAsLeader: a candidate that is stopped while it waits never works", async () => {
  const server = new LeaseServer();
  server.write({ metadata: { name: "controller" }, spec: { holderIdentity: "other" } });
  const stop = new AbortController();
  const { options } = candidate(server, "me", () => stop.abort());
  let worked = false;
  await runAsLeader(options, () => {
    worked = true;
    return Promise.resolve();
  }, stop.signal);
  assertEquals([worked, server.holder], [false, "other"]);
});

Deno.test("runAsLeader: reports a lost lease even if the interrupted work fails", async () => {
  const server = new LeaseServer();
  const { options } = candidate(server, "a", () => server.down = true);
  const work = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  await assertRejects(() => runAsLeader(options, work, new AbortController().signal), Error, "was lost");
});

Deno.test("runAsLeader: ends without an error if the work is interrupted by the signal", async () => {
  const server = new LeaseServer();
  const { options } = candidate(server, "a");
  const stop = new AbortController();
  await runAsLeader(options, (signal) => {
    stop.abort(new DOMException("Stopped", "AbortError"));
    return Promise.reject(signal.reason);
  }, stop.signal);
  assertEquals(server.holder, "");
});

Deno.test("runAsLeader: a leader that was suspended for longer than its lease detects it before any other work", async () => {
  for (const which of ["now", "ahead"] as const) {
    const server = new LeaseServer();
    const { options, clock } = candidate(server, "a");
    const seen: unknown[] = [];
    const running = runAsLeader({ ...options, wait: () => new Promise(() => {}) }, (signal, leadership) => {
      seen.push(leadership.isOurs());
      clock[which] += 10_000;
      seen.push(leadership.isOurs(), signal.aborted);
      clock[which] = 0;
      seen.push(leadership.isOurs());
      return Promise.resolve();
    }, new AbortController().signal);
    running.catch(() => {});
    await new Promise<void>((resolve) =>
      queueMicrotask(function look() {
        if (seen.length === 4) resolve();
        else setTimeout(look);
      })
    );
    assertEquals(seen, [true, false, true, false]);
  }
});

Deno.test("runAsLeader: every change of the leader starts a new epoch, also to the same identity", async () => {
  const server = new LeaseServer();
  const epochs: number[] = [];
  for (const identity of ["a", "b", "b", "a"]) {
    const { options } = candidate(server, identity);
    await runAsLeader(options, (_signal, { epoch }) => {
      epochs.push(epoch);
      return Promise.resolve();
    }, new AbortController().signal);
    // The last "b" did not release it.
    if (epochs.length === 2) {
      server.write({ ...server.lease!, spec: { ...server.lease!.spec as object, holderIdentity: "b" } });
    }
  }
  assertEquals(epochs, [0, 1, 2, 3]);
});
