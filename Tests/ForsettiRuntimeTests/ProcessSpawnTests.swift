import ForsettiCore
import ForsettiTestKit
import Glibc
import Testing

@testable import ForsettiRuntime

/// Between the wish for a process and the process there is a thread, and whatever else happens meanwhile.
@ReactorActor @Suite("A module process that is being spawned", .timeLimit(.minutes(1)))
struct ProcessSpawnTests {
  enum End: CaseIterable {
    case stop, kill
  }

  /// Whether a process runs whose command line has this text.
  private func isRunning(_ text: String) throws -> Bool {
    let folder = try #require(opendir("/proc"))
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard Int32(name) != nil, let descriptor = try? Descriptor.open("/proc/\(name)/cmdline", O_RDONLY)
      else {
        continue
      }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor.number, &bytes, bytes.count)
      if count > 0, String(decoding: bytes[..<count], as: UTF8.self).contains(text) { return true }
    }
    return false
  }

  @Test("ends when it is asked to, and leaves no child and no descriptor", arguments: End.allCases)
  func ended(end: End) async throws {
    let subject = try Subject([.hang])
    let path = try #require(subject.child?.path)
    let before = openDescriptors()
    let launch = Task { @ReactorActor in await subject.launchError() }
    // Either comes first, and both are right.
    await Task.yield()
    if end == .kill { subject.process.kill() } else { _ = await subject.process.stop() }
    let exit = await subject.process.exit()
    #expect([.stopped, .supervisorShutdown].contains(exit.reason))
    #expect(await launch.value != nil)
    #expect(try !isRunning(path))
    await ModuleProcess.whenLetGo()
    #expect(openDescriptors() <= before)
    #expect(subject.exits.items.count == 1)
  }

  @Test("hears all that its child says, however much else the reactor does meanwhile")
  func busyReactor() async throws {
    // In each piece a child is made and speaks; and it is longer than a turn lets jobs run, so that descriptors get
    // their turn between any two.
    let busy = Task { @ReactorActor in
      for _ in 0..<200 where !Task.isCancelled {
        let end = ReactorClock.shared.now &+ 50_000_000
        while ReactorClock.shared.now < end {}
        await Task.yield()
      }
    }
    defer { busy.cancel() }
    for _ in 0..<5 {
      let subject = try Subject([.awaitFrame, .send(.refused(.badSetUp("no filter"))), .exit(77)])
      let launch = Task(executorPreference: Reactor.shared) { await subject.launchError() }
      #expect(await launch.value != nil)
      // Whose first word is lost times out instead.
      #expect(subject.exits.items.map(\.reason) == [.exitedEarly(code: 77)])
    }
  }

  @Test("is not launched twice") func twice() async throws {
    let subject = try Subject([.hang])
    let (results, ends) = AsyncStream<ModuleManagerError?>.makeStream()
    for _ in 0..<2 { Task { @ReactorActor in ends.yield(await subject.launchError()) } }
    var iterator = results.makeAsyncIterator()
    // The other one waits for a child that says nothing.
    let first = await iterator.next(isolation: ReactorActor.shared)
    guard case .startFailed?? = first else {
      Issue.record("a second launch was let through: \(String(describing: first))")
      return
    }
    _ = await subject.process.stop()
    #expect(subject.exits.items.count == 1)
  }
}
