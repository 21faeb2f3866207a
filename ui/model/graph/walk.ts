/** The walk through a graph by arrow keys: along edges, into boxes and out of them. */
import type { Picture, Placed } from "./layout.ts";

/** The direction of a step. */
export type Step = "left" | "right" | "up" | "down";

/** Knows the ways of one picture. */
export class Walk {
  readonly #picture: Picture;
  #placed: ReadonlyMap<string, Placed> | undefined;
  #known: Ways | undefined;

  constructor(picture: Picture) {
    this.#picture = picture;
  }

  /** The ways, found at the first step: few who look at a large picture walk through it by keys. */
  get #ways(): Ways {
    return this.#known ??= waysOf(this.#picture);
  }

  /** A part in its place; undefined when it is not drawn. */
  at(key: string | undefined): Placed | undefined {
    if (key === undefined) return undefined;
    // Made when the first is looked for: a large picture is drawn before.
    this.#placed ??= new Map(this.#picture.placed.map((one) => [one.part.key, one]));
    return this.#placed.get(key);
  }

  /** The first part: the leftmost, then topmost of the outermost. */
  first(): Placed | undefined {
    return this.#firstIn(undefined);
  }

  /** The part that a step leads to; undefined at the end of the way. */
  step(from: Placed, step: Step): Placed | undefined {
    switch (step) {
      case "right":
        return from.isOpen ? this.#firstIn(from) : this.#onwards(from);
      case "left":
        return nearest(this.#ways.before.get(from), from) ?? from.holder;
      case "up":
      case "down":
        return this.#beside(from, step === "up" ? -1 : 1);
    }
  }

  /** The nearest part after a part; without one, the nearest after the box that it lies in. */
  #onwards(from: Placed): Placed | undefined {
    for (let one: Placed | undefined = from; one; one = one.holder) {
      const next = nearest(this.#ways.after.get(one), one);
      if (next) return next;
    }
    return undefined;
  }

  #firstIn(holder: Placed | undefined): Placed | undefined {
    return this.#ways.members.get(holder)?.reduce((a, b) => b.x < a.x || b.x === a.x && b.y < a.y ? b : a);
  }

  /** The nearest part above or below in the same box; parts in the same column come first. */
  #beside(from: Placed, sign: 1 | -1): Placed | undefined {
    let found: Placed | undefined;
    let least = Infinity;
    for (const one of this.#ways.members.get(from.holder) ?? []) {
      const away = sign * (middle(one) - middle(from));
      if (one === from || away <= 0) continue;
      const aside = one.x < from.x + from.width && from.x < one.x + one.width ? 0 : Math.abs(one.x - from.x) * 4;
      if (away + aside < least) [found, least] = [one, away + aside];
    }
    return found;
  }
}

/** The parts after each part, before it, and in it. */
interface Ways {
  readonly after: ReadonlyMap<Placed, Placed[]>;
  readonly before: ReadonlyMap<Placed, Placed[]>;
  readonly members: ReadonlyMap<Placed | undefined, Placed[]>;
}

function waysOf({ placed, routes }: Picture): Ways {
  const [after, before] = [new Map<Placed, Placed[]>(), new Map<Placed, Placed[]>()];
  const members = new Map<Placed | undefined, Placed[]>();
  for (const one of placed) add(members, one.holder, one);
  for (const { from, to } of routes) {
    add(after, from, to);
    add(before, to, from);
  }
  return { after, before, members };
}

function add<K>(map: Map<K, Placed[]>, key: K, value: Placed): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function middle({ y, height }: Placed): number {
  return y + height / 2;
}

function nearest(others: readonly Placed[] | undefined, from: Placed): Placed | undefined {
  return others?.reduce((a, b) => Math.abs(middle(b) - middle(from)) < Math.abs(middle(a) - middle(from)) ? b : a);
}
