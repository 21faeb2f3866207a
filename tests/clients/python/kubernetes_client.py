"""Runs the Kubernetes client for Python against the embedded API: objects of Argo's kinds, watches, pods and their logs.

The third argument is the KUBECONFIG of `tiphys local`.
"""

import sys
import warnings

import urllib3
from cases import await_fact, equal, run
from kubernetes import client, config, dynamic, watch

warnings.simplefilter("ignore")
urllib3.disable_warnings()
config.load_kube_config(config_file=sys.argv[3])

NAMESPACE = "default"
WORKFLOWS = ("argoproj.io", "v1alpha1", NAMESPACE, "workflows")
CUSTOM = client.CustomObjectsApi()
CORE = client.CoreV1Api()
ECHO = {"name": "main", "container": {"image": "busybox", "command": ["echo", "hello"]}}
WAITS = {"name": "main", "suspend": {}}


def workflow(template, **metadata):
    """A workflow of one template."""
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Workflow",
        "metadata": metadata,
        "spec": {"entrypoint": "main", "templates": [template]},
    }


def names(listed):
    """The names of the items of a list."""
    return [one["metadata"]["name"] for one in listed["items"]]


def refusal(ask, *args):
    """The status and the reason with which a request is refused; None if it succeeds."""
    try:
        ask(*args)
    except client.ApiException as error:
        return error.status, error.reason
    return None


def objects():
    """A workflow is created, got, replaced, patched in two ways and deleted."""
    made = CUSTOM.create_namespaced_custom_object(*WORKFLOWS, workflow(WAITS, name="one", labels={"of": "objects"}))
    equal(made["metadata"]["labels"]["of"], "objects")
    equal(refusal(CUSTOM.create_namespaced_custom_object, *WORKFLOWS, workflow(WAITS, name="one"))[0], 409)

    def replaced():
        now = CUSTOM.get_namespaced_custom_object(*WORKFLOWS, "one")
        now["metadata"]["labels"]["of"] = "replaced"
        # Retried on a conflict, because the controller writes at the same time.
        return refusal(CUSTOM.replace_namespaced_custom_object, *WORKFLOWS, "one", now) is None

    await_fact("the workflow is replaced", replaced)
    merged = CUSTOM.patch_namespaced_custom_object(*WORKFLOWS, "one", {"metadata": {"labels": {"of": None, "a": "b"}}})
    equal((merged["metadata"]["labels"]["a"], "of" in merged["metadata"]["labels"]), ("b", False))
    listed = [{"op": "replace", "path": "/metadata/labels/a", "value": "c"}]
    form = "application/json-patch+json"
    patched = CUSTOM.patch_namespaced_custom_object(*WORKFLOWS, "one", listed, _content_type=form)
    equal(patched["metadata"]["labels"]["a"], "c")
    equal(CUSTOM.delete_namespaced_custom_object(*WORKFLOWS, "one")["status"], "Success")
    await_fact("the workflow is deleted", lambda: refusal(CUSTOM.get_namespaced_custom_object, *WORKFLOWS, "one"))
    equal(refusal(CUSTOM.get_namespaced_custom_object, *WORKFLOWS, "one")[0], 404)


def lists():
    """A list is filtered by labels and split into pages."""
    for number in range(3):
        one = workflow(WAITS, name=f"page-{number}", labels={"of": "lists"})
        CUSTOM.create_namespaced_custom_object(*WORKFLOWS, one)

    def listed():
        return CUSTOM.list_namespaced_custom_object(*WORKFLOWS, label_selector="of=lists")

    every = listed()
    equal(names(every), ["page-0", "page-1", "page-2"])
    pages, token = [], None
    while token != "":
        page = CUSTOM.list_namespaced_custom_object(*WORKFLOWS, label_selector="of=lists", limit=2, _continue=token)
        pages.append(names(page))
        token = page["metadata"].get("continue", "")
    equal(pages, [["page-0", "page-1"], ["page-2"]])
    everywhere = CUSTOM.list_cluster_custom_object("argoproj.io", "v1alpha1", "workflows", label_selector="of=lists")
    equal(names(everywhere), names(every))
    CUSTOM.delete_collection_namespaced_custom_object(*WORKFLOWS, label_selector="of=lists")
    await_fact("the workflows are deleted", lambda: not listed()["items"])


