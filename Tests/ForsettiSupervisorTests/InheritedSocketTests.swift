import CLinux
import ForsettiCore
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime
@testable import ForsettiSupervisor

/// Sockets as a service manager hands them over.
@Suite(.timeLimit(.minutes(2))) struct InheritedSocketTests {
  private static func sockets(
    _ descriptors: String?, _ process: String?, _ names: String? = nil
  ) throws(CommandFailure) -> InheritedSockets {
    var environment: [String: String] = [:]
    environment["LISTEN_FDS"] = descriptors
    environment["LISTEN_PID"] = process
    environment["LISTEN_FDNAMES"] = names
    return try InheritedSockets(environment: environment, processID: 7)
  }

  @Test(
    "descriptors are ours only with our process ID; the console's is the one of that name",
    arguments: [
      (nil, nil, nil, nil, nil), ("1", "8", nil, nil, nil), ("1", nil, nil, nil, nil),
      ("0", "7", nil, nil, nil),
      ("1", "7", nil, 3, nil), ("1", "7", "forsetti-supervisor.socket", 3, nil),
      ("1", "7", "console", nil, 3),
      ("2", "7", "console:control", 4, 3), ("2", "7", "unknown:console", 3, 4),
    ] as [(String?, String?, String?, Int32?, Int32?)])
  func names(count: String?, process: String?, names: String?, control: Int32?, console: Int32?) throws {
    let sockets = try Self.sockets(count, process, names)
    #expect(sockets.control == control && sockets.console == console)
  }

  @Test(
    "more than one of each, or names that do not fit, are refused",
    arguments: [
      ("x", nil), ("-1", nil), ("99999", nil), ("", nil), ("2", nil), ("2", "a:b"), ("2", "console:console"),
      ("2", "console"), ("1", "a:b"), ("3", "control:console:"),
    ] as [(String, String?)])
  func refusedNames(count: String, names: String?) {
    let failure = #expect(throws: CommandFailure.self) { try Self.sockets(count, "7", names) }
    #expect(failure?.status == .configuration)
  }

  @Test("what is no listening stream socket is refused")
  func kinds() throws {
    func refused(_ number: Int32) -> Bool {
      do {
        _ = try InheritedSockets.check(Descriptor(owning: number))
        return false
      } catch { return error.status == .configuration }
    }
    #expect(refused(cl_unix_socket(0o600)), "not listening")
    #expect(refused(cl_unix_datagram_socket()))
    #expect(refused(open("/dev/null", O_RDWR)))
    let internet = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #expect(listen(internet, 1) == 0)
    #expect(refused(internet))
    let scratch = try Scratch()
    let good = cl_unix_socket(0o600)
    #expect(cl_unix_bind(good, scratch("s")) == 0 && listen(good, 1) == 0)
    #expect(!refused(good))
  }

  @Test(
    "a supervisor answers on the socket that it was handed, however a link leads to it, and leaves it there",
    arguments: [
      ("state/run/control.sock", nil), ("link/control.sock", ("link", "state/run")),
      ("other.sock", ("state/run/control.sock", "other.sock")),
    ] as [(String, (String, String)?)])
  func activated(place: String, link: (String, String)?) async throws {
    let scratch = try Scratch()
    try scratch.folder("state/run")
    if let (name, destination) = link {
      try FileManager.default.createSymbolicLink(
        atPath: scratch(name), withDestinationPath: scratch(destination))
    }
    let supervisor = try await Self.activated(at: scratch(place), in: scratch)
    // It starts with the first connection, and that one is answered.
    let status = try await SupervisorProcess.run(["status", "--json", "--state", scratch("state")])
    #expect(status.status == 0 || status.status == ForsettiSupervisor.ExitStatus.temporaryFailure.rawValue)
    _ = await supervisor.output(containing: "Running until")
    #expect(try await SupervisorProcess.run(["shutdown", "--state", scratch("state")]).status == 0)
    #expect(await supervisor.end().status == 0)
    #expect(FileManager.default.fileExists(atPath: scratch("state/run/control.sock")))
  }

  @Test(
    "a control socket where no client looks for it is refused, not served",
    arguments: ["control.sock", "state/run/other.sock"])
  func elsewhere(name: String) async throws {
    let scratch = try Scratch()
    try scratch.folder("state/run")
    // Where clients look is something, and it is another's.
    let other = cl_unix_socket(0o600)
    defer { close(other) }
    #expect(cl_unix_bind(other, scratch("state/run/control.sock")) == 0)
    let place = scratch(name)
    let end = try await endOfConnected(place, in: scratch)
    #expect(end.status == ForsettiSupervisor.ExitStatus.configuration.rawValue, "\(end.errors)")
    #expect(end.errors.contains("listens on \"\(place)\""), "\(end.errors)")
    #expect(end.errors.contains("write ListenStream=\(scratch("state/run/control.sock"))"), "\(end.errors)")
  }

  @Test("a control socket whose file is gone, so that no client finds it, is refused with the way out")
  func removed() async throws {
    let scratch = try Scratch()
    try scratch.folder("state/run")
    let place = scratch("state/run/control.sock")
    let end = try await endOfConnected(
      place, in: scratch, behind: ["/bin/sh", "-c", "/bin/rm \"$0\" && exec \"$@\"", place])
    #expect(end.status == ForsettiSupervisor.ExitStatus.configuration.rawValue, "\(end.errors)")
    #expect(
      end.errors.contains("listens on \"\(place)\", and no file is there any more; restart the socket unit"),
      "\(end.errors)")
  }

  /// What listens there, and becomes a supervisor with the first connection.
  /// - Parameter behind: a program that executes the supervisor.
  private static func activated(
    at place: String, in scratch: Scratch, behind program: [String] = []
  ) async throws -> SupervisorProcess {
    let supervisor = try SupervisorProcess(
      ["--listen=" + place] + program
        + [Product.supervisor, "run", "--policy", Product.strictPolicy, "--state", scratch("state")],
      executable: Self.activator)
    _ = await supervisor.errors(containing: "Listening on")
    return supervisor
  }

  /// How a supervisor ends that a connection to this place starts.
  private func endOfConnected(
    _ place: String, in scratch: Scratch, behind program: [String] = []
  ) async throws -> SupervisorProcess.End {
    let supervisor = try await Self.activated(at: place, in: scratch, behind: program)
    let client = cl_unix_socket(0o600)
    defer { close(client) }
    #expect(cl_unix_connect(client, place) == 0)
    return await supervisor.end()
  }

  /// A policy of the strict set with a console there.
  private static func policy(_ scratch: Scratch, listen: String) throws -> String {
    let text = try String(contentsOfFile: Product.strictPolicy, encoding: .utf8)
    let brace = try #require(text.firstIndex(of: "{"))
    return try scratch.write(
      "policy.json", #"{ "console": { "listen": "\#(listen)" },"# + text[text.index(after: brace)...])
  }

  @Test("a supervisor serves the console on the socket that it was handed, beside the control socket")
  func console() async throws {
    let scratch = try Scratch()
    try scratch.folder("state/run")
    let policy = try Self.policy(scratch, listen: "unix:" + scratch("console.sock"))
    let supervisor = try SupervisorProcess(
      [
        "--listen=" + scratch("state/run/control.sock"), "--listen=" + scratch("console.sock"),
        "--fdname=control:console", Product.supervisor, "run", "--policy", policy, "--state",
        scratch("state"),
      ], executable: Self.activator)
    _ = await supervisor.errors(containing: "console.sock")
    // The first connection starts it, and waits for the console.
    #expect(Self.health(scratch("console.sock")).hasPrefix("HTTP/1.1 200 "))
    let url = try await SupervisorProcess.run(["console", "--url", "--state", scratch("state")])
    #expect(url.output.hasPrefix("http://localhost/#"), "\(url.errors)")
    #expect(try await SupervisorProcess.run(["shutdown", "--state", scratch("state")]).status == 0)
    #expect(await supervisor.end().status == 0)
    #expect(FileManager.default.fileExists(atPath: scratch("console.sock")))
  }

  /// What a console says of its health.
  private static func health(_ path: String) -> String {
    let number = cl_unix_socket(0o600)
    defer { close(number) }
    guard cl_unix_connect(number, path) == 0, fcntl(number, F_SETFL, 0) == 0 else { return "" }
    // Nothing that is waited for here may keep a failing test from its end.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    guard send(number, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return "" }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(number, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  @Test("the socket must be where the policy has the console, which says so for itself")
  func mismatch() throws {
    func failure(_ wanted: ListenAddress?, on made: ListenAddress) throws -> CommandFailure? {
      let made = try HostListener(made)
      let number = dup(made.number)
      do {
        _ = try PreparedConsole(inheriting: number, wanted: wanted)
        return nil
      } catch { return error }
    }
    let scratch = try Scratch()
    let (here, there) = (ListenAddress.unix(path: scratch("a")), ListenAddress.unix(path: scratch("b")))
    #expect(try failure(here, on: here) == nil)
    #expect(try failure(.loopback(port: 0), on: .loopback(port: 0)) == nil)
    for (wanted, made) in [
      (there, here), (nil, here), (.loopback(port: 0), here), (.loopback(port: 1), .loopback(port: 0)),
      (here, .loopback(port: 0)),
    ] as [(ListenAddress?, ListenAddress)] {
      #expect(
        try failure(wanted, on: made)?.status == .configuration, "\(String(describing: wanted)) \(made)")
    }
    #expect(throws: CommandFailure.self) {
      try PreparedConsole(inheriting: open("/dev/null", O_RDWR), wanted: here)
    }
  }

  @Test("another address of this host than 127.0.0.1 is refused: what is told of would be anybody's port")
  func otherLoopback() throws {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = (INADDR_LOOPBACK + 1).bigEndian
    let bound = withUnsafeBytes(of: &address) { bytes in
      bytes.baseAddress.map {
        bind(number, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      }
    }
    try #require(bound == 0 && listen(number, 1) == 0)
    #expect(throws: SystemError.self) { _ = try HostListener(inheriting: number) }
  }

  private static let activator = "/usr/bin/systemd-socket-activate"
}
