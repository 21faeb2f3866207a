import { assertEquals } from "@std/assert";
import { checkImports } from "./check_imports.ts";
import { isSimulatedFile, judgeSeed } from "./seed_rules.ts";

const ESCAPING: Readonly<Record<string, string>> = {
  "a file that is read": `const text = await Deno.readTextFile(path);`,
  "the environment": `const value = Deno.env.get("A");`,
  "a request": `const answer = await fetch("http://a");`,
  "a request by way of the global object": `const answer = await globalThis.fetch("http://a");`,
  "a socket": `const socket = new WebSocket(url);`,
  "compression": `new DecompressionStream("gzip");`,
  "cryptography on threads": `await crypto.subtle.digest("SHA-256", bytes);`,
  "a worker": `const lane = new Worker(url);`,
  "a channel": `const { port1 } = new MessageChannel();`,
  "WebAssembly": `await WebAssembly.compile(bytes);`,
  "setImmediate of Node": `setImmediate(act);`,
  "a clock that is not replaced": `const now = Temporal.Now.instant();`,
  "compression of Node": `import { gzip } from "node:zlib";`,
  "a module that is loaded later": `const { a } = await import("./a.ts");`,
};

for (const [what, line] of Object.entries(ESCAPING)) {
  Deno.test(`seed rules: code that the controller loads may not use ${what}`, () => {
    assertEquals(judgeSeed("controller/a.ts", `const one = 1;\n${line}`).length, 1);
  });
}

const STAYING: readonly string[] = [
  `const began = performance.now();`,
  `const timer = setTimeout(act, Math.random() * Date.now());`,
  `const id = crypto.randomUUID();`,
  `if (error instanceof Deno.errors.NotFound) return undefined;`,
  `let client: Deno.HttpClient | undefined;`,
  `const answer = await this.transport.fetch(path, init);`,
  `  fetch(path: string, init?: RequestInit): Promise<Response>;`,
  `    async fetch(path, init = {}) {`,
  `export function fetch(base: Value, key: Value): Value {`,
  `// Deno.env would escape`,
  `/* new Worker(url) */`,
  `import { parseArgs } from "node:util";`,
];

Deno.test("seed rules: modules that the simulation replaces, arguments, and mere mentions of names are allowed", () => {
  assertEquals(STAYING.flatMap((line) => judgeSeed("controller/a.ts", line)), []);
});

Deno.test("seed rules: the engine uses neither time nor random numbers nor timers", () => {
  for (
    const line of [
      `Date.now()`,
      `new Date()`,
      `performance.now()`,
      `Math.random()`,
      `crypto.randomUUID()`,
      `setTimeout(act)`,
    ]
  ) {
    assertEquals(judgeSeed("lib/engine/a.ts", line).length, 1, line);
    assertEquals(judgeSeed("controller/a.ts", line), [], line);
  }
});

Deno.test("seed rules: a file at the edge may use what it is listed for, and nothing else", () => {
  assertEquals(judgeSeed("lib/kube/transport.ts", `await fetch(url);`), []);
  assertEquals(judgeSeed("lib/kube/transport.ts", `new Worker(url);`).length, 1);
});

Deno.test("seed rules: apply to everything that the controller's program loads, in any folder", () => {
  const sources = new Map([
    ["controller/program.ts", `import { a } from "../lib/base/go/a.ts";`],
    ["lib/base/go/a.ts", `export const a = Deno.cwd();`],
    ["lib/base/go/b.ts", `export const b = Deno.cwd();`],
  ]);
  assertEquals(checkImports(sources).filter((complaint) => complaint.includes("reaches for")).length, 1);
  assertEquals([isSimulatedFile("controller/a.ts"), isSimulatedFile("controller/a_test.ts")], [true, false]);
});
