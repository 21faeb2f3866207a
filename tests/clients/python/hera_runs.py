"""Runs workflows of Hera to completion, most of them Hera's own examples. Their functions run as steps in an image.

ADDRESS and TOKEN of the server are the arguments. The cluster must have images with Python and Hera, such as "python:3.10".
"""

import importlib.util
import json
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path

import requests
from cases import await_fact, equal, run

from hera.exceptions import HeraException
from hera.shared import global_config
from hera.workflows import (
    DAG,
    Container,
    Parameter,
    Steps,
    Suspend,
    UserContainer,
    Workflow,
    WorkflowsService,
    script,
)
from hera.workflows.models import WorkflowResumeRequest, WorkflowRetryRequest, WorkflowSetRequest, WorkflowStopRequest

warnings.simplefilter("ignore")

ADDRESS, TOKEN = sys.argv[1:3]
NAMESPACE = "default"
sys.path.insert(0, os.environ["HERA_EXAMPLES"])


class PhaseAwaitingSession(requests.Session):
    """A session that returns a workflow once it has a phase: Hera treats a workflow without a phase as an error."""

    def request(self, method, url, **rest):
        ask = super().request
        if method != "get" or not url.startswith(f"{ADDRESS}/api/v1/workflows/{NAMESPACE}/") or url.endswith("/log"):
            return ask(method, url, **rest)

        def answer():
            response = ask(method, url, **rest)
            # An error response is returned at once.
            return [response] if not response.ok or response.json().get("status", {}).get("phase") else []

        return await_fact("the controller has seen the workflow", answer)[0]


SERVICE = WorkflowsService(host=ADDRESS, token=TOKEN, namespace=NAMESPACE, session=PhaseAwaitingSession())


def create(workflow):
    """Creates a workflow and returns it."""
    workflow.workflows_service = SERVICE
    workflow.namespace = NAMESPACE
    workflow.service_account_name = None
    workflow.create()
    return workflow


def example(name):
    """Creates the workflow of one of Hera's examples and returns it."""
    global_config.reset()
    return create(importlib.import_module(f"workflows.{name}").w)


def await_end(workflow, phase="Succeeded"):
    """Waits until a workflow has ended with a phase. Returns its nodes by display name."""
    status = workflow.wait(poll_interval=1).status
    said = [f"{node.display_name}: {node.message}" for node in status.nodes.values() if node.message]
    equal(status.phase, phase, f"{workflow.name} ({'; '.join(said)})")
    return {node.display_name: node for node in status.nodes.values()}


def parameters(node):
    """The output parameters of a node."""
    return {one.name: one.value for one in node.outputs.parameters}


def log_of(workflow, container="main"):
    """The log lines of the pods of a workflow."""
    answer = requests.get(
        f"{ADDRESS}/api/v1/workflows/{NAMESPACE}/{workflow.name}/log",
        params={"logOptions.container": container},
        headers={"Authorization": TOKEN},
        timeout=60,
    )
    return sorted(json.loads(line)["result"]["content"] for line in answer.text.splitlines() if line)


# All workflows are created before the first is waited for, so that they run in parallel.
RUNS = {
    name: example(name)
    for name in [
        "dags.passing_task_result",
        "dags.dag_input_output",
        "scripts.output_parameters",
        "scripts.script_runner_io",
        "loops.fan_in",
        "artifacts.artifact_with_fanout",
        "hera_runner.runner_artifacts",
        "hera_runner.custom_serialiser",
    ]
}
global_config.reset()


def results():
    """The result of a function is an argument of the next one."""
    nodes = await_end(RUNS["dags.passing_task_result"])
    equal(nodes["out"].outputs.result, "42")
    equal(log_of(RUNS["dags.passing_task_result"]), ["42", "42"])


def values():
    """A file that a function writes is its output parameter."""
    nodes = await_end(RUNS["scripts.output_parameters"])
    equal(parameters(nodes["out"]), {"a": "test"})
    equal(log_of(RUNS["scripts.output_parameters"]), ["test"])


def nested():
    """A DAG that is called twice passes its output on, and Hera's runner calls its function in the pod."""
    nodes = await_end(RUNS["dags.dag_input_output"])
    first = "Hello, hello call-1!"
    equal(parameters(nodes["call-1"]), {"my-dag-output": first})
    equal(parameters(nodes["call-2"]), {"my-dag-output": f"Hello, hello {first}!"})


def fan_in():
    """A loop runs over the result of a function, and another function aggregates its outputs."""
    nodes = await_end(RUNS["loops.fan_in"])
    many = [node for name, node in nodes.items() if name.startswith("fanout(")]
    equal(len(many) > 1, True)
    equal({node.phase for node in many}, {"Succeeded"})


