/** Token reviews, with which servers authenticate their own callers. */

import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import { asObject } from "../body.ts";
import type { Caller } from "./caller.ts";
import { groupsOf } from "./reviews.ts";

/** Answers a TokenReview. `callerOf` returns the caller of a token. */
export async function reviewToken(
  body: unknown,
  callerOf: (token: string) => Promise<Caller | undefined>,
): Promise<KubeObject> {
  const asked = asObject(body);
  const caller = await callerOf(textIn(fieldsOf(asked.spec), "token") ?? "");
  const status = caller === undefined
    ? { authenticated: false }
    : { authenticated: true, user: { username: caller.user, groups: groupsOf(caller.user) } };
  return { ...asked, apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", status };
}
