import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import Glibc

/// Names the functions of crashed processes, outside the supervisor's memory: for each question a worker is started,
/// locked, asked and ended on a thread that may block. Whatever goes wrong costs the names alone.
@ReactorActor final class SymbolResolver {
  /// How many questions may wait. Behind a storm of crashes reports go without names.
  static let mostWaiting = 8

  private let path: String
  private let userID: UInt32?
  private let milliseconds: Int
  private var waiting = 0
  private var tools: Tools?
  private var memory = FunctionMemory()

  /// What is made at the first question: most supervisors never see a crash.
  private struct Tools {
    let thread: BlockingWorker
    let filter: FilterProgram
  }

  /// Makes a resolver; nothing is started yet.
  /// - Parameters:
  ///   - path: the worker's program, `forsetti-symbolizer`.
  ///   - userID: whom the worker becomes; `nil` when this process is no root.
  ///   - milliseconds: from a question to its answer, the wait for its turn included; a worker takes some. So a shutdown
  ///     waits for so long at most, however many questions there are.
  nonisolated init(path: String, userID: UInt32?, milliseconds: Int = 3_000) {
    self.path = path
    self.userID = userID
    self.milliseconds = milliseconds
  }

  /// What `functions(around:in:)` said of these places of this program not long ago.
  func rememberedFunctions(around places: [UInt64], in program: ModuleProgram) -> [SymbolAnswer.Function?]? {
    memory.functions(around: places, in: program)
  }

  /// The function around each place, in their order, with names that are safe to show on one line; `nil` for one
  /// around which no function is known.
  /// - Parameters:
  ///   - places: distances from where the program's first byte lay in memory; those above the bound of a request get
  ///     none.
  ///   - program: what the process ran.
  func functions(
    around places: [UInt64], in program: ModuleProgram
  ) async throws(SymbolFailure) -> [SymbolAnswer.Function?] {
    if places.isEmpty { return [] }
    guard waiting < Self.mostWaiting else { throw .busy }
    waiting += 1
    defer { waiting -= 1 }
    let tools = try madeTools()
    let request = SymbolRequest(
      lockdown: lockdown(tools.filter), places: Array(places.prefix(SymbolRequest.maximumPlaces)))
    let (path, milliseconds) = (path, milliseconds)
    let asked = monotonicNanoseconds()
    let found = try await tools.thread.run { () throws(SymbolFailure) in
      let waited = (monotonicNanoseconds() &- asked) / 1_000_000
      guard waited < UInt64(clamping: milliseconds) else { throw .timedOut(milliseconds: milliseconds) }
      return try SymbolWorker.ask(
        request, path: path, executable: program.number, milliseconds: milliseconds - Int(waited))
    }
    let shown = found.map { function in
      function.map {
        SymbolAnswer.Function(name: $0.name.plain(limit: SymbolAnswer.maximumName), start: $0.start)
      }
    }
    let functions = shown + [SymbolAnswer.Function?](repeating: nil, count: places.count - shown.count)
    memory.keep(functions, around: places, in: program)
    return functions
  }

  private func lockdown(_ filter: FilterProgram) -> LockdownRequest {
    var request = SandboxPlan.symbolWorker.lockdownRequest(
      filter: filter, supervisorPID: getpid(), userID: userID)
    request.lastDescriptor = SandboxPlan.executableDescriptor
    return request
  }

  /// What there is, or made now; where that fails the next question tries again.
  private func madeTools() throws(SymbolFailure) -> Tools {
    if let tools { return tools }
    let filter: FilterProgram
    do throws(SandboxCompileError) { filter = try FilterCompiler.compile(.symbolWorker) } catch {
      throw .worker(path: path, SystemError("compile its filter (\(error))", EINVAL))
    }
    do throws(SystemError) {
      let thread = try BlockingExecutor(name: "symbols", urgency: .background)
      let made = Tools(thread: BlockingWorker(on: thread), filter: filter)
      tools = made
      return made
    } catch { throw .worker(path: path, error) }
  }
}