def watches():
    """A watch from the version of a list reports each change until the workflow has ended, and its pod and log are read."""
    since = CUSTOM.list_namespaced_custom_object(*WORKFLOWS)["metadata"]["resourceVersion"]
    name = CUSTOM.create_namespaced_custom_object(*WORKFLOWS, workflow(ECHO, generateName="seen-"))["metadata"]["name"]
    watcher = watch.Watch()
    kinds, phases = [], []
    asked = {"field_selector": f"metadata.name={name}", "resource_version": since, "timeout_seconds": 120}
    for event in watcher.stream(CUSTOM.list_namespaced_custom_object, *WORKFLOWS, **asked):
        kinds.append(event["type"])
        phases.append(event["object"].get("status", {}).get("phase"))
        if phases[-1] in ("Succeeded", "Failed", "Error"):
            watcher.stop()
    equal((kinds[0], phases[-1]), ("ADDED", "Succeeded"))
    equal(set(kinds[1:]), {"MODIFIED"})
    (pod,) = CORE.list_namespaced_pod(NAMESPACE, label_selector=f"workflows.argoproj.io/workflow={name}").items
    equal(pod.status.phase in ("Running", "Succeeded"), True)
    equal(CORE.read_namespaced_pod_log(pod.metadata.name, NAMESPACE, container="main"), "hello\n")
    CUSTOM.delete_namespaced_custom_object(*WORKFLOWS, name)


def templates():
    """Templates, cluster templates and cron workflows are created and listed by their plurals."""
    spec = {"entrypoint": "main", "templates": [ECHO]}
    kinds = {
        "workflowtemplates": ("WorkflowTemplate", spec),
        "cronworkflows": ("CronWorkflow", {"schedules": ["0 0 1 1 *"], "workflowSpec": spec}),
    }
    for plural, (kind, body) in kinds.items():
        where = ("argoproj.io", "v1alpha1", NAMESPACE, plural)
        one = {"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "metadata": {"name": "kept"}, "spec": body}
        equal(CUSTOM.create_namespaced_custom_object(*where, one)["spec"], body)
        equal(names(CUSTOM.list_namespaced_custom_object(*where)), ["kept"])
        CUSTOM.delete_namespaced_custom_object(*where, "kept")
    one = {**workflow(ECHO, name="kept"), "kind": "ClusterWorkflowTemplate"}
    where = ("argoproj.io", "v1alpha1", "clusterworkflowtemplates")
    CUSTOM.create_cluster_custom_object(*where, one)
    equal(names(CUSTOM.list_cluster_custom_object(*where)), ["kept"])
    CUSTOM.delete_cluster_custom_object(*where, "kept")


def core():
    """ConfigMaps, secrets and namespaces are written and read as typed objects."""
    made = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="settings"), data={"a": "1"})
    CORE.create_namespaced_config_map(NAMESPACE, made)
    equal(CORE.patch_namespaced_config_map("settings", NAMESPACE, {"data": {"b": "2"}}).data, {"a": "1", "b": "2"})
    CORE.delete_namespaced_config_map("settings", NAMESPACE)
    secret = client.V1Secret(metadata=client.V1ObjectMeta(name="hidden"), string_data={"word": "hush"})
    equal(CORE.create_namespaced_secret(NAMESPACE, secret).data, {"word": "aHVzaA=="})
    CORE.delete_namespaced_secret("hidden", NAMESPACE)
    CORE.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="another")))
    equal("another" in [one.metadata.name for one in CORE.list_namespace().items], True)
    equal(client.VersionApi().get_code().git_version[:2], "v1")


def rights():
    """A SelfSubjectAccessReview reports the rights of the client."""
    asked = client.V1ResourceAttributes(namespace=NAMESPACE, verb="create", group="argoproj.io", resource="workflows")
    review = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=asked))
    equal(client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed, True)


def dynamic_client():
    """The dynamic client finds the kinds by discovery, and applies an object on the server."""
    found = dynamic.DynamicClient(client.ApiClient())
    kind = found.resources.get(api_version="argoproj.io/v1alpha1", kind="WorkflowTemplate")
    equal((kind.name, kind.namespaced), ("workflowtemplates", True))
    body = {**workflow(ECHO, name="applied"), "kind": "WorkflowTemplate"}
    applied = found.server_side_apply(kind, body, namespace=NAMESPACE, field_manager="clients")
    equal(applied.metadata.managedFields[0].manager, "clients")
    equal(kind.get(name="applied", namespace=NAMESPACE).spec.entrypoint, "main")
    kind.delete(name="applied", namespace=NAMESPACE)


run([objects, lists, watches, templates, core, rights, dynamic_client])
