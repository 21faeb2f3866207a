"""Sends Hera's examples to a server: each object is linted, created, read back, and compared with the object sent.

ADDRESS, TOKEN (may be empty) and NAMESPACE are the arguments. A fourth one, RESPELLS, is for Argo's server, which
normalizes quantities and empty fields: then only the acceptance of objects is compared, and not their stored form.
"""

import contextlib
import importlib
import io
import json
import os
import pathlib
import sys
import warnings

import requests
import urllib3
from cases import Skipped, equal, run

from hera.exceptions import AlreadyExists, HeraException
from hera.shared import global_config
from hera.workflows import (
    ClusterWorkflowTemplate,
    CronWorkflow,
    Workflow,
    WorkflowsService,
    WorkflowTemplate,
)

warnings.simplefilter("ignore")
urllib3.disable_warnings()

ADDRESS, TOKEN, NAMESPACE = sys.argv[1:4]
RESPELLS = sys.argv[4:] == ["RESPELLS"]
FOLDER = pathlib.Path(os.environ["HERA_EXAMPLES"])
sys.path.insert(0, str(FOLDER))

# Examples that need libraries which are too large to install for a test.
NEEDS = {"workflows.use_cases.parquet_pandas": "pandas"}

# Objects that are rejected, also by Argo's server, with the error message.
REFUSED = {
    # An input of a suspend template without a value, which the author expects a user to supply.
    "suspend-input-duration-": "inputs.parameters.duration was not supplied",
    # A reference to a template whose name contains a tag.
    "workflow-of-workflows-1-": '"{{inputs.parameters.workflowtemplate}}" not found',
    "workflow-of-workflows-2-": '"{{inputs.parameters.workflowtemplate}}" not found',
}

VERSION = "argoproj.io/v1alpha1"

# The fields of metadata that a server fills, and its labels.
FILLED = {"name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields"}
FILLED_LABELS = ("workflows.argoproj.io/creator", "workflows.argoproj.io/actor", "workflows.argoproj.io/action")

# Objects that Go's types serialize even if they are empty.
OBJECTS = {
    "arguments", "inputs", "outputs", "metadata", "resources", "status",
    "basicAuth", "clientCert", "oauth2",
}  # fmt: skip

# The value that Go serializes for an unset Kubernetes quantity.
ZERO_QUANTITY = {"divisor": "0"}


class RecordingSession(requests.Session):
    """A session that records the last request and response."""

    sent = None
    answered = None

    def request(self, method, url, **rest):
        response = super().request(method, url, **rest)
        self.sent = json.loads(rest["data"]) if rest.get("data") else None
        with contextlib.suppress(ValueError):
            self.answered = response.json()
        return response


SESSION = RecordingSession()
SERVICE = WorkflowsService(host=ADDRESS, token=TOKEN or None, namespace=NAMESPACE, verify_ssl=False, session=SESSION)

# The functions that read and delete an object of each kind. Templates are not deleted because other objects refer to them.
KINDS = {
    WorkflowTemplate: (SERVICE.get_workflow_template, None),
    ClusterWorkflowTemplate: (lambda name: SERVICE.get_cluster_workflow_template(name), None),
    CronWorkflow: (SERVICE.get_cron_workflow, SERVICE.delete_cron_workflow),
    Workflow: (SERVICE.get_workflow, SERVICE.delete_workflow),
}


def objects_of(name):
    """The workflows and templates of an example, with the example's settings of Hera."""
    global_config.reset()
    sys.modules.pop(name, None)
    with contextlib.redirect_stdout(io.StringIO()):
        example = importlib.import_module(name)
    found = [one for one in vars(example).values() if isinstance(one, tuple(KINDS))]
    return list({id(one): one for one in found}.values())


def is_serialized_unset(key, value):
    """Whether Go's types serialize a field although it is unset: empty objects, names of containers, quantities."""
    return value == {} and key in OBJECTS or value == "" and key == "name" or ZERO_QUANTITY.get(key) == value


