/**
 * The texts of all commands: their one-line summaries, descriptions and examples. Help, completion and the docs use
 * them.
 */

/** The text of a command. */
export interface CommandText {
  /** One line without a full stop, in the imperative. */
  readonly summary: string;
  /** The effect of the command, in one paragraph. */
  readonly about: string;
  /** Command lines, each with a comment. */
  readonly examples: readonly (readonly [comment: string, line: string])[];
}

/** The text of a top-level command, and the group in which the root help lists it. */
export interface TopCommandText extends CommandText {
  readonly group: CommandGroup;
  /** The connection flags that the command reads; those of a cluster when absent. */
  readonly connection?: ConnectionFlags;
  /** Other names of the command. */
  readonly aliases?: readonly string[];
}

/** The groups of the root help, in order. */
export const COMMAND_GROUPS = [
  "Run on this machine:",
  "Submit and observe:",
  "Control workflows:",
  "Templates and schedules:",
  "Artifacts and archive:",
  "Check and convert manifests:",
  "Clusters and servers:",
  "This program:",
] as const;

/** A group of the root help. */
export type CommandGroup = typeof COMMAND_GROUPS[number];

/** The flags that choose what a command connects to. */
export type ConnectionFlags = "cluster" | "embedded" | "none";

/** The top-level commands, in the order in which the root help lists them. */
export const TOP_COMMANDS: Readonly<Record<string, TopCommandText>> = {
  run: {
    group: "Run on this machine:",
    connection: "embedded",
    summary: "Run workflows on this machine, without a cluster",
    about:
      "Starts an embedded cluster, runs the workflows of the files until they finish, streams the output of their steps, and " +
      "leaves nothing running. In GitHub Actions and GitLab CI, the output is grouped by step. If " +
      "`tiphys local` already runs with the same data folder, that cluster runs the workflows.",
    examples: [
      ["Run a workflow", "tiphys run examples/hello-world.yaml"],
      ["Set a parameter", "tiphys run workflow.yaml -p message=hello"],
      ["Run a schedule once", "tiphys run cron.yaml --from cronwf/nightly"],
      ["Print no step output, and write a JUnit report", "tiphys run workflow.yaml --no-log --junit report.xml"],
      ["Continue a failed run from the steps that failed", "tiphys run --retry hello-world"],
    ],
  },
  local: {
    group: "Run on this machine:",
    connection: "embedded",
    summary: "Keep the embedded cluster of this machine running",
    about:
      "Starts the embedded cluster with its controller and its page, and runs until Ctrl-C. Workflows that have not finished " +
      "continue at the next start.",
    examples: [
      ["Start the cluster", "tiphys local"],
      ["Submit a workflow to it from another terminal", "tiphys submit --local --watch workflow.yaml"],
      ["Use kubectl with it", "kubectl --kubeconfig ~/.local/share/tiphys/kubeconfig get workflows"],
    ],
  },
  ui: {
    group: "Run on this machine:",
    connection: "embedded",
    summary: "Open the page of the embedded cluster",
    about: "Opens the page of the running embedded cluster in your browser, or prints a link to it.",
    examples: [
      ["Open the page", "tiphys ui"],
      ["Print a link to the newest workflow", "tiphys ui @latest --no-open"],
    ],
  },
  image: {
    group: "Run on this machine:",
    connection: "none",
    summary: "Manage the container images of this machine",
    about: "Loads, pulls, lists and removes the images in which the embedded cluster runs containers.",
    examples: [
      ["Load an image from an archive", "docker save my-image:1 | tiphys image load"],
      ["Pull an image", "tiphys image pull alpine:3.20"],
    ],
  },
  submit: {
    group: "Submit and observe:",
    summary: "Submit workflows to a cluster",
    about: "Creates the workflows of the files, or one workflow from a template or schedule of the cluster.",
    examples: [
      ["Submit a workflow and watch it", "tiphys submit workflow.yaml --watch"],
      ["Submit a workflow from a template", "tiphys submit --from workflowtemplate/build -p branch=main"],
      ["Print the workflow without creating it", "tiphys submit workflow.yaml --dry-run -o yaml"],
    ],
  },
  list: {
    group: "Submit and observe:",
    summary: "List workflows",
    about: "Lists the workflows of a namespace, unfinished ones first, then by creation time, newest first.",
    examples: [
      ["List failed workflows of the last day", "tiphys list --status Failed,Error --since 1d"],
      ["List the workflows of all namespaces", "tiphys list -A"],
    ],
  },
  get: {
    group: "Submit and observe:",
    summary: "Show workflows and their nodes",
    about:
      "Shows the status of workflows and the tree of their nodes. For a failed workflow, it also shows the step that failed " +
      "first, its last log lines, and the command that retries it.",
    examples: [
      ["Show the newest workflow", "tiphys get @latest"],
      ["Show only the failed nodes", "tiphys get my-workflow --status Failed"],
      ["Print one field", "tiphys get my-workflow -o jsonpath='{.status.phase}'"],
    ],
  },
  why: {
    group: "Submit and observe:",
    summary: "Explain why a workflow waits or failed",
    about:
      "Lists the reasons why a workflow or one of its nodes waits. For a failed workflow, it shows the step that failed first, " +
      "with its message and its last log lines.",
    examples: [
      ["Explain the newest workflow", "tiphys why @latest"],
      ["Explain one node, with a suggestion for each reason", "tiphys why my-workflow build -o wide"],
    ],
  },
  logs: {
    group: "Submit and observe:",
    summary: "Print the logs of a workflow's pods",
    about: "Prints the logs of all pods of a workflow in order of time, or of one pod.",
    examples: [
      ["Follow the logs of the newest workflow", "tiphys logs @latest --follow"],
      ["Print lines that contain an error", "tiphys logs my-workflow --grep 'ERROR|Traceback'"],
    ],
  },
  watch: {
    group: "Submit and observe:",
    summary: "Watch a workflow until it finishes",
    about: "Shows the tree of a workflow and redraws it at every change, until the workflow finishes.",
    examples: [["Watch the newest workflow", "tiphys watch @latest"]],
  },
  wait: {
    group: "Submit and observe:",
    summary: "Wait until workflows finish",
    about: "Waits until all named workflows have finished. Exits with 1 if one of them failed.",
    examples: [["Wait for two workflows", "tiphys wait build-1 build-2"]],
  },
  suspend: {
    group: "Control workflows:",
    summary: "Suspend workflows",
    about: "Suspends workflows: steps that run continue, and no new step starts until the workflow is resumed.",
    examples: [["Suspend a workflow", "tiphys suspend my-workflow"]],
  },
  resume: {
    group: "Control workflows:",
    summary: "Resume suspended workflows",
    about: "Resumes workflows that are suspended, or only some of their suspended nodes.",
    examples: [
      ["Resume a workflow", "tiphys resume my-workflow"],
      ["Approve one step", "tiphys resume my-workflow --node-field-selector displayName=approve"],
    ],
  },
  stop: {
    group: "Control workflows:",
    summary: "Stop workflows and run their exit handlers",
    about: "Stops workflows: running steps are ended, no new step starts, and exit handlers run.",
    examples: [
      ["Stop a workflow", "tiphys stop my-workflow"],
      [
        "Fail one suspended node",
        "tiphys stop my-workflow --node-field-selector displayName=approve --message rejected",
      ],
    ],
  },
  terminate: {
    group: "Control workflows:",
    summary: "Terminate workflows immediately",
    about: "Ends workflows immediately, without running their exit handlers.",
    examples: [["Terminate all workflows with a label", "tiphys terminate -l app=etl"]],
  },
  retry: {
    group: "Control workflows:",
    summary: "Retry failed workflows from the nodes that failed",
    about: "Retries failed workflows. Nodes that succeeded are kept, and all other nodes run again.",
    examples: [
      ["Retry a workflow and watch it", "tiphys retry my-workflow --watch"],
      [
        "Also run a node that succeeded",
        "tiphys retry my-workflow --restart-successful --node-field-selector displayName=build",
      ],
    ],
  },
  resubmit: {
    group: "Control workflows:",
    summary: "Submit workflows again",
    about: "Creates new workflows from existing ones, and runs them from the beginning.",
    examples: [
      ["Submit the newest workflow again", "tiphys resubmit @latest --watch"],
      ["Reuse the nodes that succeeded", "tiphys resubmit my-workflow --memoized"],
    ],
  },
  node: {
    group: "Control workflows:",
    summary: "Change nodes of a workflow",
    about: "Sets the outputs, phase or message of suspended nodes.",
    examples: [[
      "Answer a step that waits for a value",
      "tiphys node set my-workflow -p approve=YES --node-field-selector displayName=approve",
    ]],
  },
  delete: {
    group: "Control workflows:",
    summary: "Delete workflows",
    about: "Deletes workflows with their pods.",
    examples: [
      ["Delete a workflow", "tiphys delete my-workflow"],
      ["Delete workflows that finished more than a week ago", "tiphys delete --older 7d"],
    ],
  },
  template: {
    group: "Templates and schedules:",
    summary: "Manage WorkflowTemplates",
    about: "Creates, updates, lists, shows, deletes and checks the WorkflowTemplates of a namespace.",
    examples: [["List templates", "tiphys template list"], [
      "Create a template",
      "tiphys template create template.yaml",
    ]],
  },
  "cluster-template": {
    group: "Templates and schedules:",
    summary: "Manage ClusterWorkflowTemplates",
    aliases: ["cwftmpl", "cwft"],
    about: "Creates, updates, lists, shows, deletes and checks the ClusterWorkflowTemplates of a cluster.",
    examples: [["List cluster templates", "tiphys cluster-template list"]],
  },
  cron: {
    group: "Templates and schedules:",
    summary: "Manage CronWorkflows",
    about: "Creates, updates, lists, shows, deletes, checks, suspends, resumes and backfills CronWorkflows.",
    examples: [
      ["Create a schedule", "tiphys cron create cron.yaml"],
      ["Run a schedule now", "tiphys submit --from cronwf/nightly"],
    ],
  },
  sync: {
    group: "Templates and schedules:",
    summary: "Manage the limits of semaphores",
    about: "Creates, shows, updates and deletes the limits of semaphores, in ConfigMaps or in a database.",
    examples: [["Show a limit", "tiphys sync get build --type database"]],
  },
  cp: {
    group: "Artifacts and archive:",
    summary: "Copy artifacts from a workflow, or files to a store",
    about:
      "Copies output artifacts of a workflow to a folder of this machine, or files of this machine to an artifact store.",
    examples: [
      ["Copy all output artifacts", "tiphys cp @latest out"],
      ["Copy to folders with the names of steps", "tiphys cp @latest out --path '{workflowName}/{nodeName}'"],
      ["Copy the artifacts of one template", "tiphys cp my-workflow out --template-name report"],
    ],
  },
  artifact: {
    group: "Artifacts and archive:",
    summary: "List, measure and delete output artifacts",
    about: "Lists the output artifacts of a workflow, shows how much space they use, and deletes them.",
    examples: [["List the artifacts of the newest workflow", "tiphys artifact ls @latest"]],
  },
  archive: {
    group: "Artifacts and archive:",
    summary: "Show and rerun archived workflows",
    about: "Lists, shows, deletes, resubmits and retries the workflows of the archive.",
    examples: [
      ["List archived workflows", "tiphys archive list"],
      ["Run an archived workflow again", "tiphys archive resubmit my-workflow"],
    ],
  },
  lint: {
    group: "Check and convert manifests:",
    summary: "Check manifests",
    about:
      "Checks workflows, templates and schedules in files and folders, and reports every problem with its place. Templates " +
      "that the manifests refer to are read from the other files and, without `--offline`, from the cluster.",
    examples: [
      ["Check a folder without a cluster", "tiphys lint --offline manifests"],
      ["Write a SARIF report", "tiphys lint --offline -o sarif manifests > lint.sarif"],
      ["Annotate a pull request in GitHub Actions", "tiphys lint --offline -o github manifests"],
    ],
  },
  convert: {
    group: "Check and convert manifests:",
    connection: "none",
    summary: "Convert manifests to the current schema",
    about: "Prints manifests with deprecated fields replaced by their current form.",
    examples: [["Convert a manifest", "tiphys convert old.yaml > new.yaml"]],
  },
  "executor-plugin": {
    group: "Check and convert manifests:",
    connection: "none",
    summary: "Build executor plugins",
    about: "Builds the ConfigMap that installs an executor plugin.",
    examples: [["Build a plugin", "tiphys executor-plugin build my-plugin"]],
  },
  preflight: {
    group: "Clusters and servers:",
    summary: "Check a cluster before replacing its Argo",
    about:
      "Checks the version, objects, settings and rights of a cluster, and reports what prevents Tiphys from replacing the " +
      "Argo Workflows that is installed there. Changes nothing.",
    examples: [["Check a cluster", "tiphys preflight --context production"]],
  },
  takeover: {
    group: "Clusters and servers:",
    summary: "Replace the images of an installed Argo, or restore them",
    about:
      "Prints the plan to replace the images of an installed Argo Workflows. With `--apply` it carries out the plan, verifies " +
      "it with a workflow, and rolls back if that fails.",
    examples: [
      ["Print the plan", "tiphys takeover"],
      ["Carry it out", "tiphys takeover --apply"],
      ["Restore the earlier images", "tiphys takeover --back"],
    ],
  },
  server: {
    group: "Clusters and servers:",
    connection: "none",
    summary: "Serve Argo's API and the page for a cluster",
    about: "Serves the REST and gRPC API of Argo Workflows and the page, for the cluster that your kubeconfig names.",
    examples: [["Serve on this machine", "tiphys server --auth-mode server --secure=false"]],
  },
  auth: {
    group: "Clusters and servers:",
    summary: "Print credentials",
    about: "Prints the authorization header with which this program connects.",
    examples: [[
      "Call the API with curl",
      'curl -H "Authorization: $(tiphys auth token)" https://argo.example/api/v1/info',
    ]],
  },
  completion: {
    group: "This program:",
    connection: "none",
    summary: "Print a completion script for your shell",
    about: "Prints a script with which bash, zsh or fish completes commands, flags and names of the cluster.",
    examples: [
      ["Bash", "source <(tiphys completion bash)"],
      ["Zsh", 'tiphys completion zsh > "${fpath[1]}/_tiphys"'],
      ["Fish", "tiphys completion fish > ~/.config/fish/completions/tiphys.fish"],
    ],
  },
  version: {
    group: "This program:",
    summary: "Print the version",
    about: "Prints the version of this program and, if you name a server, of that server.",
    examples: [["Print the version number only", "tiphys version --short"]],
  },
};

