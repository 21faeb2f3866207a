"""An artifact plugin that stores artifacts as files in a folder. Usage: `python plugin.py SOCKET FOLDER DESCRIPTOR`"""

import base64
import os
import pathlib
import shutil
import sys
import tempfile
from concurrent import futures

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

SOCKET, FOLDER, DESCRIPTOR = sys.argv[1:4]
FRAME = 1 << 20
MOST_FRAME = 4 << 20

pool = descriptor_pool.DescriptorPool()
for file in descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(DESCRIPTOR)).file:
    pool.Add(file)
SERVICE = pool.FindServiceByName("artifact.ArtifactService")


def answer(method, **fields):
    return message_factory.GetMessageClass(SERVICE.methods_by_name[method].output_type)(**fields)


def path_of(artifact):
    # A key with a trailing slash denotes a folder. The path on disk has no trailing slash.
    return pathlib.Path(FOLDER, artifact.plugin.key.strip("/"))


def outcome(method, act):
    try:
        act()
        return answer(method, success=True)
    except FileNotFoundError:
        return answer(method, error="not found: no such file")
    except Exception as error:
        return answer(method, error=str(error))


def copy(source, target):
    pathlib.Path(target).parent.mkdir(parents=True, exist_ok=True)
    (shutil.copytree if os.path.isdir(source) else shutil.copyfile)(source, target)


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def load(request, _):
    return outcome("Load", lambda: copy(path_of(request.input_artifact), request.path))


def save(request, _):
    return outcome("Save", lambda: copy(request.path, path_of(request.output_artifact)))


def delete(request, _):
    return outcome("Delete", lambda: remove(path_of(request.artifact)))


def is_directory(request, context):
    path = path_of(request.artifact)
    if not path.exists():
        context.abort(grpc.StatusCode.NOT_FOUND, "nothing there")
    return answer("IsDirectory", is_directory=path.is_dir())


def list_objects(request, _):
    files = [str(path.relative_to(FOLDER)) for path in path_of(request.artifact).rglob("*") if path.is_file()]
    return answer("ListObjects", objects=sorted(files))


def open_stream(request, _):
    try:
        with open(path_of(request.artifact), "rb") as file:
            while data := file.read(FRAME):
                yield answer("OpenStream", data=data)
        yield answer("OpenStream", is_end=True)
    except OSError:
        yield answer("OpenStream", error="not found: no such file")


def save_stream(frames, _):
    def act():
        path = path_of(next(frames).output_artifact)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Each writer has its own temporary file, so that concurrent writers of one key do not mix their content.
        handle, part = tempfile.mkstemp(dir=FOLDER)
        with open(handle, "wb") as file:
            for frame in frames:
                if frame.ByteSize() > MOST_FRAME:
                    raise ValueError("the frame is too large")
                file.write(frame.chunk)
        os.rename(part, path)

    return outcome("SaveStream", act)


def get_capabilities(_, __):
    return answer("GetCapabilities", supports_save_stream=True)


HANDLERS = {
    "Load": grpc.unary_unary_rpc_method_handler,
    "Save": grpc.unary_unary_rpc_method_handler,
    "Delete": grpc.unary_unary_rpc_method_handler,
    "IsDirectory": grpc.unary_unary_rpc_method_handler,
    "ListObjects": grpc.unary_unary_rpc_method_handler,
    "GetCapabilities": grpc.unary_unary_rpc_method_handler,
    "OpenStream": grpc.unary_stream_rpc_method_handler,
    "SaveStream": grpc.stream_unary_rpc_method_handler,
}
ACTS = {
    "Load": load,
    "Save": save,
    "Delete": delete,
    "IsDirectory": is_directory,
    "ListObjects": list_objects,
    "GetCapabilities": get_capabilities,
    "OpenStream": open_stream,
    "SaveStream": save_stream,
}

server = grpc.server(futures.ThreadPoolExecutor(max_workers=16))
methods = {
    name: handler(
        ACTS[name],
        request_deserializer=message_factory.GetMessageClass(SERVICE.methods_by_name[name].input_type).FromString,
        response_serializer=lambda message: message.SerializeToString(),
    )
    for name, handler in HANDLERS.items()
}
server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("artifact.ArtifactService", methods)])
server.add_insecure_port(f"unix:{SOCKET}")
server.start()
server.wait_for_termination()