def without_unset(value):
    """A value without the unset fields that Go's types serialize."""
    if isinstance(value, list):
        return [without_unset(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {key: without_unset(one) for key, one in value.items()}
    return {key: one for key, one in kept.items() if not is_serialized_unset(key, one)}


def as_stored(kind, sent):
    """The object as stored: like Argo's server, it omits `suspend: false` of a cron workflow."""
    if kind == "CronWorkflow" and sent["spec"].get("suspend") is False:
        return {**sent, "spec": {key: one for key, one in sent["spec"].items() if key != "suspend"}}
    return sent


def check_equal(stored, sent):
    """Fails unless the stored object equals the object sent, except for the fields that a server fills."""
    sent = as_stored(sent["kind"], sent)
    # An example has another version, which servers accept.
    equal(stored.get("apiVersion", VERSION), VERSION, "apiVersion")
    equal(stored.get("kind", sent["kind"]), sent["kind"], "kind")
    if not RESPELLS:
        equal(without_unset(stored["spec"]), without_unset(sent["spec"]), "spec")
    wanted, metadata = dict(sent["metadata"]), dict(stored["metadata"])
    labels, wanted_labels = metadata.pop("labels", {}), wanted.pop("labels", {})
    equal({key: one for key, one in metadata.items() if key not in FILLED - set(wanted)}, wanted, "metadata")
    equal({key: one for key, one in labels.items() if not key.startswith(FILLED_LABELS)}, wanted_labels, "labels")


def templates():
    """The templates that examples refer to. Hera has them as YAML files."""
    kinds = {
        "workflow-template--templates": WorkflowTemplate,
        "cluster-workflow-template--clustertemplates": ClusterWorkflowTemplate,
    }
    for name, kind in kinds.items():
        text = (FOLDER / "workflows" / "upstream" / f"{name}.upstream.yaml").read_text()
        yield from (kind.from_yaml(document) for document in text.split("\n---\n"))


def submit(one):
    """Lints an object, creates it (or updates an existing one), reads it back and deletes it."""
    read, remove = next(how for kind, how in KINDS.items() if isinstance(one, kind) and type(one) is kind)
    one.workflows_service = SERVICE
    if not isinstance(one, ClusterWorkflowTemplate):
        one.namespace = NAMESPACE
    one.lint()
    try:
        made = one.create()
    except AlreadyExists:
        made = one.update()
    (sent,) = (value for key, value in SESSION.sent.items() if key in ("workflow", "template", "cronWorkflow"))
    sent["metadata"].pop("resourceVersion", None)
    check_equal(SESSION.answered, sent)
    read_back = read(made.metadata.name)
    check_equal(SESSION.answered, sent)
    # Hera's models must read the response without losing a field.
    understood = json.loads(read_back.model_dump_json(exclude_none=True, exclude_unset=True, by_alias=True))
    equal(understood["spec"], SESSION.answered["spec"], "spec as Hera reads it")
    if remove:
        remove(made.metadata.name)


def missing(error):
    """Whether an object was rejected because it refers to a missing one."""
    return "not found" in str(error)


class Examples:
    """The examples, and the problems of each. An example that refers to missing objects is retried after the others."""

    def __init__(self):
        files = [one.relative_to(FOLDER) for one in sorted((FOLDER / "workflows").rglob("*.py"))]
        self.modules = [".".join(one.with_suffix("").parts) for one in files if one.name != "__init__.py"]
        self.problems = {}
        self.refused = {}
        self.counts = {}

    def ask_all(self):
        for one in templates():
            submit(one)
        waiting = [module for module in self.modules if module not in NEEDS]
        while waiting:
            later = [module for module in waiting if not self.ask(module)]
            if len(later) == len(waiting):
                return
            waiting = later

    def ask(self, module):
        """Sends the objects of one example. Returns false if one was rejected because it refers to a missing object."""
        problems = self.problems[module] = []
        self.refused[module] = []
        objects = objects_of(module)
        is_whole = True
        for one in objects:
            name = one.name or one.generate_name
            try:
                submit(one)
            except HeraException as error:
                if REFUSED.get(name, "\0") in str(error):
                    self.refused[module].append(name)
                    continue
                problems.append(f"{name}: {type(error).__name__}: {error}")
                is_whole &= not missing(error)
            except Exception as error:
                problems.append(f"{name}: {type(error).__name__}: {error}")
        self.counts[module] = len(objects)
        return is_whole


EXAMPLES = Examples()


def folder_case(folder):
    """The case of one folder of examples."""

    def case():
        if folder == FOLDERS[0]:
            EXAMPLES.ask_all()
        problems = [
            f"{module}: {problem}"
            for module, found in EXAMPLES.problems.items()
            if module.startswith(f"workflows.{folder}.")
            for problem in found
        ]
        if problems:
            raise AssertionError("\n".join(problems))

    case.__doc__ = f"Objects of Hera's examples of {folder} are created and read back as they were sent"
    return case


def needs_case(module, library):
    """The case of an example that is skipped."""

    def case():
        raise Skipped(f"needs {library}")

    case.__doc__ = f"The objects of {module} are created and read back as they were sent"
    return case


def all_asked():
    """Hera's examples create more than 260 objects, and only those that Argo's server rejects are rejected"""
    made = sum(EXAMPLES.counts.values())
    if made < 260:
        raise AssertionError(f"only {made} objects were made")
    equal(sorted(name for names in EXAMPLES.refused.values() for name in names), sorted(REFUSED), "refused")


FOLDERS = sorted(one.name for one in (FOLDER / "workflows").iterdir() if one.is_dir() and one.name != "__pycache__")

run([
    *(folder_case(folder) for folder in FOLDERS),
    *(needs_case(module, library) for module, library in NEEDS.items()),
    all_asked,
])