def artifacts():
    """Artifacts are passed between functions: as files, and by Hera's runner as text and with a custom serializer."""
    await_end(RUNS["artifacts.artifact_with_fanout"])
    await_end(RUNS["hera_runner.runner_artifacts"])
    equal(log_of(RUNS["hera_runner.runner_artifacts"]), ["Hello, world!"])
    nodes = await_end(RUNS["hera_runner.custom_serialiser"])
    equal(parameters(nodes["create-outputs"]), {"param-output": "parameter test"})
    equal("parameter custom test" in log_of(RUNS["hera_runner.custom_serialiser"]), True)


def failing():
    """A function that returns an exit code fails with it, and its outputs are saved."""
    nodes = await_end(RUNS["scripts.script_runner_io"], phase="Failed")
    failed = nodes["pydantic-io"]
    equal(parameters(failed), {"param-output": "42"})
    equal((failed.outputs.exit_code, failed.phase), ("1", "Failed"))


def created_and_waited_for():
    """create(wait=True) returns when the workflow has ended, and its log can be read."""

    @script()
    def say(word):
        print(word)

    with Workflow(generate_name="waited-", entrypoint="main", namespace=NAMESPACE, workflows_service=SERVICE) as one:
        with DAG(name="main"):
            say(name="say", arguments={"word": "hello"})
    done = one.create(wait=True, poll_interval=1)
    equal(done.status.phase, "Succeeded")
    SERVICE.workflow_logs(done.metadata.name, container="main")
    equal(log_of(one), ["hello"])


def suspended():
    """A suspended workflow waits until its parameter is supplied and it is resumed."""
    with Workflow(generate_name="suspended-", entrypoint="main") as one:
        echo = Container(
            name="echo",
            image="busybox",
            command=["echo", "{{inputs.parameters.message}}"],
            inputs=[Parameter(name="message")],
        )
        approve = Suspend(name="approve", intermediate_parameters=[Parameter(name="message")])
        with Steps(name="main"):
            asked = approve(name="approve", arguments={"message": "none"})
            echo(name="release", arguments={"message": asked.get_parameter("message")})
    create(one)

    def waits():
        nodes = SERVICE.get_workflow(one.name).status.nodes or {}
        return any(node.type == "Suspend" and node.phase == "Running" for node in nodes.values())

    await_fact("the step waits", waits)
    selector = "displayName=approve"
    supplied = WorkflowSetRequest(node_field_selector=selector, output_parameters=json.dumps({"message": "granted"}))
    SERVICE.set_workflow(one.name, supplied)
    SERVICE.resume_workflow(one.name, WorkflowResumeRequest(node_field_selector=selector))
    equal(parameters(await_end(one)["approve"]), {"message": "granted"})
    equal(log_of(one), ["granted"])


def init_containers():
    """An init container called init runs before the container of its step."""
    with Workflow(generate_name="first-", entrypoint="main") as one:
        Container(
            name="main",
            image="busybox",
            command=["echo", "second"],
            init_containers=[UserContainer(name="init", image="busybox", command=["echo", "first"])],
        )
    create(one)
    await_end(one)
    equal((log_of(one, "init"), log_of(one)), (["first"], ["second"]))


def retried():
    """A stopped workflow has failed, and can be retried by its name."""
    with Workflow(generate_name="stopped-", entrypoint="main") as one:
        Suspend(name="main")
    create(one)
    SERVICE.stop_workflow(one.name, WorkflowStopRequest(message="enough"))
    await_end(one, phase="Failed")
    SERVICE.retry_workflow(one.name, WorkflowRetryRequest())
    await_fact("the workflow runs again", lambda: SERVICE.get_workflow(one.name).status.phase == "Running")
    SERVICE.delete_workflow(one.name)
    gone = await_fact("the workflow is deleted", lambda: gone_error(one.name))
    equal(type(gone).__name__, "NotFound")


def gone_error(name):
    """The error of reading a workflow that does not exist."""
    try:
        SERVICE.get_workflow(name)
    except HeraException as error:
        return error
    return None


def guide():
    """The example of docs/how-to/hera.md creates a workflow that succeeds, and writes its manifest."""
    text = (Path(__file__).parents[3] / "docs/how-to/hera.md").read_text()
    [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    here = code.replace('host="http://localhost:2746"', f'host="{ADDRESS}", token="{TOKEN}"')
    assert here != code, "the example names the server"
    with tempfile.TemporaryDirectory() as folder:
        # A file, because Hera reads the source of the functions.
        path = Path(folder) / "guide.py"
        path.write_text(here)
        spec = importlib.util.spec_from_file_location("guide", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert "kind: Workflow" in module.workflow.to_yaml()
    equal(module.service.get_workflow(module.workflow.name).status.phase, "Succeeded")


run([guide, results, values, nested, fan_in, artifacts, failing, created_and_waited_for, suspended, init_containers, retried])
