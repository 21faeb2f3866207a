/** Suites of promises: code over a database keeps the same ones on each kind of it. */
import type { Database } from "../database.ts";
import { connect, SERVER_KINDS, type TestServer } from "./servers.ts";

/** Promises by their titles, and the bench that each is tried on. */
export interface Suite<Bench> {
  readonly title: string;
  /** Makes the tables, as two controllers do that start at once: `another` is the second one's connection. */
  prepare(database: Database, another: Database): Promise<void>;
  /** A bench on which nothing is of the promise before. */
  bench(database: Database, server: TestServer): Promise<Bench>;
  readonly promises: Readonly<Record<string, (bench: Bench) => Promise<void>>>;
}

/** Makes a test for each kind of server, with a step for each promise. */
export function testOnEachServer<Bench>({ title, prepare, bench, promises }: Suite<Bench>): void {
  for (const kind of SERVER_KINDS) {
    Deno.test({
      ...kind.test(title),
      async fn(t) {
        await using server = await kind.start();
        await using database = connect(server);
        await using another = connect(server);
        await prepare(database, another);
        for (const [name, promise] of Object.entries(promises)) {
          await t.step(name, async () => await promise(await bench(database, server)));
        }
      },
    });
  }
}
