import ForsettiCore
import Glibc
import Synchronization
import Testing

@testable import ForsettiIPC
@testable import ForsettiModuleKit

/// A module's context with the test as its supervisor: it lets every subscription stand, hands events in, and keeps what
/// the module publishes.
@MainActor final class ModuleWire {
  let context: ForsettiContext
  let outlet = Outlet()
  private let calls: ModuleCalls
  private let output: ModuleOutput
  private let reader: Int32
  private var decoder = FrameDecoder()
  private var answered = 0

  /// Keeps the types of events; publishing waits while `isHeld`.
  final class Outlet: ModuleOutlet {
    private let kept = Mutex<[String]>([])
    private let held = Mutex(false)

    var events: [String] { kept.withLock { $0 } }
    var isHeld: Bool {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }

    func log(_ level: LogLevel, _ message: String, metadata: [String: String]) {}

    nonisolated(nonsending) func publish(_ event: PublishMessage) async throws(ForsettiContextError) {
      kept.withLock { $0.append(event.type) }
      while isHeld, !Task.isCancelled { await Task.yield() }
    }
  }

  init(_ manifest: ModuleManifest, grants: [Capability] = []) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    reader = ends[0]
    output = ModuleOutput(descriptor: ends[1])
    calls = ModuleCalls(output: output)
    context = ForsettiContext(manifest: manifest, grants: grants, outlet: outlet, calls: calls)
  }

  isolated deinit {
    close(reader)
    close(output.descriptor)
  }

  /// Runs what subscribes, and answers each subscription.
  func subscribing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    var isDone = false
    let task = Task { @MainActor in
      defer { isDone = true }
      try await body()
    }
    while !isDone {
      try answerSubscriptions()
      try Task.checkCancellation()
      await Task.yield()
    }
    try await task.value
  }

  private func answerSubscriptions() throws {
    _ = output.flush()
    let count = decoder.withWritableBuffer { read(reader, $0.baseAddress, $0.count) } ?? 0
    decoder.didRead(max(0, count))
    var open: [UInt64] = []
    while let frame = try decoder.next() {
      if frame.header.kind == .call { open.append(frame.header.callID) }
    }
    for callID in open {
      answered += 1
      var writer = CBORWriter()
      try answered.encode(into: &writer)
      calls.receiveReply(callID, writer.bytes.span)
    }
  }

  /// Hands in an event as it comes from the supervisor.
  func deliver(_ type: String, _ payload: [String: String] = [:], from source: String?) throws {
    var head = CBORWriter()
    try EventHead(type: type, delivery: EventHead.Delivery(source: source, time: 1)).encode(into: &head)
    var bytes = CBORWriter()
    try payload.encode(into: &bytes)
    try context.events.receive(head.bytes.span, bytes.bytes.span)
  }

  /// Lets everything go on that can, until the test's time is over.
  func until(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: @MainActor () -> Bool
  ) async {
    while !condition() {
      guard !Task.isCancelled else {
        Issue.record("it has not come about; published: \(outlet.events)", sourceLocation: sourceLocation)
        return
      }
      await Task.yield()
    }
  }
}
