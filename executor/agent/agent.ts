/** `argoexec agent main`: the http and plugin tasks of a workflow, from its task set and back into it. */
import { ENV } from "../../lib/constants.ts";
import { dataOf, type KubeClient, SECRETS, sortError, WORKFLOW_TASK_SETS } from "../../lib/kube/mod.ts";
import { openNet, reachOf, Redactor } from "../../lib/net/mod.ts";
import { describe, ExecutorError } from "../failure.ts";
import { durationMillis } from "../pod/duration_millis.ts";
import { endOfPod } from "../pod/end_of_pod.ts";
import { connectPod } from "../pod/pod_client.ts";
import { retryTransient } from "../pod/retry_transient.ts";
import { at, type World } from "../world.ts";
import { doHttp, type HttpWorld } from "./http_request.ts";
import { Plugins } from "./plugins.ts";
import { Reporter } from "./reporter.ts";
import { watchTaskSet } from "./task_set_watch.ts";
import { Tasks } from "./tasks.ts";
import { pluginNames, textList, tokenOf } from "./tokens.ts";

const USUAL_WORKERS = 16;
/** The longest time for which results are gathered, milliseconds, whatever the rate of reports: nobody is to wait. */
const MOST_GATHER_MILLIS = 250;
/** The time that tasks under way have when the agent is asked to end, in milliseconds. */
const LAST_MILLIS = 20_000;
/** The network never gives a server up for its silence: the template says how long it may take. */
const NO_STALL_MILLIS = 2 ** 31 - 1;

/**
 * Runs the command until its task set is over, or the pod is asked to end; resolves to its exit code.
 * @throws {ExecutorError} when the API server cannot be reached, or takes no results: the end of the container tells it.
 */
export async function agent(world: World, ending: AbortSignal = endOfPod()): Promise<number> {
  const { client, namespace } = await connectPod(world);
  const name = must(world, ENV.workflowName);
  const uid = must(world, ENV.workflowUid);
  const options = { clock: world.clock, env: world.env, stallMillis: NO_STALL_MILLIS };
  const net = openNet(options);
  // Plugins are on this pod's loopback; the requests of templates go where their authors say.
  const isRestricted = world.env(ENV.restrictAddresses) === "true";
  const templatesNet = isRestricted ? openNet({ ...options, reach: reachOf(world.env) }) : net;
  const redactor = new Redactor();
  const requests: HttpWorld = {
    net: templatesNet,
    clock: world.clock,
    caCerts: await ownAuthorities(world),
    secret: (secret, key) => secretOf(client, namespace, secret, key, redactor),
  };
  const addresses = textList(world, ENV.pluginAddresses);
  const plugins = pluginNames(world).map((plugin, index) => {
    const token = tokenOf(world, plugin);
    redactor.learn(token);
    return { name: plugin, address: addresses[index] ?? "", token };
  });
  const asked = new Plugins({ net, clock: world.clock, workflow: { name, namespace, uid } }, plugins);
  const broken = new AbortController();
  const reporter = new Reporter({
    clock: world.clock,
    gatherMillis: Math.min(MOST_GATHER_MILLIS, durationMillis(world.env(ENV.agentPatchRate), 10_000)),
    log: (message) => world.log(redactor.redact(message)),
    onUntold: (error) => {
      // A task set that is gone is seen by its watch.
      if (sortError(error) === "notFound") return;
      broken.abort(new ExecutorError(`results cannot be told: ${describe(error)}`, { cause: error }));
    },
    async write(nodes) {
      const told = () =>
        client.patch(WORKFLOW_TASK_SETS, namespace, name, { status: { nodes } }, "merge", {
          subresource: "status",
          answer: "metadata",
        });
      await retryTransient(world, told);
    },
  });
  const tasks = new Tasks({
    clock: world.clock,
    workers: Number(world.env(ENV.agentTaskWorkers)) || USUAL_WORKERS,
    http: (template, stop) => doHttp(requests, template.http!, stop),
    plugin: (template, stop) => asked.execute(template, stop),
    tell: (nodeId, result) => reporter.tell(nodeId, result),
    redact: (text) => redactor.redact(text),
  });
  try {
    const log = (message: string) => world.log(redactor.redact(message));
    const set = { client, clock: world.clock, namespace, name, uid, log };
    await watchTaskSet(set, (seen) => tasks.see(seen), ending, broken.signal);
    return 0;
  } finally {
    await tasks.close(broken.signal.aborted ? 0 : LAST_MILLIS);
    net.close();
    if (templatesNet !== net) templatesNet.close();
  }
}

/** @throws {Error} when it is not there, in Kubernetes' words. */
async function secretOf(
  client: KubeClient,
  namespace: string,
  name: string,
  key: string,
  redactor: Redactor,
): Promise<string> {
  const text = dataOf(await client.get(SECRETS, namespace, name))[key];
  if (text === undefined) throw new Error(`secret '${name}' does not have the key '${key}'`);
  const value = new TextDecoder().decode(Uint8Array.fromBase64(text));
  redactor.learn(value);
  return value;
}

const AUTHORITIES = "/etc/ssl/certs/ca-certificates";

/** Certificates of the namespace's own authorities beside those that everybody trusts; undefined where there are none. */
async function ownAuthorities(world: World): Promise<string[] | undefined> {
  const folder = at(world, AUTHORITIES);
  const own: string[] = [];
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (name.startsWith("..")) continue;
      const text = Deno.readTextFileSync(`${folder}/${name}`);
      if (text.includes("-----BEGIN CERTIFICATE-----")) own.push(text);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) world.log(`${AUTHORITIES} cannot be read: ${error}`);
  }
  if (own.length === 0) return undefined;
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, ...own];
}

function must(world: World, name: string): string {
  const value = world.env(name);
  if (!value) throw new ExecutorError(`Expected the variable ${name}`);
  return value;
}
