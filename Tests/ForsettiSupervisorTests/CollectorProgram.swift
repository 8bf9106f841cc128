/// A collector of OpenTelemetry's protocol as far as tests need one: says its port, then every body that is posted to it,
/// a line each, behind the path.
struct CollectorProgram {
  let process: SupervisorProcess
  let port: Substring

  private static let text = """
    import http.server
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            print(self.path, body, flush=True)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()
        def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, "port", flush=True)
    server.serve_forever()
    """

  /// Starts one; whoever does ends it.
  init() async throws {
    process = try SupervisorProcess(["python3", "-c", Self.text], executable: "/usr/bin/env")
    port = await process.output(containing: "port").prefix { $0 != " " }
  }
}
