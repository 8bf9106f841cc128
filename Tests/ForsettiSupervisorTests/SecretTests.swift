import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `secret` of the real program, before a supervisor whose module is one of the tests' own.
@Suite(.timeLimit(.minutes(2))) struct SecretTests {
  typealias Status = ForsettiSupervisor.ExitStatus

  /// Settings of a terminal that shows what is typed.
  private static func echoes(_ terminal: PseudoTerminal) -> Bool {
    terminal.settings.c_lflag & tcflag_t(ECHO) != 0
  }

  @Test("list shows the policy's words, for people and for programs")
  func list() async throws {
    let vault = try await Vault()
    let text = try await vault.ask("list")
    #expect(
      text.status == 0 && text.output.contains("account   An account  com.example.vault   active"), "\(text)")
    let json = try await vault.ask("list", "--json")
    #expect(json.output.hasPrefix(#"{"secrets":[{"secretID":"account","title":"An account","#), "\(json)")
    #expect(json.output.contains(#"{"fieldID":"password","label":"Password","kind":"secret","choices":[],"#))
    await vault.end()
  }

  @Test("set hands over what comes on standard input, once; the log and the audit log know no value of it")
  func input() async throws {
    let vault = try await Vault()
    let taken = try await vault.ask(
      "set", "account", "--field", "user=me", "--stdin", input: #"{"password": "sesame-\u00e9"}"#)
    #expect(taken.status == 0 && taken.output == "com.example.vault has taken account\n", "\(taken)")
    _ = await vault.supervisor.errors(containing: "took account of me, 9 bytes")
    let json = try await vault.ask(
      "set", "account", "--stdin", "--json", input: #"{"user": "me", "password": "sesame"}"#)
    #expect(json.output == #"{"secretID":"account","moduleID":"com.example.vault"}"# + "\n")

    let refused = try await vault.ask(
      "set", "account", "--stdin", input: #"{"user": "me", "password": "wrong-sesame"}"#)
    #expect(refused.status == Status.dataError.rawValue, "\(refused)")
    #expect(refused.errors.contains("com.example.vault refused it: the server takes no •••"), "\(refused)")

    let errors = await vault.end()
    let audit = try vault.read("state/audit-log/audit.jsonl")
    for text in [errors, audit] { #expect(!text.contains("sesame"), "\(text)") }
    #expect(audit.contains(#""event":"entrusted""#) && audit.contains(#""outcome":"accepted""#), "\(audit)")
    #expect(audit.contains("the server takes no •••"))
    #expect(audit.contains(#""actor":"operator:\#(geteuid())""#))
  }

  @Test("a module that dies of a secret is reported without it, and the next one is taken")
  func crash() async throws {
    let vault = try await Vault()
    let fatal = try await vault.ask(
      "set", "account", "--stdin", input: #"{"user": "me", "password": "fatal-sesame"}"#)
    #expect(fatal.status == Status.unavailable.rawValue, "\(fatal)")
    var report = ""
    while report.isEmpty {
      report = try await SupervisorProcess.run(
        ["crashes", "show", "latest", "--json", "--state", vault.scratch("state")]
      ).output
    }
    #expect(report.contains("com.example.vault") && !report.contains("sesame"), "\(report)")
    await vault.end()
  }

  @Test(
    "what is not right is refused with what was wrong, and where",
    arguments: [
      (["set", "acount", "--stdin"], "{}", Status.dataError, "did you mean \"account\"?"),
      (["set", "account", "--stdin"], "{}", .usage, "\"user\" must be filled in"),
      (["set", "account", "--stdin"], "[]", .usage, "no object of JSON"),
      (["set", "account", "--stdin"], "{\"user\": \"sesame", .usage, "no JSON at line 1"),
      (["set", "account", "--stdin"], #"{"user": 7}"#, .usage, "\"user\" is no text"),
      (
        ["set", "account", "--stdin"], #"{"user": "a", "password": "b", "mode": "c"}"#, .usage,
        "\"mode\" is one of a few choices"
      ),
      (["set", "account", "--stdin", "--field", "user=a"], #"{"user": "a"}"#, .usage, "given twice"),
      (
        ["set", "account", "--stdin", "--field", "password=a"], "{}", .usage,
        "every user of this host can read"
      ),
      (["set", "account"], "", .usage, "nobody is here to be asked"),
      (
        ["set", "stranger", "--stdin"], #"{"f": "sesame"}"#, .unavailable,
        "com.example.nobody is not active"
      ),
    ] as [([String], String, Status, String)])
  func refused(words: [String], input: String, status: Status, why: String) async throws {
    let vault = try await Vault()
    let end = try await vault.ask(words, input: input)
    #expect(end.status == status.rawValue && end.errors.contains(why), "\(end)")
    #expect(!end.errors.contains("sesame"))
    await vault.end()
  }

  @Test("the console asks for them in the policy's words, and hands them over for a page of its own alone")
  func console() async throws {
    let vault = try await Vault(#""console": {"listen": "127.0.0.1:0"},"#)
    let shown = try await SupervisorProcess.run(["console", "--url", "--state", vault.scratch("state")])
    let url = try #require(ConsoleURL(shown.output))
    let session = try #require(url.signIn())
    #expect(url.status("GET", "/api/secrets") == 401)
    let http = LoopbackHTTP(port: url.port)
    #expect(http.exchange("GET", "/api/secrets", session)?.body.contains(#""title":"An account""#) == true)
    let account = #"{"secretID": "account", "values": {"user": "me", "password": "sesame", "mode": ""}}"#
    #expect(url.status("POST", "/api/setSecret", session, body: account) == 200)
    _ = await vault.supervisor.errors(containing: "took account of me, 6 bytes")
    let wrong = http.exchange(
      "POST", "/api/setSecret", session, body: account.replacingOccurrences(of: "sesame", with: "wrong"))
    #expect(wrong?.status == 409 && wrong?.body.contains("takes no •••") == true)
    let strange = session.filter { $0.key != "X-Forsetti-CSRF" }
    #expect(url.status("POST", "/api/setSecret", strange, body: account) == 403)
    // What is no order of the pages is none of the console's.
    for operation in ["accept", "reload", "shutdown", "call"] {
      #expect(url.status("POST", "/api/\(operation)", session, body: "{}") == 404, "\(operation)")
    }
    await vault.end()
    let audit = try vault.read("state/audit-log/audit.jsonl")
    #expect(
      audit.contains(#""operation":"setSecret""#) && audit.contains(#""through":"console""#), "\(audit)")
    #expect(!audit.contains("sesame"))
  }

  @Test("asks on a terminal, and shows nothing of what is secret while it is typed")
  func terminal() async throws {
    let vault = try await Vault()
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let command = try terminal.run(Product.supervisor, vault.words(["set", "account", "--field", "mode=a"]))
    await terminal.output { $0.contains("An account, for com.example.vault\r\nUser: ") }
    #expect(Self.echoes(terminal))
    terminal.write("me\n")
    await terminal.output { $0.hasSuffix("Password: ") }
    #expect(!Self.echoes(terminal))
    terminal.write("sesame\n")
    await terminal.output { $0.contains("com.example.vault has taken account\r\n") }
    #expect(await command.end().status == 0)
    #expect(Self.echoes(terminal))
    #expect(!terminal.text.contains("sesame"), "\(terminal.text)")
    _ = await vault.supervisor.errors(containing: "took account of me, 6 bytes")
    await vault.end()
  }

  @Test("of what is pasted for a secret the first line counts, and the rest is not left to the shell")
  func pasted() async throws {
    let vault = try await Vault()
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let command = try terminal.run(
      Product.supervisor, vault.words(["set", "account", "--field", "user=me", "--field", "mode="]))
    await terminal.output { $0.hasSuffix("Password: ") }
    terminal.write("sesame\nrm important\nmore")
    await terminal.output { $0.contains("com.example.vault has taken account\r\n") }
    #expect(await command.end().status == 0)
    _ = await vault.supervisor.errors(containing: "took account of me, 6 bytes")
    // A line of the shell's own ends what may be left of one.
    terminal.write("x\n")
    await terminal.output { $0.hasSuffix("x\r\n") }
    #expect(terminal.unread == 2)
    await vault.end()
  }

  @Test(
    "takes several lines on a terminal where the policy says so, up to an empty one, and shows none of them")
  func lines() async throws {
    let vault = try await Vault()
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let command = try terminal.run(Product.supervisor, vault.words(["set", "key", "--field", "user=me"]))
    await terminal.output { $0.hasSuffix("Key (several lines, then an empty one): ") }
    #expect(!Self.echoes(terminal))
    terminal.write("-----BEGIN\nsesame\n-----END\n\n")
    await terminal.output { $0.contains("com.example.vault has taken key\r\n") }
    #expect(await command.end().status == 0)
    #expect(Self.echoes(terminal))
    #expect(!terminal.text.contains("sesame") && !terminal.text.contains("BEGIN"), "\(terminal.text)")
    // With the end of its last line.
    _ = await vault.supervisor.errors(containing: "took key of me, 27 bytes")
    await vault.end()
  }

  @Test(
    "a signal while it asks ends it, and leaves the terminal as it was", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal(signal: Int32) async throws {
    let vault = try await Vault()
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let command = try terminal.run(Product.supervisor, vault.words(["set", "account", "--field", "user=a"]))
    // The optional choice before it is passed over.
    await terminal.output { $0.contains("Mode (a, b; optional): ") }
    terminal.write("\n")
    await terminal.output { $0.hasSuffix("Password: ") }
    #expect(!Self.echoes(terminal))
    terminal.write("ses")
    kill(command.processID, signal)
    let end = await command.end()
    #expect(end.isSignal && end.status == signal)
    #expect(Self.echoes(terminal))
    await vault.end()
  }

  @Test("stopped and continued, it shows again what is typed in between, and asks anew")
  func stopped() async throws {
    let vault = try await Vault()
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let command = try terminal.run(
      Product.supervisor, vault.words(["set", "account", "--field", "user=a", "--field", "mode="]))
    await terminal.output { $0.hasSuffix("Password: ") }
    kill(command.processID, SIGTSTP)
    await terminal.output { $0.hasSuffix("Password: \r\n") }
    var stop = siginfo_t()
    #expect(waitid(P_PID, id_t(command.processID), &stop, WSTOPPED | WNOWAIT) == 0)
    #expect(Self.echoes(terminal))
    kill(command.processID, SIGCONT)
    await terminal.output { $0.hasSuffix("Password: \r\nPassword: ") }
    #expect(!Self.echoes(terminal))
    terminal.write("\u{4}")
    await terminal.output { $0.contains("nothing was changed") }
    #expect(await command.end().status == Status.temporaryFailure.rawValue)
    await vault.end()
  }
}
