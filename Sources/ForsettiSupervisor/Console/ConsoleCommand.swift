import ForsettiControlClient
import ForsettiCore
import ForsettiRuntime
import Glibc

/// `console`: a web console for the supervisor that runs, with the rights of whoever starts it as far as a console has them;
/// or, with --url, the way into the one that the supervisor keeps itself.
struct ConsoleCommand: Equatable {
  /// Where it listens unless it is told.
  static let standardAddress = ListenAddress.loopback(port: 8666)

  var place = ControlPlace()
  var address = standardAddress
  var showsURL = false

  /// Runs until a signal ends it; the console ends with it.
  func run(in surroundings: Surroundings) async throws(CommandFailure) -> ExitStatus {
    var control = try place.connectNamed(in: surroundings)
    if showsURL {
      let answer = try control.client.call(ControlOperations.console) ?? ConsoleAnswer()
      try surroundings.output.write(answer.url + "\n")
      return .success
    }
    let console = try PreparedConsole(address)
    let logger = RuntimeLogger(
      sinks: [
        TextLogSink(
          LogOutput(descriptor: surroundings.errors.descriptor, usesReactor: true), isColoured: false)
      ])
    let folder = WorkingFolder.absolute(control.folder)
    let keeper = try await console.keeper(in: surroundings, logger: logger) { (_) throws(SystemError) in
      do throws(ControlClientError) {
        return try ControlChannel(folder: folder).greeted(for: .console)
      } catch { throw SystemError("connect", error.errno) }
    }
    await keeper.start()
    try surroundings.output.write("The web console is at \(console.access.url)\nRunning until Ctrl-C.\n")
    // Nothing ever comes of it: a signal ends this process, and the console with it.
    let (end, continuation) = AsyncStream<Void>.makeStream()
    defer { continuation.finish() }
    for await _ in end {}
    return .success
  }
}

extension ControlClientError {
  /// The nearest word of the kernel's, for a process that is told no other.
  fileprivate var errno: Int32 {
    switch self {
    case .unreachable(_, let code): code
    case .refused(let failure) where failure.code == .busy: EAGAIN
    case .refused: EACCES
    default: ECONNREFUSED
    }
  }
}
