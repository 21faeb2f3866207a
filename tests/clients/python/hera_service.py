"""Calls the methods of Hera's service on a server with an archive and an artifact store.

ADDRESS, TOKEN (may be empty) and NAMESPACE are the arguments. The workflow "w" has failed. Its node "w" has "report.txt"
as input and as output artifact. The archive has a copy named "old" with the UID "uid-old". A workflow, its copy in the
archive, a template, a cluster template and a cron workflow named "every" have a template of every type.
"""

import asyncio
import sys
import warnings

import urllib3
from cases import equal, run

from hera.exceptions import AlreadyExists, BadRequest, NotFound, Unauthorized
from hera.workflows import (
    AsyncWorkflowsService,
    ClusterWorkflowTemplate,
    Container,
    CronWorkflow,
    Parameter,
    Workflow,
    WorkflowsService,
    WorkflowTemplate,
)
from hera.workflows.models import (
    CreateSyncLimitRequest,
    CronWorkflowResumeRequest,
    CronWorkflowSuspendRequest,
    ResubmitArchivedWorkflowRequest,
    RetryArchivedWorkflowRequest,
    SubmitOpts,
    SyncConfigType,
    UpdateSyncLimitRequest,
    WorkflowResubmitRequest,
    WorkflowResumeRequest,
    WorkflowRetryRequest,
    WorkflowStopRequest,
    WorkflowSubmitRequest,
    WorkflowSuspendRequest,
    WorkflowTerminateRequest,
)

warnings.simplefilter("ignore")
urllib3.disable_warnings()

ADDRESS, TOKEN, NAMESPACE = sys.argv[1:4]
REPORT = str(b"all is well")


def service(token=TOKEN):
    """The service with a token."""
    return WorkflowsService(host=ADDRESS, token=token or None, namespace=NAMESPACE, verify_ssl=False)


SERVICE = service()


def built(kind, **fields):
    """An object of a kind, with one template."""
    with kind(workflows_service=SERVICE, entrypoint="main", **fields) as one:
        Container(name="main", image="busybox", command=["echo"], args=["{{workflow.parameters.word}}"])
    return one


WORD = {"arguments": [Parameter(name="word", value="one")]}


def refused(error, ask, words):
    """Fails unless a request is refused with this error and with these words."""
    try:
        ask()
    except error as refusal:
        if words not in str(refusal):
            raise AssertionError(f"{words!r} is not in {str(refusal)!r}") from refusal
    else:
        raise AssertionError(f"it was not refused as {error.__name__}")


def info():
    """The version, the settings and the user info of a server are returned."""
    equal(SERVICE.get_version().version[:1], "v")
    equal(SERVICE.get_info().managed_namespace, None)
    if TOKEN:
        equal(SERVICE.get_user_info().service_account_namespace, NAMESPACE)


def workflows():
    """A workflow is created, got, listed by its label, suspended, resumed, stopped, terminated and deleted."""
    one = built(Workflow, generate_name="service-", namespace=NAMESPACE, labels={"made-by": "hera"}, **WORD)
    equal(one.lint().spec.entrypoint, "main")
    created = one.create()
    name = created.metadata.name
    equal(one.name, name)
    equal(SERVICE.get_workflow(name).metadata.uid, created.metadata.uid)
    equal([each.metadata.name for each in SERVICE.list_workflows(label_selector="made-by=hera").items], [name])
    equal(SERVICE.suspend_workflow(name, WorkflowSuspendRequest()).spec.suspend, True)
    equal(SERVICE.resume_workflow(name, WorkflowResumeRequest()).spec.suspend, None)
    equal(SERVICE.stop_workflow(name, WorkflowStopRequest(message="enough")).spec.shutdown, "Stop")
    equal(SERVICE.terminate_workflow(name, WorkflowTerminateRequest()).spec.shutdown, "Terminate")
    SERVICE.delete_workflow(name)
    refused(NotFound, lambda: SERVICE.get_workflow(name), "not found")
    equal(SERVICE.list_workflows(label_selector="made-by=hera").items, None)


