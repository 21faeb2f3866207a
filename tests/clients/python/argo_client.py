"""Runs the Python client that Argo generated until its release 4 against the server of `tiphys local`.

ADDRESS and TOKEN of the server are the arguments.
"""

import json
import sys
import warnings

import argo_workflows
from argo_workflows.api import (
    archived_workflow_service_api,
    cron_workflow_service_api,
    info_service_api,
    workflow_service_api,
    workflow_template_service_api,
)
from argo_workflows.exceptions import ApiException, NotFoundException, UnauthorizedException
from argo_workflows.model.container import Container
from argo_workflows.model.io_argoproj_workflow_v1alpha1_arguments import IoArgoprojWorkflowV1alpha1Arguments
from argo_workflows.model.io_argoproj_workflow_v1alpha1_parameter import IoArgoprojWorkflowV1alpha1Parameter
from argo_workflows.model.io_argoproj_workflow_v1alpha1_submit_opts import IoArgoprojWorkflowV1alpha1SubmitOpts
from argo_workflows.model.io_argoproj_workflow_v1alpha1_template import IoArgoprojWorkflowV1alpha1Template
from argo_workflows.model.io_argoproj_workflow_v1alpha1_workflow import IoArgoprojWorkflowV1alpha1Workflow
from argo_workflows.model.io_argoproj_workflow_v1alpha1_workflow_create_request import (
    IoArgoprojWorkflowV1alpha1WorkflowCreateRequest,
)
from argo_workflows.model.io_argoproj_workflow_v1alpha1_workflow_lint_request import (
    IoArgoprojWorkflowV1alpha1WorkflowLintRequest,
)
from argo_workflows.model.io_argoproj_workflow_v1alpha1_workflow_resubmit_request import (
    IoArgoprojWorkflowV1alpha1WorkflowResubmitRequest,
)
from argo_workflows.model.io_argoproj_workflow_v1alpha1_workflow_spec import IoArgoprojWorkflowV1alpha1WorkflowSpec
from argo_workflows.model.io_argoproj_workflow_v1alpha1_workflow_submit_request import (
    IoArgoprojWorkflowV1alpha1WorkflowSubmitRequest,
)
from argo_workflows.model.io_argoproj_workflow_v1alpha1_workflow_template import (
    IoArgoprojWorkflowV1alpha1WorkflowTemplate,
)
from argo_workflows.model.io_argoproj_workflow_v1alpha1_workflow_template_create_request import (
    IoArgoprojWorkflowV1alpha1WorkflowTemplateCreateRequest,
)
from argo_workflows.model.object_meta import ObjectMeta
from cases import await_fact, equal, run

warnings.simplefilter("ignore")

ADDRESS, TOKEN = sys.argv[1:3]
NAMESPACE = "default"


def api_of(token=TOKEN):
    """The client with a token."""
    configuration = argo_workflows.Configuration(host=ADDRESS)
    configuration.api_key["BearerToken"] = token
    return argo_workflows.ApiClient(configuration)


API = api_of()
WORKFLOWS = workflow_service_api.WorkflowServiceApi(API)
TEMPLATES = workflow_template_service_api.WorkflowTemplateServiceApi(API)

# The models of this client are those of Argo's release 3, so responses are not validated against them.
UNCHECKED = {"_check_return_type": False}


def spec():
    """A workflow spec that prints its parameter."""
    container = Container(image="busybox", command=["echo", "{{workflow.parameters.word}}"])
    word = IoArgoprojWorkflowV1alpha1Parameter(name="word", value="hello")
    return IoArgoprojWorkflowV1alpha1WorkflowSpec(
        entrypoint="main",
        arguments=IoArgoprojWorkflowV1alpha1Arguments(parameters=[word]),
        templates=[IoArgoprojWorkflowV1alpha1Template(name="main", container=container)],
    )


def workflow():
    """A workflow whose name the server generates."""
    return IoArgoprojWorkflowV1alpha1Workflow(metadata=ObjectMeta(generate_name="generated-"), spec=spec())


def phase_of(name):
    """The phase of a workflow; empty until the controller has processed it."""
    found = WORKFLOWS.get_workflow(NAMESPACE, name, **UNCHECKED).to_dict()
    return found.get("status", {}).get("phase", "")


