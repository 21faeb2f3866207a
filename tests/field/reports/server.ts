/** Reports about the server: requests to a server with an archive. */
import { archiveBench, endedWorkflow } from "../../../server/testing/archive_bench.ts";
import { NAMESPACE } from "../../../server/testing/server_bench.ts";
import type { CallReport } from "../call_report.ts";

/** Reports about the server. */
export const SERVER: readonly CallReport[] = [
  {
    issues: [16302],
    behavior: "archive: a workflow that is not in it is not found",
    async call() {
      await using bench = await archiveBench();
      const paths = ["/api/v1/archived-workflows/none", `/api/v1/workflows/${NAMESPACE}/none`];
      const answers = [];
      for (const path of paths) answers.push((await bench.server.ask("GET", path)).status);
      return answers;
    },
    returns: [404, 404],
  },
  {
    issues: [15669, 13946],
    behavior: "list: an archived workflow has its arguments",
    async call() {
      await using bench = await archiveBench();
      const workflow = endedWorkflow("w", 1);
      const args = { parameters: [{ name: "p", value: "v" }] };
      await bench.archive.archive({ ...workflow, spec: { ...workflow.spec, arguments: args } });
      const lists = [];
      for (const path of [`/api/v1/workflows/${NAMESPACE}`, "/api/v1/archived-workflows"]) {
        const { items } = await (await bench.server.ask("GET", path)).json();
        lists.push(items.map(({ spec }: { spec: object }) => spec));
      }
      return lists.map(([spec]) => spec.arguments);
    },
    returns: [0, 1].map(() => ({ parameters: [{ name: "p", value: "v" }] })),
  },
  {
    issues: [15030],
    behavior: "archive: of several workflows with one name, the latest one is found by name",
    argo: "before 4.0: an error that counts them",
    async call() {
      await using bench = await archiveBench();
      for (const minute of [2, 3, 1]) await bench.archive.archive(endedWorkflow("w", minute, { uid: `uid-${minute}` }));
      const response = await bench.server.ask("GET", `/api/v1/workflows/${NAMESPACE}/w`);
      return (await response.json()).metadata.uid;
    },
    returns: "uid-3",
  },
  {
    issues: [15251],
    behavior: "get: the parameter uid selects one of several workflows with one name",
    async call() {
      await using bench = await archiveBench();
      for (const minute of [2, 3, 1]) await bench.archive.archive(endedWorkflow("w", minute, { uid: `uid-${minute}` }));
      const response = await bench.server.ask("GET", `/api/v1/workflows/${NAMESPACE}/w?uid=uid-2`);
      return (await response.json()).metadata.uid;
    },
    returns: "uid-2",
  },
  {
    issues: [16538, 13190],
    behavior: "lint: a request without the object is refused with its reason",
    argo: "an internal error",
    async call() {
      await using bench = await archiveBench();
      const answers = [];
      for (const kind of ["workflows", "workflow-templates", "cron-workflows"]) {
        const response = await bench.server.ask("POST", `/api/v1/${kind}/${NAMESPACE}/lint`, { body: {} });
        answers.push(`${response.status} ${(await response.json()).message}`);
      }
      return answers;
    },
    returns: [
      "400 workflow body not specified",
      "400 workflow template was not found in the request body",
      "400 cron workflow was not found in the request body",
    ],
  },
];
