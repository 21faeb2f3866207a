/** Navigation in a graph by arrow keys: along edges, into groups and out of them. */
import type { Picture, PlacedPart } from "./layout.ts";

/** The direction of a move. */
export type Step = "left" | "right" | "up" | "down";

/** Navigation in one picture. */
export class PictureNavigation {
  readonly #picture: Picture;
  #placed: ReadonlyMap<string, PlacedPart> | undefined;
  #neighbours: Neighbours | undefined;

  constructor(picture: Picture) {
    this.#picture = picture;
  }

  /** Computed on the first move, because few users navigate large pictures by keys. */
  get #ways(): Neighbours {
    return this.#neighbours ??= neighboursOf(this.#picture);
  }

  /** Returns a placed part, or undefined if it is not drawn. */
  partAt(key: string | undefined): PlacedPart | undefined {
    if (key === undefined) return undefined;
    // Built on first use, so that a large picture is drawn first.
    this.#placed ??= new Map(this.#picture.placed.map((placedPart) => [placedPart.part.key, placedPart]));
    return this.#placed.get(key);
  }

  /** Returns the first part: the leftmost, then topmost of the top level. */
  firstPart(): PlacedPart | undefined {
    return this.#firstMemberOf(undefined);
  }

  /** Returns the destination of a move, or undefined. */
  destinationOf(from: PlacedPart, step: Step): PlacedPart | undefined {
    switch (step) {
      case "right":
        return from.isOpen ? this.#firstMemberOf(from) : this.#successorOf(from);
      case "left":
        return nearestTo(this.#ways.before.get(from), from) ?? from.holder;
      case "up":
      case "down":
        return this.#neighbourOf(from, step === "up" ? -1 : 1);
    }
  }

  /** Returns the nearest successor of a part, or of its innermost enclosing group with one. */
  #successorOf(from: PlacedPart): PlacedPart | undefined {
    for (let ancestor: PlacedPart | undefined = from; ancestor; ancestor = ancestor.holder) {
      const next = nearestTo(this.#ways.after.get(ancestor), ancestor);
      if (next) return next;
    }
    return undefined;
  }

  #firstMemberOf(holder: PlacedPart | undefined): PlacedPart | undefined {
    return this.#ways.members.get(holder)?.reduce((a, b) => b.x < a.x || b.x === a.x && b.y < a.y ? b : a);
  }

  /** Returns the nearest part above or below in the same group; parts in the same column come first. */
  #neighbourOf(from: PlacedPart, sign: 1 | -1): PlacedPart | undefined {
    let found: PlacedPart | undefined;
    let min = Infinity;
    for (const member of this.#ways.members.get(from.holder) ?? []) {
      const away = sign * (middleOf(member) - middleOf(from));
      if (member === from || away <= 0) continue;
      const aside = member.x < from.x + from.width && from.x < member.x + member.width
        ? 0
        : Math.abs(member.x - from.x) * 4;
      if (away + aside < min) [found, min] = [member, away + aside];
    }
    return found;
  }
}

/** The parts after, before, and inside each part. */
interface Neighbours {
  readonly after: ReadonlyMap<PlacedPart, PlacedPart[]>;
  readonly before: ReadonlyMap<PlacedPart, PlacedPart[]>;
  readonly members: ReadonlyMap<PlacedPart | undefined, PlacedPart[]>;
}

function neighboursOf({ placed, routes }: Picture): Neighbours {
  const [after, before] = [new Map<PlacedPart, PlacedPart[]>(), new Map<PlacedPart, PlacedPart[]>()];
  const members = new Map<PlacedPart | undefined, PlacedPart[]>();
  for (const placedPart of placed) add(members, placedPart.holder, placedPart);
  for (const { from, to } of routes) {
    add(after, from, to);
    add(before, to, from);
  }
  return { after, before, members };
}

function add<K>(map: Map<K, PlacedPart[]>, key: K, value: PlacedPart): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function middleOf({ y, height }: PlacedPart): number {
  return y + height / 2;
}

function nearestTo(others: readonly PlacedPart[] | undefined, from: PlacedPart): PlacedPart | undefined {
  return others?.reduce((a, b) =>
    Math.abs(middleOf(b) - middleOf(from)) < Math.abs(middleOf(a) - middleOf(from)) ? b : a
  );
}
