"""Builds the root of an image with this Python, Hera, Hera's examples, and a shell. ROOT is the argument.

It copies files of this machine and the libraries that they load, so that no registry is needed.
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

ROOT = pathlib.Path(sys.argv[1])
VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
EXAMPLES = pathlib.Path(os.environ["HERA_EXAMPLES"]) / "workflows"

# Hera and its dependencies when it runs a function of a workflow.
PACKAGES = [
    "annotated_types",
    "certifi",
    "charset_normalizer",
    "hera",
    "idna",
    "pydantic",
    "pydantic_core",
    "requests",
    "typing_extensions",
    "typing_inspection",
    "urllib3",
    "yaml",
]
PROGRAMS = ["sh", "echo"]
LEFT_OUT = shutil.ignore_patterns(
    "__pycache__",
    *("config-*", "dist-packages", "ensurepip", "idlelib", "site-packages", "test", "tests", "tkinter", "turtledemo"),
    *("*.a", "*.whl"),
)


def copy(place, to):
    """Copies a file or a folder. Follows links."""
    if os.path.isdir(place):
        shutil.copytree(place, to, ignore=LEFT_OUT, dirs_exist_ok=True)
    else:
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(place, to)


def loaded(file):
    """The paths of the libraries and the loader that a program or a library loads."""
    output = subprocess.run(["ldd", file], capture_output=True, text=True, check=False).stdout
    return {word for word in output.split() if word.startswith("/")}


library = ROOT / "opt" / "python" / "lib" / VERSION
copy(sysconfig.get_path("stdlib"), library)
for name in PACKAGES:
    origin = pathlib.Path(importlib.util.find_spec(name).origin)
    # Packages are copied into the folder of the standard library, which every build of Python searches.
    copy(origin.parent, library / name) if origin.name == "__init__.py" else copy(origin, library / origin.name)
copy(EXAMPLES, library / "workflows")

python = ROOT / "opt" / "python" / "bin" / VERSION
copy(os.path.realpath(sys._base_executable), python)
for name in PROGRAMS:
    copy(os.path.realpath(shutil.which(name)), ROOT / "usr" / "bin" / name)
for name in ("python", "python3"):
    (ROOT / "usr" / "bin" / name).symlink_to(f"/opt/python/bin/{VERSION}")
(ROOT / "tmp").mkdir()

libraries = set()
for file in [python, *(ROOT / "usr" / "bin" / name for name in PROGRAMS), *library.rglob("*.so")]:
    libraries |= loaded(file)
for path in libraries:
    if not path.startswith(str(ROOT)):
        copy(os.path.realpath(path), ROOT / path.lstrip("/"))
