import Foundation
import Testing

@testable import ForsettiSupervisor

/// The completions, each run by its own shell and asking the real program.
@Suite(.timeLimit(.minutes(1))) struct CompletionTests {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// Completes the last of some words; it finds them in its arguments.
    var script: String {
      switch self {
      case .bash:
        """
        source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _forsetti_supervisor
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      // What zsh's completion calls to show what it was given, and files.
      case .zsh:
        """
        _describe() { print -rl -- ${(P)2} }; _files() { print FILES }
        words=("$@"); CURRENT=$#; source "$0"
        """
      case .fish: "source $argv[1]; complete -C \"$argv[2..]\""
      }
    }

    var options: [String] { self == .fish ? ["--no-config"] : self == .zsh ? ["-f"] : [] }
  }

  /// Names that the shell would offer, without what it says of them.
  private static func complete(_ shell: Shell, _ words: String...) async throws -> Set<String> {
    let programs = (Product.supervisor as NSString).deletingLastPathComponent
    // fish keeps things in its home, and would make one that is not there.
    let home = try Scratch()
    let end = try await SupervisorProcess.run(
      shell.options + ["-c", shell.script, Product.checkout + "/packaging/forsetti-supervisor.\(shell)"]
        + ["forsetti-supervisor"] + words, executable: "/usr/bin/\(shell)",
      environment: ["PATH": programs + ":/usr/bin:/bin", "HOME": home.path])
    let separator: Character = shell == .fish ? "\t" : ":"
    return Set(end.output.split(separator: "\n").map { String($0.prefix { $0 != separator }) })
  }

  @Test("offers every command", arguments: Shell.allCases)
  func commands(shell: Shell) async throws {
    #expect(try await Self.complete(shell, "") == Set(CommandName.allCases.map(\.rawValue)))
  }

  @Test("offers the options of a command, and no others", arguments: Shell.allCases)
  func options(shell: Shell) async throws {
    for command in [CommandName.run, .explain, .top] {
      let names = Option.allCases.filter { $0.commands.contains(command) }.map { "--" + $0.rawValue }
      #expect(try await Self.complete(shell, command.rawValue, "--") == Set(names), "\(command)")
    }
  }

  @Test(
    "offers the values of an option that has few, and what may follow a command", arguments: Shell.allCases)
  func values(shell: Shell) async throws {
    #expect(try await Self.complete(shell, "run", "--spin", "") == Set(SpinMode.allCases.map(\.rawValue)))
    #expect(try await Self.complete(shell, "crashes", "") == ["list", "show"])
    #expect(try await Self.complete(shell, "secret", "") == ["list", "set"])
    #expect(try await Self.complete(shell, "help", "").count == CommandName.allCases.count)
  }

  @Test("offers the modules of the supervisor that runs", arguments: Shell.allCases)
  func modules(shell: Shell) async throws {
    let scratch = try Scratch()
    let supervisor = try await SupervisorProcess.booted(in: scratch)
    for command in ["restart", "logs"] {
      let modules = try await Self.complete(shell, command, "--state", scratch("state"), "")
      #expect(modules == Set(ReportedBoot.order), "\(command)")
    }
    #expect(try await Self.complete(shell, "restart", "--state", "/nonexistent", "").isEmpty)
    supervisor.send(SIGTERM)
    #expect(await supervisor.end().status == 0)
  }
}
