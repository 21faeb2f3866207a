import { assertEquals } from "@std/assert";
import { handlerTransport, KubeClient } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { TaskResultDeletion } from "./task_result_deletion.ts";

/** A deletion and its requests; `answer` determines the response to the next request. */
function deletionOf(facts: { over?: (key: string) => boolean; withReports?: string[] } = {}) {
  const asked: string[] = [];
  let isRefused = false;
  const heard: (() => void)[] = [];
  const transport = handlerTransport((request) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${request.method} ${pathname.split("/")[5]} ${searchParams.get("labelSelector")}`);
    heard.shift()?.();
    return Promise.resolve(isRefused ? new Response("", { status: 500 }) : Response.json({ kind: "Status" }));
  });
  const deletion = new TaskResultDeletion({
    client: new KubeClient(transport),
    log: silentLog,
    workflowsWithReports: () => facts.withReports ?? [],
    isOver: facts.over ?? (() => true),
    gatherMillis: 1,
    sweepMillis: 1,
  });
  return {
    deletion,
    asked,
    refuse: (refused: boolean) => isRefused = refused,
    nextRequest: () => new Promise<void>((resolve) => heard.push(resolve)),
  };
}

Deno.test("TaskResultDeletion: deletes the reports of many workflows in one request per namespace", async () => {
  const { deletion, asked } = deletionOf();
  deletion.delete("a", "first");
  deletion.delete("b", "other");
  deletion.delete("a", "second");
  deletion.delete("a", "first");
  await deletion.flush();
  assertEquals(asked, [
    "DELETE a workflows.argoproj.io/workflow in (first,second)",
    "DELETE b workflows.argoproj.io/workflow in (other)",
  ]);
  await deletion.flush();
  assertEquals(asked.length, 2);
});

Deno.test("TaskResultDeletion: keeps the reports of a workflow that was restarted before the deletion", async () => {
  const { deletion, asked } = deletionOf({ over: (key) => key !== "a/retried" });
  deletion.delete("a", "retried");
  deletion.delete("a", "ended");
  await deletion.flush();
  assertEquals(asked, ["DELETE a workflows.argoproj.io/workflow in (ended)"]);
});

Deno.test("TaskResultDeletion: retries after a refusal, and keeps the reports of running workflows", async () => {
  const { deletion, asked, refuse, nextRequest } = deletionOf({
    withReports: ["a/ended", "a/at-work"],
    over: (key) => key === "a/ended",
  });
  refuse(true);
  deletion.delete("a", "ended");
  await deletion.flush();
  refuse(false);
  const swept = nextRequest();
  deletion.start();
  await swept;
  await deletion.close();
  assertEquals(new Set(asked), new Set(["DELETE a workflows.argoproj.io/workflow in (ended)"]));
  assertEquals(asked.length >= 2, true);
});