def every_type():
    """Workflows, templates and cron workflows with a template of every type are listed and got, and nodes of every type."""
    types = "container container_set dag data http plugin resource script steps suspend".split()

    def names(objects):
        return [each.metadata.name for each in objects if each.metadata.name == "every"]

    def found(spec):
        return sorted(one for template in spec.templates for one in types if getattr(template, one) is not None)

    equal(names(SERVICE.list_workflows().items), ["every"])
    equal(names(SERVICE.list_archived_workflows(namespace=NAMESPACE).items), ["every"])
    equal(names(SERVICE.list_workflow_templates().items), ["every"])
    equal(names(SERVICE.list_cluster_workflow_templates().items), ["every"])
    equal(names(SERVICE.list_cron_workflows().items), ["every"])
    live = SERVICE.get_workflow("every")
    for workflow in (live, SERVICE.get_archived_workflow(live.metadata.uid)):
        equal(found(workflow.spec), types)
        equal(len(workflow.status.nodes), len(types))
    equal(found(SERVICE.get_workflow_template("every").spec), types)
    equal(found(SERVICE.get_cluster_workflow_template("every").spec), types)
    equal(found(SERVICE.get_cron_workflow("every").spec.workflow_spec), types)


def links():
    """The links that Hera creates lead to the page of a workflow."""
    equal(SERVICE.get_workflow_link("w"), f"{ADDRESS}/workflows/{NAMESPACE}/w?tab=workflow")


def ended():
    """A failed workflow is resubmitted and retried."""
    name = SERVICE.resubmit_workflow("w", WorkflowResubmitRequest()).metadata.name
    equal(name.startswith("w-"), True)
    SERVICE.delete_workflow(name)
    retried = SERVICE.retry_workflow("w", WorkflowRetryRequest()).status
    equal((retried.phase, retried.nodes), ("", {}))


def templates():
    """A workflow template is created once, updated, listed, submitted and deleted."""
    one = built(WorkflowTemplate, name="service", namespace=NAMESPACE, **WORD)
    equal(one.lint().metadata.name, "service")
    one.create()
    refused(AlreadyExists, one.create, "already exists")
    one.labels = {"version": "2"}
    equal(one.update().metadata.labels["version"], "2")
    equal(one.get().metadata.labels["version"], "2")
    equal([each.metadata.name for each in SERVICE.list_workflow_templates(label_selector="version=2").items], ["service"])
    request = WorkflowSubmitRequest(
        resource_kind="WorkflowTemplate",
        resource_name="service",
        submit_options=SubmitOpts(parameters=["word=two"], labels="from=template", generate_name="submitted-"),
    )
    submitted = SERVICE.submit_workflow(request)
    equal(submitted.spec.workflow_template_ref.name, "service")
    equal([(each.name, each.value) for each in submitted.spec.arguments.parameters], [("word", "two")])
    equal(submitted.metadata.labels["from"], "template")
    SERVICE.delete_workflow(submitted.metadata.name)
    SERVICE.delete_workflow_template("service")
    refused(NotFound, lambda: SERVICE.get_workflow_template("service"), "not found")


def cluster_templates():
    """A cluster workflow template is created, updated, listed and deleted."""
    one = built(ClusterWorkflowTemplate, name="service", **WORD)
    equal(one.lint().metadata.name, "service")
    one.create()
    one.labels = {"version": "2"}
    equal(one.update().metadata.labels["version"], "2")
    listed = SERVICE.list_cluster_workflow_templates(label_selector="version=2").items
    equal([each.metadata.name for each in listed], ["service"])
    SERVICE.delete_cluster_workflow_template("service")
    refused(NotFound, lambda: SERVICE.get_cluster_workflow_template("service"), "not found")


def cron_workflows():
    """A cron workflow is created, updated, suspended, resumed, listed and deleted."""
    one = built(CronWorkflow, name="service", namespace=NAMESPACE, schedules=["0 0 1 1 *"], **WORD)
    equal(one.lint().spec.schedules, ["0 0 1 1 *"])
    one.create()
    one.schedules = ["0 0 2 1 *"]
    equal(one.update().spec.schedules, ["0 0 2 1 *"])
    equal(SERVICE.suspend_cron_workflow("service", CronWorkflowSuspendRequest()).spec.suspend, True)
    equal(bool(SERVICE.resume_cron_workflow("service", CronWorkflowResumeRequest()).spec.suspend), False)
    equal(sorted(each.metadata.name for each in SERVICE.list_cron_workflows().items), ["every", "service"])
    SERVICE.delete_cron_workflow("service")
    refused(NotFound, lambda: SERVICE.get_cron_workflow("service"), "not found")


