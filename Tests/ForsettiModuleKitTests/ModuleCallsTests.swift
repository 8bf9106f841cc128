import CLinux
import ForsettiCore
import ForsettiIPC
import Glibc
import Testing

@testable import ForsettiModuleKit

/// The table of a module's own calls, over a pipe that the test reads.
@Suite struct ModuleCallsTests {
  private let method = CryptoUtilitiesMethods.sha256

  /// A call's way out.
  private final class Pipe {
    let output: ModuleOutput
    let calls: ModuleCalls
    private let reader: Int32
    private var decoder = FrameDecoder()

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(cl_pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0)
      reader = ends[0]
      output = ModuleOutput(descriptor: ends[1])
      calls = ModuleCalls(output: output)
    }

    deinit {
      Glibc.close(reader)
      Glibc.close(output.descriptor)
    }

    /// The kinds and IDs of the frames that wait.
    func frames() throws -> [(kind: FrameKind, callID: UInt64)] {
      _ = output.flush()
      let count = decoder.withWritableBuffer { read(reader, $0.baseAddress, $0.count) } ?? 0
      decoder.didRead(count)
      var frames: [(FrameKind, UInt64)] = []
      while let frame = try decoder.next() { frames.append((frame.header.kind, frame.header.callID)) }
      return frames
    }

    /// What the loop does with a reply of these bytes.
    func reply(_ callID: UInt64, _ bytes: [UInt8]) throws {
      var writer = CBORWriter()
      try Bytes(bytes).encode(into: &writer)
      calls.receiveReply(callID, writer.bytes.span)
    }

    /// The call that waits, once the task has made it.
    func nextCall() async throws -> UInt64 {
      while true {
        if let frame = try frames().first {
          try #require(frame.kind == .call)
          return frame.callID
        }
        await Task.yield()
      }
    }
  }

  private func start(_ pipe: Pipe, timeout: Duration = .seconds(30)) -> Task<[UInt8], any Error> {
    Task { [calls = pipe.calls] in try await calls.call(method, Bytes([1]), timeout: timeout).bytes }
  }

  @Test("an answer ends its call once; what comes again is counted") func answer() async throws {
    let pipe = try Pipe()
    let task = start(pipe)
    let callID = try await pipe.nextCall()
    #expect(pipe.calls.openCount == 1)
    try pipe.reply(callID, [2])
    #expect(try await task.value == [2])
    try pipe.reply(callID, [3])
    pipe.calls.receiveFailure(callID, .cancelled)
    #expect(pipe.calls.lateAnswers == 2)
    #expect(pipe.calls.openCount == 0)
  }

  @Test("all open calls end when the module's context does, and further ones never begin") func close()
    async throws
  {
    let pipe = try Pipe()
    let tasks = [start(pipe), start(pipe)]
    _ = try await pipe.nextCall()
    while pipe.calls.openCount < 2 { await Task.yield() }
    let reason = ServiceError.serviceUnavailable(role: "", why: "it has stopped")
    pipe.calls.close(reason)
    for task in tasks + [start(pipe)] { await #expect(throws: reason) { try await task.value } }
    #expect(pipe.calls.openCount == 0)
  }

  @Test("a cancelled call sends its cancel after itself, and one that is answered sends none")
  func cancel() async throws {
    let pipe = try Pipe()
    let task = start(pipe)
    let callID = try await pipe.nextCall()
    task.cancel()
    await #expect(throws: ServiceError.cancelled) { try await task.value }
    let frames = try pipe.frames()
    #expect(frames.map(\.kind) == [.cancel])
    #expect(frames.map(\.callID) == [callID])
    let answered = start(pipe)
    try pipe.reply(try await pipe.nextCall(), [2])
    #expect(try await answered.value == [2])
    answered.cancel()
    #expect(try pipe.frames().isEmpty)
  }

  @Test("a call of no time at all is over at the next look") func timeout() async throws {
    let pipe = try Pipe()
    let late = start(pipe, timeout: .zero)
    let callID = try await pipe.nextCall()
    let other = start(pipe)
    let otherID = try await pipe.nextCall()
    let wait = try #require(pipe.calls.expire())
    #expect(29_000_000_000...30_000_000_000 ~= wait)
    await #expect(throws: ServiceError.deadlineExceeded) { try await late.value }
    #expect(try pipe.frames().map(\.callID) == [callID])
    try pipe.reply(otherID, [2])
    #expect(try await other.value == [2])
    #expect(pipe.calls.expire() == nil)
  }
}