def lines_of(name):
    """The log lines of a workflow's main container. The client returns the whole stream as one response."""
    asked = {"log_options_container": "main", "_preload_content": False}
    stream = WORKFLOWS.workflow_logs(NAMESPACE, name, **asked, **UNCHECKED)
    return [json.loads(line)["result"]["content"] for line in stream.data.decode().splitlines() if line]


def await_success(name):
    """Waits until a workflow has succeeded."""
    equal(await_fact("the workflow has ended", lambda: phase_of(name) in ("Succeeded", "Failed", "Error")), True)
    equal(phase_of(name), "Succeeded")


def refused(error, ask, *args):
    """Fails unless a request is refused with this error."""
    try:
        ask(*args, **UNCHECKED)
    except error as refusal:
        return refusal
    raise AssertionError(f"it was not refused as {error.__name__}")


def workflows():
    """A workflow is linted, created, got, listed, logged, resubmitted and deleted."""
    WORKFLOWS.lint_workflow(
        NAMESPACE, IoArgoprojWorkflowV1alpha1WorkflowLintRequest(workflow=workflow()), **UNCHECKED
    )
    request = IoArgoprojWorkflowV1alpha1WorkflowCreateRequest(workflow=workflow())
    name = WORKFLOWS.create_workflow(NAMESPACE, request, **UNCHECKED).metadata["name"]
    equal(name in [one["metadata"]["name"] for one in listed()], True)
    await_success(name)
    equal(lines_of(name), ["hello"])
    request = IoArgoprojWorkflowV1alpha1WorkflowResubmitRequest()
    again = WORKFLOWS.resubmit_workflow(NAMESPACE, name, request, **UNCHECKED).metadata["name"]
    await_success(again)
    for one in (name, again):
        WORKFLOWS.delete_workflow(NAMESPACE, one, **UNCHECKED)
        await_fact("the workflow is deleted", lambda one=one: one not in [each["metadata"]["name"] for each in listed()])
        refused(NotFoundException, WORKFLOWS.get_workflow, NAMESPACE, one)


def listed():
    """The workflows of a namespace."""
    return WORKFLOWS.list_workflows(NAMESPACE, **UNCHECKED).to_dict().get("items") or []


def submitted():
    """A template is created, submitted with a parameter, and deleted."""
    template = IoArgoprojWorkflowV1alpha1WorkflowTemplate(metadata=ObjectMeta(name="generated"), spec=spec())
    request = IoArgoprojWorkflowV1alpha1WorkflowTemplateCreateRequest(template=template)
    equal(TEMPLATES.create_workflow_template(NAMESPACE, request, **UNCHECKED).metadata["name"], "generated")
    request = IoArgoprojWorkflowV1alpha1WorkflowSubmitRequest(
        resource_kind="WorkflowTemplate",
        resource_name="generated",
        submit_options=IoArgoprojWorkflowV1alpha1SubmitOpts(parameters=["word=goodbye"]),
    )
    name = WORKFLOWS.submit_workflow(NAMESPACE, request, **UNCHECKED).metadata["name"]
    await_success(name)
    equal(lines_of(name), ["goodbye"])
    TEMPLATES.delete_workflow_template(NAMESPACE, "generated", **UNCHECKED)
    refused(NotFoundException, TEMPLATES.get_workflow_template, NAMESPACE, "generated")
    WORKFLOWS.delete_workflow(NAMESPACE, name, **UNCHECKED)


def other_services():
    """The version, cron workflows and the archive are read."""
    equal(info_service_api.InfoServiceApi(API).get_version(**UNCHECKED).version[:1], "v")
    crons = cron_workflow_service_api.CronWorkflowServiceApi(API)
    equal(crons.list_cron_workflows(NAMESPACE, **UNCHECKED).to_dict().get("items"), None)
    archive = archived_workflow_service_api.ArchivedWorkflowServiceApi(API)
    # No archive is configured. As with Argo's server, the list is empty or the request fails.
    try:
        equal(archive.list_archived_workflows(**UNCHECKED).to_dict().get("items"), None)
    except ApiException as error:
        equal(error.status, 501)


def unknown_token():
    """An unknown token is refused."""
    stranger = workflow_service_api.WorkflowServiceApi(api_of("Bearer nobody"))
    refused(UnauthorizedException, stranger.list_workflows, NAMESPACE)


run([workflows, submitted, other_services, unknown_token])