def archive():
    """Archived workflows are listed, got, resubmitted, retried and deleted, and their labels are listed."""
    archived = SERVICE.list_archived_workflows(namespace=NAMESPACE).items
    equal(sorted(each.metadata.name for each in archived), ["every", "old"])
    equal(SERVICE.get_archived_workflow("uid-old").metadata.name, "old")
    SERVICE.list_archived_workflow_label_keys(namespace=NAMESPACE)
    request = ResubmitArchivedWorkflowRequest(name="old", namespace=NAMESPACE)
    name = SERVICE.resubmit_archived_workflow("uid-old", request).metadata.name
    equal(name.startswith("old-"), True)
    SERVICE.delete_workflow(name)
    request = RetryArchivedWorkflowRequest(name="old", namespace=NAMESPACE)
    equal(SERVICE.retry_archived_workflow("uid-old", request).metadata.name, "old")
    SERVICE.delete_archived_workflow("uid-old", namespace=NAMESPACE)
    refused(NotFound, lambda: SERVICE.get_archived_workflow("uid-old"), "not found")


def artifacts():
    """Artifacts of live and archived workflows are read."""
    equal(SERVICE.get_output_artifact("w", "w", "report.txt"), REPORT)
    equal(SERVICE.get_input_artifact("w", "w", "report.txt"), REPORT)
    equal(SERVICE.get_output_artifact_by_uid("uid-old", "w", "report.txt"), REPORT)
    equal(SERVICE.get_input_artifact_by_uid("uid-old", "w", "report.txt"), REPORT)
    equal(SERVICE.get_artifact_file("workflows", "w", "w", "report.txt", "outputs"), REPORT)
    refused(NotFound, lambda: SERVICE.get_output_artifact("w", "w", "none"), "")


def limits():
    """A synchronization limit is created, got, updated and deleted."""
    where = {"cm_name": "limits", "key": "one", "type": SyncConfigType.configmap}
    SERVICE.create_sync_limit(CreateSyncLimitRequest(limit=1, **where))
    SERVICE.update_sync_limit("one", UpdateSyncLimitRequest(limit=2, **where))
    asked = {"cm_name": "limits", "type_": "CONFIGMAP"}
    SERVICE.get_sync_limit("one", **asked)
    SERVICE.delete_sync_limit("one", **asked)
    refused(NotFound, lambda: SERVICE.get_sync_limit("one", **asked), "")


def refusals():
    """Refused requests raise Hera's own errors, with the message of the server."""
    wrong = built(Workflow, generate_name="wrong-", namespace=NAMESPACE)
    refused(BadRequest, wrong.create, "{{workflow.parameters.word}}")


def unknown_token():
    """An unknown token is refused as not valid."""
    refused(Unauthorized, lambda: service("nobody").list_workflows(), "")


def asynchronous():
    """Hera's asynchronous service creates, gets, lists and deletes a workflow."""

    async def ask():
        async with AsyncWorkflowsService(
            host=ADDRESS, token=TOKEN or None, namespace=NAMESPACE, verify_ssl=False
        ) as asked:
            one = built(Workflow, generate_name="later-", namespace=NAMESPACE, labels={"asked": "later"}, **WORD)
            one.workflows_service = asked
            name = (await one.async_create(wait=False)).metadata.name
            equal((await asked.get_workflow(name)).metadata.name, name)
            listed = await asked.list_workflows(label_selector="asked=later")
            equal([each.metadata.name for each in listed.items], [name])
            await asked.delete_workflow(name)

    asyncio.run(ask())


run([
    info,
    workflows,
    every_type,
    links,
    artifacts,
    ended,
    templates,
    cluster_templates,
    cron_workflows,
    archive,
    limits,
    refusals,
    *([unknown_token] if TOKEN else []),
    asynchronous,
])
