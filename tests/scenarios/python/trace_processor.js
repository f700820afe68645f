// SPDX-License-Identifier: Apache-2.0
// Perfetto's trace processor in node: node trace_processor.js DIRECTORY, where the viewer's engine_bundle.js and
// trace_processor*.wasm are. Requests (TraceProcessorRpcStream) come from standard input, replies go to standard output.
// The engine is made for a browser's worker: what it uses of one is given to it as parameters, and it does not see node.
const fs = require('fs');
const path = require('path');

const bytesOf = (name) => fs.readFileSync(path.join(process.argv[2], path.basename(String(name))));
class XMLHttpRequest {
  open(method, name) { this.name = name; }
  send() { this.response = bytesOf(this.name); }
}
const self = { location: { href: 'http://localhost/engine_bundle.js' } };
const worker = {
  self, location: self.location, process: undefined, XMLHttpRequest, WorkerGlobalScope: class {}, importScripts() {},
  console: { log() {}, warn() {}, error: console.error },
  fetch: async (name) => new Response(bytesOf(name), { headers: { 'Content-Type': 'application/wasm' } }),
};
new Function(...Object.keys(worker), bytesOf('engine_bundle.js').toString())(...Object.values(worker));
const port = { postMessage: (reply) => fs.writeSync(1, reply) };
self.onmessage({ data: port });
process.stdin.on('data', (bytes) => port.onmessage({ data: new Uint8Array(bytes) }));
