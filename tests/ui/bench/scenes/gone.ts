/** B-13: a server is unavailable for ten seconds, in which runs are added and deleted. */
import { NAMESPACES } from "../played/run_lists.ts";
import { awaitFirstDrawn, awaitSettled, awaitTrue, goTo, type OpenPage, type Scene, withPage } from "../scene.ts";

const GONE_MILLIS = 10_000;
const PATIENCE = 30_000;

export const GONE: Scene = {
  name: "gone",
  about: "a server is unavailable for 10 s, in which 10 of 60 runs are replaced",
  async measure(bench) {
    const { server, tested } = bench;
    server.lists.changeBack();
    return await withPage(bench, async (open) => {
      await goTo(open, tested.listOf(NAMESPACES.mortal));
      await awaitFirstDrawn(open, "row");
      await awaitSettled(open);
      await awaitShown(open, namesOf(open));
      await server.disconnect();
      server.lists.change();
      await new Promise((resolve) => setTimeout(resolve, GONE_MILLIS));
      const names = namesOf(open);
      await open.page.evaluate(`void (globalThis.right = ${timeWhenCorrect(tested.names, names)})`);
      const back = performance.timeOrigin + performance.now();
      server.reconnect();
      const isRight = await awaitShown(open, names);
      const stale = await open.page.evaluate<number>(
        `${tested.names}.filter((name) => !${JSON.stringify(names)}.includes(name)).length`,
      );
      return {
        "from server restart to correct list": isRight ? await open.page.evaluate<number>("right") - back : Infinity,
        "stale rows": stale,
      };
    });
  },
};

function namesOf({ bench }: OpenPage): string[] {
  return bench.server.lists.runsOf(NAMESPACES.mortal).map(({ metadata }) => metadata.name!).sort();
}

function areShown(expression: string, names: readonly string[]): string {
  return `JSON.stringify(${expression}.sort()) === ${JSON.stringify(JSON.stringify(names))}`;
}

async function awaitShown(open: OpenPage, names: readonly string[]): Promise<boolean> {
  return await awaitTrue(open, areShown(open.bench.tested.names, names), PATIENCE);
}

/** Resolves with the time, in milliseconds since the epoch, of the frame that shows exactly these runs. */
function timeWhenCorrect(expression: string, names: readonly string[]): string {
  return `new Promise((resolve) => {
    const look = () => ${areShown(expression, names)}
      ? notes.afterFrame((now) => resolve(performance.timeOrigin + now))
      : requestAnimationFrame(look);
    look();
  })`;
}
