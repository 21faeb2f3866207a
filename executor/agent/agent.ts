/** `argoexec agent main`: runs the http and plugin tasks of a workflow's task set and writes their results back. */
import { ENV } from "@tiphys/base/constants";
import { classifyError, type KubeClient, SECRETS, WORKFLOW_TASK_SETS } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";
import { addressPolicyOf, openNet, Redactor } from "@tiphys/base/net";
import { describeError, ExecutorError } from "../failure.ts";
import { durationMillis } from "../pod/duration_millis.ts";
import { terminationSignal } from "../pod/end_of_pod.ts";
import { connectPod } from "../pod/pod_client.ts";
import { retryTransient } from "../pod/retry_transient.ts";
import { at, type World } from "../world.ts";
import { doHttp, type HttpEnvironment } from "./http_request.ts";
import { Plugins } from "./plugins.ts";
import { Reporter } from "./reporter.ts";
import { watchTaskSet } from "./task_set_watch.ts";
import { Tasks } from "./tasks.ts";
import { parseStringList, pluginNames, tokenOf } from "./tokens.ts";

const DEFAULT_WORKERS = 16;
/**
 * The maximum time for which results are batched, in milliseconds. It caps the configured patch rate so that finished
 * tasks are reported quickly.
 */
const MAX_BATCH_MILLIS = 250;
/** The time for which running tasks may continue after the agent receives SIGTERM, in milliseconds. */
const LAST_MILLIS = 20_000;
/** Disables the idle timeout of the network: the timeout of the template applies instead. */
const NO_STALL_MILLIS = 2 ** 31 - 1;

/**
 * Runs the command until its task set is completed or the pod is terminated. Resolves to the exit code.
 * @throws {ExecutorError} when the API server is unreachable or rejects the results. The termination message contains
 * it.
 */
export async function agent(world: World, ending: AbortSignal = terminationSignal()): Promise<number> {
  const { client, namespace } = await connectPod(world);
  const name = requireVariable(world, ENV.workflowName);
  const uid = requireVariable(world, ENV.workflowUid);
  const options = { clock: world.clock, env: world.env, stallMillis: NO_STALL_MILLIS };
  const net = openNet(options);
  // Plugins listen on the pod's loopback interface. The requests of templates go to addresses that their authors
  // choose.
  const isRestricted = world.env(ENV.restrictAddresses) === "true";
  const templatesNet = isRestricted ? openNet({ ...options, reach: addressPolicyOf(world.env) }) : net;
  const redactor = new Redactor();
  const requests: HttpEnvironment = {
    net: templatesNet,
    clock: world.clock,
    caCerts: await readAuthorities(world),
    secret: (secret, key) => readSecret(client, namespace, secret, key, redactor),
  };
  const addresses = parseStringList(world, ENV.pluginAddresses);
  const plugins = pluginNames(world).map((plugin, index) => {
    const token = tokenOf(world, plugin);
    redactor.addSecret(token);
    return { name: plugin, address: addresses[index] ?? "", token };
  });
  const pluginClient = new Plugins({ net, clock: world.clock, workflow: { name, namespace, uid } }, plugins);
  const broken = new AbortController();
  const reporter = new Reporter({
    clock: world.clock,
    gatherMillis: Math.min(MAX_BATCH_MILLIS, durationMillis(world.env(ENV.agentPatchRate), 10_000)),
    log: (message) => world.log(redactor.redact(message)),
    onWriteFailed: (error) => {
      // The watch handles a deleted task set.
      if (classifyError(error) === "notFound") return;
      broken.abort(new ExecutorError(`failed to write results: ${describeError(error)}`, { cause: error }));
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
    workers: Number(world.env(ENV.agentTaskWorkers)) || DEFAULT_WORKERS,
    http: (template, stop) => doHttp(requests, template.http!, stop),
    plugin: (template, stop) => pluginClient.execute(template, stop),
    writeResult: (nodeId, result) => reporter.queue(nodeId, result),
    redact: (text) => redactor.redact(text),
  });
  try {
    const log = (message: string) => world.log(redactor.redact(message));
    const set = { client, clock: world.clock, namespace, name, uid, log };
    await watchTaskSet(set, (seen) => tasks.updateTasks(seen), ending, broken.signal);
    return 0;
  } finally {
    await tasks.close(broken.signal.aborted ? 0 : LAST_MILLIS);
    net.close();
    if (templatesNet !== net) templatesNet.close();
  }
}

/** @throws {Error} when the secret or its key does not exist, in Kubernetes' words. */
async function readSecret(
  client: KubeClient,
  namespace: string,
  name: string,
  key: string,
  redactor: Redactor,
): Promise<string> {
  const text = dataOf(await client.get(SECRETS, namespace, name))[key];
  if (text === undefined) throw new Error(`secret '${name}' does not have the key '${key}'`);
  const value = new TextDecoder().decode(Uint8Array.fromBase64(text));
  redactor.addSecret(value);
  return value;
}

const AUTHORITIES = "/etc/ssl/certs/ca-certificates";

/**
 * Returns Node's root certificates and those of the namespace's own authorities; undefined if it has no authorities.
 */
async function readAuthorities(world: World): Promise<string[] | undefined> {
  const folder = at(world, AUTHORITIES);
  const own: string[] = [];
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      if (name.startsWith("..")) continue;
      const text = Deno.readTextFileSync(`${folder}/${name}`);
      if (text.includes("-----BEGIN CERTIFICATE-----")) own.push(text);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) world.log(`failed to read ${AUTHORITIES}: ${error}`);
  }
  if (own.length === 0) return undefined;
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, ...own];
}

function requireVariable(world: World, name: string): string {
  const value = world.env(name);
  if (!value) throw new ExecutorError(`Expected the environment variable ${name}`);
  return value;
}
