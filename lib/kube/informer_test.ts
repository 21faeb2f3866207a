import { assertEquals, assertRejects } from "@std/assert";
import { KubeClient } from "./client.ts";
import { handlerTransport } from "./handler_transport.ts";
import { Informer, type InformerOptions } from "./informer.ts";
import type { KubeObject } from "./object.ts";
import { CONFIGMAPS } from "./resources.ts";

/** A server whose lists and watches the test scripts, in order. */
class ScriptedServer {
  readonly requests: string[] = [];
  readonly #answers: (() => Response)[] = [];
  #wake = () => {};

  list(resourceVersion: string, ...items: KubeObject[]): this {
    return this.#add(() => Response.json({ metadata: { resourceVersion }, items }));
  }

  page(resourceVersion: string, next: string, ...items: KubeObject[]): this {
    return this.#add(() => Response.json({ metadata: { resourceVersion, continue: next }, items }));
  }

  /** Adds a watch that sends these events and then ends, or stays open. */
  watch(ending: "ends" | "stays", ...events: unknown[]): this {
    const bytes = new TextEncoder().encode(events.map((event) => JSON.stringify(event) + "\n").join(""));
    return this.#add(() =>
      new Response(
        new ReadableStream({
          start(stream) {
            if (bytes.length > 0) stream.enqueue(bytes);
            if (ending === "ends") stream.close();
          },
        }),
      )
    );
  }

  refusal(status: number, reason: string): this {
    return this.#add(() => Response.json({ kind: "Status", code: status, reason, message: reason }, { status }));
  }

  #add(answer: () => Response): this {
    this.#answers.push(answer);
    return this;
  }

  /** Starts an informer on this server. The promise of `until` resolves after that many reported changes. */
  informer(options: InformerOptions<KubeObject> = {}) {
    const handler = (request: Request) => {
      const { searchParams } = new URL(request.url);
      const what = searchParams.get("watch") ? "watch" : "list";
      this.requests.push(`${what} ${searchParams.get("resourceVersion") ?? searchParams.get("continue") ?? ""}`.trim());
      this.#wake();
      // After the script, the server only opens silent watches.
      return Promise.resolve((this.#answers.shift() ?? (() => new Response(new ReadableStream())))());
    };
    const client = new KubeClient(handlerTransport(handler));
    const informer = new Informer<KubeObject>(client, CONFIGMAPS, { backoffMs: () => 0, ...options });
    const told: string[] = [];
    informer.onChange((type, object, old) => {
      const versions = `${old?.metadata.resourceVersion ?? "-"}>${object.metadata.resourceVersion}`;
      told.push(`${type} ${object.metadata.name} ${versions}`);
      this.#wake();
    });
    return { informer, told };
  }

  /** Resolves when the condition holds. It is checked after every request and change. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => condition() && resolve();
      this.#wake();
    });
  }
}

function object(name: string, resourceVersion: string, uid = name): KubeObject {
  return { metadata: { name, namespace: "n", uid, resourceVersion } };
}

function event(type: string, of: KubeObject) {
  return { type, object: of };
}

const gone = { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } };

Deno.test("Informer: start() resolves after the first list was reported", async () => {
  const server = new ScriptedServer().page("5", "next", object("a", "1")).list("5", object("b", "2"));
  const { informer, told } = server.informer();
  const stop = new AbortController();
  await informer.start(stop.signal);
  assertEquals(told, ["added a ->1", "added b ->2"]);
  assertEquals(server.requests.slice(0, 2), ["list", "list next"]);
  stop.abort();
});

Deno.test("Informer: resumes where a watch ended, without listing again", async () => {
  const server = new ScriptedServer()
    .list("5")
    .watch("ends", event("ADDED", object("a", "6")), event("BOOKMARK", object("", "9")))
    .watch("stays", event("MODIFIED", object("a", "10")));
  const { informer, told } = server.informer();
  const stop = new AbortController();
  await informer.start(stop.signal);
  await server.until(() => told.length === 2);
  assertEquals(server.requests, ["list", "watch 5", "watch 9"]);
  assertEquals(told, ["added a ->6", "modified a 6>10"]);
  stop.abort();
});

Deno.test("Informer: lists again when its version is too old, and reports objects that disappeared as deleted", async () => {
  const server = new ScriptedServer()
    .list("5", object("a", "1"), object("b", "2"), object("c", "3"))
    .watch("ends", gone)
    .list("20", object("b", "2"), object("c", "15"), object("d", "16"));
  const { informer, told } = server.informer();
  const stop = new AbortController();
  await informer.start(stop.signal);
  await server.until(() => told.length === 6);
  assertEquals(told.slice(3), ["deleted a 1>1", "modified c 3>15", "added d ->16"]);
  assertEquals(server.requests, ["list", "watch 5", "list"]);
  stop.abort();
});

Deno.test("Informer: without the right to watch, it lists again and again with limited delays", async () => {
  const server = new ScriptedServer();
  for (let version = 1; version <= 9; version++) {
    server.list(`${version}`, object("a", `${version}`)).refusal(403, "Forbidden");
  }
  const pauses: number[] = [];
  const backoffMs = (failures: number) => {
    pauses.push(failures);
    return 0;
  };
  const { informer, told } = server.informer({ backoffMs });
  const stop = new AbortController();
  await informer.start(stop.signal);
  await server.until(() => told.length === 9);
  stop.abort();
  assertEquals(told.at(-1), "modified a 8>9");
  assertEquals(server.requests.slice(0, 4), ["list", "watch 1", "list", "watch 2"]);
  assertEquals(Math.max(...pauses) <= 5, true, `${pauses}`);
});

Deno.test("Informer: reports an object that was replaced under the same name as deleted and added", async () => {
  const server = new ScriptedServer()
    .list("5", object("a", "1", "first"))
    .watch("stays", event("MODIFIED", object("a", "6", "second")));
  const { informer, told } = server.informer();
  const stop = new AbortController();
  await informer.start(stop.signal);
  await server.until(() => told.length === 3);
  assertEquals(told, ["added a ->1", "deleted a 1>1", "added a ->6"]);
  stop.abort();
});

Deno.test("Informer: resumes after errors and broken watches, and passes them to onError", async () => {
  const errors: string[] = [];
  const server = new ScriptedServer()
    .refusal(403, "Forbidden")
    .list("5")
    .refusal(500, "InternalError")
    .watch("stays", event("ADDED", object("a", "6")));
  const { informer, told } = server.informer({ onError: (error) => errors.push((error as Error).message) });
  const stop = new AbortController();
  await informer.start(stop.signal);
  await server.until(() => told.length === 1);
  assertEquals(errors, ["Forbidden", "InternalError"]);
  assertEquals(server.requests, ["list", "list", "watch 5", "watch 5"]);
  stop.abort();
});

Deno.test("Informer: reopens a watch that is silent for too long", async () => {
  const server = new ScriptedServer().list("5").watch("stays").watch("stays", event("ADDED", object("a", "6")));
  const errors: string[] = [];
  const { informer, told } = server.informer({
    inactivityMs: 5,
    onError: (error) => errors.push((error as Error).message),
  });
  const stop = new AbortController();
  await informer.start(stop.signal);
  await server.until(() => told.length === 1);
  assertEquals(errors[0], "The watch was silent for 0.005 s");
  stop.abort();
});

Deno.test("Informer: an error of a handler is reported and affects neither other handlers nor the copy", async () => {
  const errors: unknown[] = [];
  const server = new ScriptedServer().list("5", object("a", "1"));
  const { informer, told } = server.informer({ onError: (error) => errors.push(error) });
  const bug = new Error("bug");
  informer.onChange(() => {
    throw bug;
  });
  const stop = new AbortController();
  await informer.start(stop.signal);
  assertEquals([errors, told, informer.get("n/a")?.metadata.name], [[bug], ["added a ->1"], "a"]);
  stop.abort();
});

Deno.test("Informer: hasSeen() is true for a write once its change, or a later one, was reported", async () => {
  const server = new ScriptedServer().list("5").watch("stays", event("ADDED", object("other", "12")));
  const { informer } = server.informer();
  const stop = new AbortController();
  await informer.start(stop.signal);
  assertEquals([informer.hasSeen("5"), informer.hasSeen("13")], [true, false]);
  await server.until(() => informer.hasSeen("11"));
  stop.abort();
});

Deno.test("Informer: a handler that is added later receives existing objects", async () => {
  const server = new ScriptedServer().list("5", object("a", "1"));
  const { informer } = server.informer();
  const stop = new AbortController();
  await informer.start(stop.signal);
  const late: string[] = [];
  informer.onChange((type, { metadata }) => late.push(`${type} ${metadata.name}`));
  assertEquals(late, ["added a"]);
  stop.abort();
});

Deno.test("Informer: start() rejects when it is aborted before the first list", async () => {
  const stop = new AbortController();
  const server = new ScriptedServer().refusal(500, "InternalError");
  const { informer } = server.informer({ backoffMs: () => 60_000, onError: () => stop.abort(new Error("enough")) });
  await assertRejects(() => informer.start(stop.signal), Error, "enough");
});

Deno.test("Informer: drops the record of field owners, except for objects that are applied server-side", async () => {
  const ownedBy = (name: string, operation: string): KubeObject => {
    const { metadata } = object(name, "1");
    return { metadata: { ...metadata, managedFields: [{ manager: "somebody", operation }] } as KubeObject["metadata"] };
  };
  const server = new ScriptedServer().list("5", ownedBy("updated", "Update"), ownedBy("applied", "Apply"));
  const { informer } = server.informer();
  const stop = new AbortController();
  await informer.start(stop.signal);
  assertEquals(informer.get("n/updated"), object("updated", "1"));
  assertEquals(informer.get("n/applied"), ownedBy("applied", "Apply"));
  stop.abort();
});

Deno.test("Informer: an index has every object under each of its keys until it changes or is deleted", async () => {
  const at = (name: string, version: string, data: string) => ({ ...object(name, version), data });
  const server = new ScriptedServer()
    .list("3", at("a", "1", "x"), at("b", "2", "x y"), at("c", "3", "x"))
    .watch(
      "stays",
      event("MODIFIED", at("a", "4", "y")),
      event("DELETED", at("b", "5", "x y")),
      event("MODIFIED", at("c", "6", "z")),
    );
  const found: string[] = [];
  const keysOf = ({ data }: KubeObject & { readonly data?: unknown }) => String(data).split(" ");
  const { informer, told } = server.informer({ indexers: { data: keysOf } });
  informer.onChange(() => {
    const under = informer.indexKeys("data").sort().map((key) =>
      `${key}:${informer.byIndex("data", key).map(({ metadata }) => metadata.name).join("")}`
    );
    found.push(under.join(" "));
  });
  const stop = new AbortController();
  await informer.start(stop.signal);
  await server.until(() => told.length === 6);
  assertEquals(found, ["x:a", "x:ab y:b", "x:abc y:b", "x:bc y:ba", "x:c y:a", "y:a z:c"]);
  stop.abort();
});
