import ForsettiBlocking
import ForsettiCore
import Foundation
import Glibc
import Synchronization
import Testing

@testable import ForsettiServices

/// Digests of nothing, as the first digits of SHA-256 tell it.
private let nothing = "e3b0c442"

@Suite("Shares of bodies that wait for their digest") struct BodySharesTests {
  /// Takes in bodies, one after the other; how many of each module there was room for.
  private func taken(_ wishes: [(module: String, bodies: Int)]) -> [Int] {
    var shares = BodyShares()
    return wishes.map { wish in (0..<wish.bodies).count { _ in shares.take(for: wish.module) } }
  }

  @Test("one module alone has as many as it may have requests under way")
  func alone() { #expect(taken([("a", 40)]) == [BodyShares.most]) }

  @Test("whatever others have, what is kept for a module is its own")
  func kept() {
    let others = (0..<20).map { ("module \($0)", 40) }
    #expect(taken(others) == [BodyShares.most] + Array(repeating: BodyShares.kept, count: 19))
  }

  @Test("more than what is kept is had only while all have less than the total")
  func total() {
    #expect(taken([("a", 6), ("b", 6), ("c", 40), ("d", 40), ("a", 1)]) == [6, 6, 4, 4, 0])
  }

  @Test("each that is given back makes room for one, and nothing is given back twice")
  func givenBack() {
    var shares = BodyShares()
    func takes(_ count: Int) -> Int { (0..<count).count { _ in shares.take(for: "a") } }
    #expect(takes(BodyShares.most + 1) == BodyShares.most)
    shares.giveBack(for: "a")
    shares.giveBack(for: "b")
    #expect(takes(2) == 1)
    for _ in 0..<(BodyShares.most + 2) { shares.giveBack(for: "a") }
    #expect(takes(40) == BodyShares.most)
  }
}

@Suite("Digests of bodies in parts", .timeLimit(.minutes(1))) struct BodyDigesterTests {
  @Test("a module whose bodies all wait fails with one more, and no other module does")
  func ownBudget() async throws {
    let executor = try BlockingExecutor(name: "digests")
    let digester = BodyDigester(on: { executor })
    let gate = Pipe()
    // The thread stands still until one too many of each has failed.
    async let closed: Void = BlockingWorker(on: executor).run { _ = gate.fileHandleForReading.availableData }
    let ends = await withTaskGroup(of: (String, String).self) { group in
      for (module, bodies) in [("greedy", BodyShares.most + 1), ("other", BodyShares.kept)] {
        for _ in 0..<bodies {
          group.addTask {
            do { return (module, try await digester.digest([], for: module)) } catch {
              return (module, "\(error)")
            }
          }
        }
      }
      var ends: [(String, String)] = []
      for await end in group {
        ends.append(end)
        if ends.count == 1 { gate.fileHandleForWriting.write(Data([1])) }
      }
      return ends
    }
    await closed
    #expect(ends[0].0 == "greedy" && ends[0].1.contains("wait for their digest"))
    #expect(ends.dropFirst().allSatisfy { $0.1.hasPrefix(nothing) })
    #expect(try await digester.digest([], for: "greedy").hasPrefix(nothing))
  }

  @Test("the thread is made with the first body, and once")
  func thread() async throws {
    let made = Mutex(0)
    let digester = BodyDigester { () throws(SystemError) in
      made.withLock { $0 += 1 }
      return try BlockingExecutor(name: "digests")
    }
    #expect(made.withLock { $0 } == 0)
    for module in ["a", "b"] {
      #expect(try await digester.digest([], for: module).hasPrefix(nothing))
    }
    #expect(made.withLock { $0 } == 1)
  }

  @Test("where there is no thread to be had the request fails, and the next one tries again")
  func noThread() async throws {
    let isShort = Mutex(true)
    let digester = BodyDigester { () throws(SystemError) in
      if isShort.withLock({ $0 }) { throw SystemError("pthread_create", EAGAIN) }
      return try BlockingExecutor(name: "digests")
    }
    for _ in 0...BodyShares.most {
      await #expect(throws: ServiceError.self) { try await digester.digest([], for: "a") }
    }
    isShort.withLock { $0 = false }
    #expect(try await digester.digest([], for: "a").hasPrefix(nothing))
  }
}