@Suite struct CallSlotsTests {
  private func open(_ call: Int, deadline: Int64, in slots: inout CallSlots<Int>) throws -> UInt64 {
    let callID = slots.insert(call, deadline: deadline)
    return try #require(callID)
  }

  @Test("an ID is never used twice in a row, nor 0") func identity() throws {
    var slots = CallSlots<Int>(capacity: 2)
    let first = try open(1, deadline: 10, in: &slots)
    let second = try open(2, deadline: 5, in: &slots)
    let refused = slots.insert(3, deadline: 1)
    #expect(refused == nil)
    #expect(first != 0 && second != 0 && first != second)
    let found1 = slots.remove(first)
    #expect(found1 == 1)
    let found2 = slots.remove(first)
    #expect(found2 == nil)
    let third = try open(3, deadline: 20, in: &slots)
    #expect(third != first)
    let found3 = slots.remove(first)
    #expect(found3 == nil)
    let found4 = slots.remove(0)
    #expect(found4 == nil)
    let found5 = slots.remove(.max)
    #expect(found5 == nil)
    #expect(slots.count == 2)
  }

  @Test("what is due is found, whatever ended before it") func due() throws {
    var slots = CallSlots<Int>(capacity: 100)
    let ids = try (0..<10).map { try open($0, deadline: Int64($0 * 10), in: &slots) }
    #expect(slots.earliest == 0)
    let found6 = slots.remove(ids[0])
    #expect(found6 == 0)
    // The first has left its deadline behind: a look too many, but none too few.
    let found7 = slots.removeDue(at: 5)
    #expect(found7.isEmpty)
    #expect(slots.earliest == 10)
    let found8 = slots.removeDue(at: 30).map(\.call)
    #expect(found8 == [1, 2, 3])
    let found9 = slots.removeDue(at: 30)
    #expect(found9.isEmpty)
    #expect(slots.earliest == 40)
    let found10 = slots.removeAll()
    #expect(found10 == [4, 5, 6, 7, 8, 9])
    #expect(slots.earliest == .max)
    #expect(slots.count == 0)
  }

  @Test("any order of opening and closing keeps every call") func anyOrder() {
    let seed = UInt64.random(in: 0...UInt64.max)
    // Said before anything is tried, for a trap says nothing: with this number in its place the same comes again.
    print("CallSlots.anyOrder: seed \(seed)")
    var generator = SplitMix64(seed: seed)
    var slots = CallSlots<UInt64>(capacity: 50)
    var open: [UInt64: UInt64] = [:]
    for number in 0..<20_000 as Range<UInt64> {
      if Bool.random(using: &generator), let callID = slots.insert(number, deadline: Int64(number)) {
        #expect(open.updateValue(number, forKey: callID) == nil)
      } else if let callID = open.keys.sorted().randomElement(using: &generator),
        let number = open[callID]
      {
        let found11 = slots.remove(callID)
        #expect(found11 == number)
        open[callID] = nil
      }
      #expect(slots.count == open.count, "seed \(seed)")
    }
  }
}

@Suite struct SpinGovernorTests {
  @Test("it looks only where it is allowed, and after a wait that was short") func start() {
    var spin = SpinGovernor()
    spin.didWait(1000)
    #expect(spin.budget == 0)
    spin.isAllowed = true
    #expect(spin.budget == SpinGovernor.limit)
    spin.didWait(SpinGovernor.shortWait + 1)
    #expect(spin.budget == 0)
  }

  @Test("an idle process does not look, nor does one whose looks bring nothing") func giveUp() {
    var spin = SpinGovernor()
    spin.isAllowed = true
    #expect(spin.budget == 0)
    spin.didWait(1000)
    for _ in 0..<2 {
      spin.didMiss()
      #expect(spin.budget > 0)
    }
    spin.didFind()
    for _ in 0..<3 { spin.didMiss() }
    #expect(spin.budget == 0)
    spin.didWait(1000)
    #expect(spin.budget == 0)
    for _ in 0..<40 { spin.didWait(1000) }
    #expect(spin.budget > 0)
    spin.didWait(.max)
    #expect(spin.budget == 0)
  }
  @Test("input that always comes just too late costs little looking") func waste() {
    var spin = SpinGovernor()
    spin.isAllowed = true
    var looked: Int64 = 0
    let rounds: Int64 = 10_000
    for _ in 0..<rounds {
      let budget = spin.budget
      if budget > 0 {
        looked += budget
        spin.didMiss()
      }
      spin.didWait(SpinGovernor.shortWait)
    }
    // Of the time that was spent waiting, in percent.
    #expect(looked * 100 / (rounds * SpinGovernor.shortWait) < 2)
    #expect(looked > 0)
  }
}