/** The texts of the commands that every kind of template has. */
function textsOfKind(command: string, kind: string): Record<string, CommandText> {
  const file = `${command}.yaml`;
  const line = (words: string) => `tiphys ${command} ${words}`;
  return {
    [`${command} create`]: {
      summary: `Create ${kind}s from files`,
      about: `Checks the ${kind}s of the files and creates them in the cluster.`,
      examples: [[`Create the ${kind}s of a file`, line(`create ${file}`)]],
    },
    [`${command} update`]: {
      summary: `Update ${kind}s from files`,
      about: `Checks the ${kind}s of the files and replaces those of the same name in the cluster.`,
      examples: [[`Update the ${kind}s of a file`, line(`update ${file}`)]],
    },
    [`${command} list`]: {
      summary: `List ${kind}s`,
      about: `Lists the ${kind}s of the cluster by name.`,
      examples: [[`List ${kind}s with a label`, line("list -l team=data")]],
    },
    [`${command} get`]: {
      summary: `Show ${kind}s`,
      about: `Shows the main facts of ${kind}s, or the whole objects with \`-o yaml\`.`,
      examples: [[`Print a ${kind}`, line("get my-name -o yaml")]],
    },
    [`${command} delete`]: {
      summary: `Delete ${kind}s`,
      about: `Deletes ${kind}s. Workflows that were created from them continue.`,
      examples: [[`Delete a ${kind}`, line("delete my-name")]],
    },
    [`${command} lint`]: {
      summary: `Check ${kind}s`,
      about: `Checks the ${kind}s of files and folders, and reports every problem with its place.`,
      examples: [["Check a folder without a cluster", line("lint --offline manifests")]],
    },
  };
}

