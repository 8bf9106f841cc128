import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import Glibc

/// The process that starts network workers. A worker reaches hosts, which a supervisor that has reduced itself does
/// not, and whatever it starts doesn't either: so this one is started before.
public final class NetworkKeeper: Sendable {
  let process: HelperProcess

  /// Starts it on the calling thread, which doesn't wait for it. Whether it could set itself up is told later.
  /// - Throws: `fork`, `exec` and the like, and what keeps the worker's filter from being compiled.
  public init(_ options: NetworkWorkerOptions) throws(SystemError) {
    let filter: FilterProgram
    do throws(SandboxCompileError) { filter = try FilterCompiler.compile(.networkWorker) } catch {
      throw SystemError("compile the network worker's filter (\(error))", EINVAL)
    }
    var lockdown = SandboxPlan.networkWorker.lockdownRequest(
      filter: filter, supervisorPID: getpid(), userID: options.userID)
    if options.mayLackLandlock { lockdown.mayBeMissing = [.landlock] }
    process = try HelperProcess(packetsTo: options.path)
    try send(.setUp(NetworkKeeperSetUp(lockdown: lockdown, authorities: options.authorities)))
  }

  /// Readable when it has something to say, or is gone.
  var descriptor: Int32 { process.answers.number }

  /// Asks for a worker with these ends of its pipes, which the caller lets go of then.
  func start(input: Int32, output: Int32) throws(SystemError) { try send(.start, [input, output]) }

  /// Asks for the worker's end. One that is gone has ended.
  func end() { try? send(.end) }

  private func send(_ order: NetworkKeeperOrder, _ descriptors: [Int32] = []) throws(SystemError) {
    let bytes: [UInt8]
    do throws(CBORError) { bytes = try order.encoded() } catch {
      throw SystemError("encode an order (\(error))", EINVAL)
    }
    let result = cl_packet_send(descriptor, bytes, bytes.count, descriptors, Int32(descriptors.count))
    guard result == 0 else { throw SystemError("sendmsg", -result) }
  }

  /// What it has to say.
  enum News {
    case report(NetworkKeeperReport)
    /// It is gone, or has said what it could not have said.
    case gone
  }

  /// What it has to say now; `nil` for nothing.
  func news() -> News? {
    var bytes = [UInt8](repeating: 0, count: NetworkKeeperReport.maximumBytes)
    var descriptors: [Int32] = [-1, -1]
    let count = cl_packet_receive(descriptor, &bytes, bytes.count, &descriptors)
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    if count == -Int(EAGAIN) || count == -Int(EINTR) { return nil }
    guard count > 0, let report = try? NetworkKeeperReport.decode(bytes.span.extracting(..<count)) else {
      return .gone
    }
    return .report(report)
  }
}
