import Foundation
import Glibc
import Testing

@testable import ForsettiCore
@testable import ForsettiSandbox
@testable import ForsettiSupervisor

/// The unit of packaging/, as far as it can be tried without systemd running.
@Suite struct UnitTests {
  private static let unit = Product.checkout + "/packaging/forsetti-supervisor.service"
  private static let analyze = "/usr/bin/systemd-analyze"

  @Test("leaves an exposure of 2.0 at most, by systemd's own measure")
  func exposure() async throws {
    let end = try await SupervisorProcess.run(
      ["security", "--offline=true", "--threshold=20", "--no-pager", Self.unit], executable: Self.analyze)
    #expect(end.status == 0, "\(end.output.split(separator: "\n").last ?? "")\(end.errors)")
  }

  @Test("has a user, a socket and a folder that systemd understands")
  func companions() async throws {
    for (tool, arguments) in [
      ("/usr/bin/systemd-sysusers", ["--dry-run", Product.checkout + "/packaging/forsetti.sysusers"])
    ] {
      let end = try await SupervisorProcess.run(arguments, executable: tool)
      #expect(end.status == 0 && end.errors.contains("'forsetti'"), "\(end.errors)")
    }
  }

  @Test("a stop of the service leaves the folder that the socket unit listens in")
  func socketStays() throws {
    func value(_ key: String, _ file: String) throws -> String {
      let text = try String(contentsOfFile: Product.checkout + "/packaging/" + file, encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix(key + "=") }
      return String(try #require(line).dropFirst(key.utf8.count + 1))
    }
    let folder = try value("RuntimeDirectory", "forsetti-supervisor.service")
    #expect(try value("ListenStream", "forsetti-supervisor.socket").hasPrefix("/run/\(folder)/"))
    let console = try value("ListenStream", "forsetti-console.socket")
    #expect(ListenAddress(console) == ConsoleCommand.standardAddress)
    #expect(try value("Service", "forsetti-console.socket") == "forsetti-supervisor.service")
    #expect(try value("RuntimeDirectoryPreserve", "forsetti-supervisor.service") == "yes")
  }

  /// The sets that systemd knows, by name: calls and other sets.
  private static func sets() async throws -> [String: [String]] {
    let text = try await SupervisorProcess.run(["syscall-filter", "--no-pager"], executable: analyze).output
    var sets: [String: [String]] = [:]
    var name = ""
    for line in text.split(separator: "\n") {
      let word = line.trimmingCharacters(in: .whitespaces)
      if word.hasPrefix("#") { continue }
      if line.hasPrefix(" ") { sets[name, default: []].append(word) } else { name = word }
    }
    return sets
  }

  private static func calls(_ name: String, _ sets: [String: [String]]) -> Set<String> {
    guard name.hasPrefix("@") else { return [name] }
    return (sets[name] ?? []).reduce(into: []) { $0.formUnion(calls($1, sets)) }
  }

  /// What the unit's lines come to: the first begins an allow list, `~` takes away, the rest adds.
  private static func allowed(_ sets: [String: [String]]) throws -> Set<String> {
    var allowed: Set<String> = []
    for line in try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n") {
      guard line.hasPrefix("SystemCallFilter=") else { continue }
      let text = line.dropFirst("SystemCallFilter=".count)
      let names = text.drop { $0 == "~" }.split(separator: " ").map(String.init)
      let calls = names.reduce(into: Set<String>()) { $0.formUnion(Self.calls($1, sets)) }
      if text.hasPrefix("~") { allowed.subtract(calls) } else { allowed.formUnion(calls) }
    }
    return allowed
  }

  // As root the supervisor gives each module a user, which the unit's own user can't.
  @Test(
    "allows every system call that a boot of the strict set needs, and no privileged one",
    .enabled(if: geteuid() != 0))
  func systemCalls() async throws {
    let sets = try await Self.sets()
    let allowed = try Self.allowed(sets)
    // Denied, these would cost latency and no boot.
    #expect(allowed.isSuperset(of: ["sched_getattr", "sched_setattr", "sched_setaffinity", "setpriority"]))
    #expect(allowed.isDisjoint(with: ["mount", "ptrace", "bpf", "setuid", "init_module"]))
    let denied = Self.calls("@known", sets).subtracting(allowed)
      .filter { SyscallNames.number(of: $0) != nil }
    #expect(denied.count >= 80)
    let scratch = try Scratch()
    let end = try await SupervisorProcess.run(
      [
        denied.sorted().joined(separator: ","), Product.supervisor, "run", "--once", "--json", "--policy",
        Product.strictPolicy, "--state", scratch("state"),
      ], executable: Product.folder + "/forsetti-deny")
    #expect(end.status == 0, "\(end.errors)")
    #expect(try ReportedBoot(end.output).modules.count == 11)
  }
}
