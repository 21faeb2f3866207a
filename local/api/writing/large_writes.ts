/** Writes of large objects: in stages, between which other requests are handled. */
import { inTurns, nextTurn, type Stages } from "@tiphys/base/turns";
import type { KubeObject } from "@tiphys/kube";
import { type KindErrors, kindErrors, type TextWorker, TextWorkerError } from "@tiphys/language/text_worker";
import { isKindName } from "@tiphys/model/api/kinds";
import { OURSELVES } from "../access/caller.ts";
import type { ServedResource } from "../served_resource.ts";
import { throwParseError } from "./parse_error.ts";

/** The parts of the server that write large objects. */
export interface LargeWriteOptions {
  readonly texts: TextWorker;
  readonly caller: { readonly user: string };
}

/** The write of one large object. */
export class LargeWrite {
  readonly #options: LargeWriteOptions;

  constructor(options: LargeWriteOptions) {
    this.#options = options;
  }

  /** Lets other requests be handled. Objects of the store may have changed afterwards. */
  turn(): Promise<void> {
    return nextTurn(this.#options.caller.user);
  }

  /** Completes a part of the write, and lets other requests be handled between its stages, like {@link turn}. */
  complete<T>(stages: Stages<T>): Promise<T> {
    return inTurns(stages, this.#options.caller.user);
  }

  /**
   * Validates an object in a thread, if its text is large: each error of a value costs far more than the value. Returns
   * undefined for a kind whose schema is not checked there, and for objects of this program that are written in one
   * stage.
   * @throws {StatusError} if the thread cannot check it.
   */
  async kindErrors(
    object: KubeObject,
    resource: ServedResource,
    { inStages }: { readonly inStages: boolean },
  ): Promise<KindErrors | undefined> {
    const { texts, caller: { user } } = this.#options;
    const { builtIn, group, kind } = resource;
    if (user === OURSELVES.user && !inStages) return undefined;
    if (builtIn || group !== "argoproj.io" || !isKindName(kind)) return undefined;
    try {
      return await texts.run("kindErrors", { kind, object }, { key: user, runHere: kindErrors });
    } catch (error) {
      // The writes of this program are not refused because it makes many.
      if (user === OURSELVES.user && error instanceof TextWorkerError && error.kind === "busy") return undefined;
      throwParseError(error);
    }
  }
}