/** The texts of commands below a top-level command, by their words: `cron list`. */
export const SUBCOMMANDS: Readonly<Record<string, CommandText>> = {
  "local status": {
    summary: "Show whether the embedded cluster runs",
    about: "Prints the address of the embedded cluster and its unfinished workflows. Exits with 1 if it does not run.",
    examples: [["Check whether it runs", "tiphys local status"]],
  },
  "local kubeconfig": {
    summary: "Print the kubeconfig of the embedded cluster",
    about: "Prints a kubeconfig with which kubectl and other tools reach the running embedded cluster.",
    examples: [["Use it with kubectl", "tiphys local kubeconfig > kubeconfig"]],
  },
  "local reset": {
    summary: "Remove all data of the embedded cluster",
    about: "Removes the workflows, logs, claims and artifacts of the embedded cluster, after asking.",
    examples: [["Remove the data without asking", "tiphys local reset --yes"]],
  },
  "image load": {
    summary: "Load images from an archive",
    about: "Loads the images of an OCI or docker archive, compressed or not, from a file or the standard input.",
    examples: [["Load an image of docker", "docker save my-image:1 | tiphys image load"]],
  },
  "image pull": {
    summary: "Pull images from registries",
    about: "Pulls images from their registries, even if they are already stored.",
    examples: [["Pull an image", "tiphys image pull alpine:3.20"]],
  },
  "image ls": {
    summary: "List the stored images",
    about: "Lists the images of this machine with their digests and sizes.",
    examples: [["List images", "tiphys image ls"]],
  },
  "image rm": {
    summary: "Remove images",
    about: "Removes the names of images. `tiphys image prune` frees the space.",
    examples: [["Remove an image", "tiphys image rm alpine:3.20"]],
  },
  "image prune": {
    summary: "Free the space of unused images",
    about: "Removes layers that no stored image needs.",
    examples: [["Free space", "tiphys image prune"]],
  },
  "node set": {
    summary: "Set outputs, phase or message of suspended nodes",
    about: "Sets output parameters, the phase or the message of the suspended nodes that match a selector.",
    examples: [[
      "Answer a step that waits for a value",
      "tiphys node set my-workflow -p approve=YES --node-field-selector displayName=approve",
    ]],
  },
  ...textsOfKind("template", "WorkflowTemplate"),
  ...textsOfKind("cluster-template", "ClusterWorkflowTemplate"),
  ...textsOfKind("cron", "CronWorkflow"),
  "cron suspend": {
    summary: "Suspend schedules",
    about: "Suspends CronWorkflows: no workflow is created until they are resumed.",
    examples: [["Suspend a schedule", "tiphys cron suspend nightly"]],
  },
  "cron resume": {
    summary: "Resume schedules",
    about: "Resumes suspended CronWorkflows.",
    examples: [["Resume a schedule", "tiphys cron resume nightly"]],
  },
  "cron backfill": {
    summary: "Create the workflows of past schedule times",
    about: "Creates one workflow for each time in a range at which a CronWorkflow would have run.",
    examples: [[
      "Backfill a day",
      "tiphys cron backfill nightly --start 2026-01-01T00:00:00Z --end 2026-01-02T00:00:00Z",
    ]],
  },
  "sync create": {
    summary: "Create the limit of a semaphore",
    about: "Creates the limit of a semaphore. Fails if the limit exists.",
    examples: [["Create a limit", "tiphys sync create build --type database --limit 3"]],
  },
  "sync get": {
    summary: "Show the limit of a semaphore",
    about: "Shows the limit of a semaphore.",
    examples: [["Show a limit", "tiphys sync get build --type database"]],
  },
  "sync update": {
    summary: "Update the limit of a semaphore",
    about: "Changes the limit of a semaphore. Waiting workflows see the new limit immediately.",
    examples: [["Raise a limit", "tiphys sync update build --type database --limit 5"]],
  },
  "sync delete": {
    summary: "Delete the limit of a semaphore",
    about: "Deletes the limit of a semaphore.",
    examples: [["Delete a limit", "tiphys sync delete build --type database"]],
  },
  "artifact ls": {
    summary: "List output artifacts",
    about: "Lists the output artifacts of a workflow, as its status names them.",
    examples: [["List the artifacts of the newest workflow", "tiphys artifact ls @latest"]],
  },
  "artifact du": {
    summary: "Show how much space output artifacts use",
    about: "Requests the size of each output artifact from its store.",
    examples: [["Show sizes", "tiphys artifact du my-workflow"]],
  },
  "artifact rm": {
    summary: "Delete output artifacts",
    about: "Deletes output artifacts from their stores, and marks them as deleted in the workflow.",
    examples: [["Show what would be deleted", "tiphys artifact rm my-workflow build/report --dry-run"]],
  },
  "artifact garbage": {
    summary: "Show which artifacts garbage collection deletes",
    about: "Shows the artifacts of a workflow with their garbage collection strategy and state.",
    examples: [["Show the state", "tiphys artifact garbage my-workflow"]],
  },
  "archive list": {
    summary: "List archived workflows",
    about: "Lists the archived workflows of a namespace.",
    examples: [["List those with a label", "tiphys archive list -l app=etl"]],
  },
  "archive get": {
    summary: "Show an archived workflow",
    about: "Shows an archived workflow and the tree of its nodes.",
    examples: [["Show a workflow", "tiphys archive get my-workflow"]],
  },
  "archive delete": {
    summary: "Delete archived workflows",
    about: "Deletes workflows from the archive.",
    examples: [["Delete a workflow", "tiphys archive delete my-workflow"]],
  },
  "archive resubmit": {
    summary: "Submit archived workflows again",
    about: "Creates new workflows from archived ones, and runs them from the beginning.",
    examples: [["Submit a workflow again", "tiphys archive resubmit my-workflow --watch"]],
  },
  "archive retry": {
    summary: "Retry archived workflows",
    about: "Restores failed workflows from the archive and retries them from the nodes that failed.",
    examples: [["Retry a workflow", "tiphys archive retry my-workflow"]],
  },
  "archive list-label-keys": {
    summary: "List the label keys of archived workflows",
    about: "Lists the keys of all labels of archived workflows.",
    examples: [["List keys", "tiphys archive list-label-keys"]],
  },
  "archive list-label-values": {
    summary: "List the values of a label of archived workflows",
    about: "Lists the values that a label has in the archive.",
    examples: [["List values", "tiphys archive list-label-values -l app"]],
  },
  "executor-plugin build": {
    summary: "Build the ConfigMap of a plugin",
    about: "Reads the manifest and the server of a plugin, and writes its ConfigMap and a README.",
    examples: [["Build a plugin", "tiphys executor-plugin build my-plugin"]],
  },
  "auth token": {
    summary: "Print the authorization header",
    about: "Prints the value of the authorization header, with its scheme. Exits with 1 if none is needed.",
    examples: [["Print it", "tiphys auth token"]],
  },
};
