/**
 * A kubelet for small scripts: it runs nothing, but interprets them. It supports `echo WORDS`, `exit N`, `sleep N`,
 * `test A = B` and `printf WORDS > FILE`, one after the other.
 */
import type { Pod, Template } from "@tiphys/model/api";
import { podEndOf } from "../../simulate/answer.ts";
import type { Answer, TemplateCall } from "../../simulate/options.ts";
import { STOPPED } from "../../simulate/pod_end.ts";
import { FakeKubelet } from "../../simulate/testing/fake_kubelet.ts";
import type { ControllerWorld } from "../controller/world.ts";

/** The longest sleep that ends by itself, in seconds; longer ones last until they are stopped. */
const SHORT_SECONDS = 10;

/** The result of a container that runs until it is stopped. */
const RUNS_ON = "runs on";

/** Runs the pods of a world until disposal. */
export async function startPodKubelet(world: ControllerWorld): Promise<Disposable> {
  const kubelet = new FakeKubelet({
    client: world.client,
    play(pod, template) {
      const answer = answerOf(template);
      if (answer === RUNS_ON || template.daemon) return undefined;
      const { name = "" } = pod.metadata;
      const call = { template: template.name ?? "", node: name, attempt: 0, spec: template } as unknown as TemplateCall;
      return podEndOf(call, pod, answer);
    },
    changeStatus: withSidecars,
  });
  world.onExec = ({ pod }) => void kubelet.end(`default/${pod}`, STOPPED);
  await kubelet.start();
  return kubelet;
}

/** The pod with the exit codes of its sidecars; a failed sidecar fails the pod. */
function withSidecars(pod: Pod, { sidecars = [] }: Template): Pod {
  const codes = new Map(
    sidecars.map(({ name, args }) => [name, Number(/^exit (\d+)$/.exec(args?.[0] ?? "")?.[1] ?? 0)]),
  );
  const containerStatuses = pod.status?.containerStatuses?.map((status) => {
    const exitCode = codes.get(status.name);
    if (!exitCode || !status.state?.terminated) return status;
    return { ...status, state: { terminated: { ...status.state.terminated, exitCode, reason: "Error" } } };
  });
  const phase = [...codes.values()].some((code) => code !== 0) ? "Failed" : pod.status?.phase;
  return {
    ...pod,
    status: { ...pod.status, ...(phase && { phase }), ...(containerStatuses && { containerStatuses }) },
  };
}

function answerOf(template: Template): Answer | typeof RUNS_ON {
  const main = template.container ?? template.script;
  const text = template.script?.source ?? template.container?.args?.join(" ") ?? "";
  if (!main) return {};
  const files = new Map<string, string>();
  let result = "";
  let exitCode = 0;
  for (const command of text.split(";").map((part) => part.trim().replace(/^exec /, ""))) {
    const [, word, rest = ""] = /^(\w+)\s*(.*)$/s.exec(command) ?? [];
    exitCode = 0;
    if (word === "echo") result += `${rest.replace(/^'(.*)'$/s, "$1")}\n`;
    else if (word === "printf") {
      const [words = "", file = ""] = rest.split(" > ");
      files.set(file, words);
    } else if (word === "test") exitCode = Number(rest.split(" = ")[0] !== rest.split(" = ")[1]);
    else if (word === "exit") {
      exitCode = Number(rest);
      break;
    } else if (word === "sleep") {
      if (Number(rest) > SHORT_SECONDS) return RUNS_ON;
    } else throw new Error(`The kubelet of these tests does not know ${JSON.stringify(command)}`);
  }
  const declared = template.outputs?.parameters ?? [];
  const parameters = Object.fromEntries(
    declared.flatMap(({ name, valueFrom }) =>
      files.has(valueFrom?.path ?? "") ? [[name, files.get(valueFrom!.path!)!]] : []
    ),
  );
  return { exitCode, result: result.trimEnd(), parameters };
}
