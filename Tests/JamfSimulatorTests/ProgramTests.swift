import ForsettiTestKit
import Foundation
import Testing

/// The program itself, which the scripts of Tests/Python start.
@Suite struct ProgramTests {
  private struct Outcome {
    var status: Int32
    var output: String
  }

  private static let checkout = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
  /// Beside the running tests.
  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "jamf-simulator")

  /// Runs a script in the checkout's virtual environment (`make venv`) and waits for it.
  private func run(_ script: String) throws -> Outcome {
    let words = [
      Self.checkout.appending(path: ".venv/bin/python").path,
      Self.checkout.appending(path: "Tests/Python/\(script)").path, Self.program.path,
    ]
    let (status, output) = try SpawnedProgram.run(words, errors: true)
    return Outcome(status: status, output: String(decoding: output, as: UTF8.self))
  }

  @Test("clients that others wrote log in, page, filter, read and give orders, unpatched") func clients()
    throws
  {
    let outcome = try run("jamf_clients.py")
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test(
    "it says where it listens, ends when told even amid an answer, cuts answers off, and refuses what is wrong"
  )
  func program() throws {
    let outcome = try run("jamf_program.py")
    #expect(outcome.status == 0, "\(outcome.output)")
  }
}
