import { assertEquals } from "@std/assert";
import { handlerTransport, KubeClient } from "../../lib/kube/mod.ts";
import { silentLog } from "../log.ts";
import { TaskResultDeletion } from "./task_result_deletion.ts";

Deno.test("TaskResultDeletion deletes the reports of many workflows in one request for each namespace", async () => {
  const asked: string[] = [];
  const transport = handlerTransport((request) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${request.method} ${pathname.split("/")[5]} ${searchParams.get("labelSelector")}`);
    return Promise.resolve(Response.json({ kind: "Status" }));
  });
  const deletion = new TaskResultDeletion(new KubeClient(transport), silentLog, 60_000);
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
