import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import ForsettiTestKit
import Foundation
import Glibc
import Testing

@testable import ForsettiRuntime

@Suite("A symbol worker", .serialized, .timeLimit(.minutes(2))) struct SymbolWorkerTests {
  private let path = "\(Shipped.buildFolder)/forsetti-symbolizer"

  private func request(_ places: [UInt64]) throws -> SymbolRequest {
    var lockdown = SandboxPlan.symbolWorker.lockdownRequest(
      filter: try FilterCompiler.compile(.symbolWorker), supervisorPID: getpid(), userID: moduleUser)
    lockdown.lastDescriptor = SandboxPlan.executableDescriptor
    return SymbolRequest(lockdown: lockdown, places: places)
  }

  private func open(_ path: String) throws -> Descriptor { try Descriptor.open(path, O_RDONLY).raised() }

  /// Places spread over the code of the worker's own program, each with its function.
  private func functions() throws -> [SymbolAnswer.Function] {
    let file = try open(path)
    return try SymbolWorker.ask(
      request((1...64).map { UInt64($0) << 16 }), path: path, executable: file.number, milliseconds: 60_000
    ).compactMap { $0 }
  }

  @Test("names functions as nm(1) and the toolchain's demangler do") func names() throws {
    let found = try functions()
    #expect(found.count > 8)
    let scratch = try Scratch()
    let list = scratch("list")
    try run("sh", ["-c", "exec nm --defined-only \"$0\" > \"$1\"", path, list])
    var listed: [UInt64: [String]] = [:]
    for line in try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, let address = UInt64(words[0], radix: 16) else { continue }
      listed[address, default: []].append(String(words[2]))
    }
    let origin = try #require(listed.first { $0.value.contains("__ehdr_start") }?.key)
    for function in found {
      let names = try #require(listed[function.start + origin])
      let isMangled = names.contains { $0.hasPrefix("$s") || $0.hasPrefix("_Z") }
      #expect(isMangled || names.contains(function.name), "\(function.name) of \(names)")
    }
    #expect(found.contains { $0.name.contains("(") && !$0.name.hasPrefix("$s") })
  }

  @Test("is locked, undumpable and nobody by the time it has anything to say") func locked() throws {
    let longest = try #require(try functions().max { $0.name.utf8.count < $1.name.utf8.count })
    let input = try Pipe.open(nonBlocking: false)
    let output = try Pipe.open(nonBlocking: false)
    let log = try Descriptor.open("/dev/null", O_WRONLY).raised()
    let file = try open(path)
    let bytes = try request([UInt64](repeating: longest.start, count: 64)).encoded()
    // More than a pipe of one page takes: it stands still while it is looked at.
    #expect(cl_set_pipe_size(output.reader.number, 4_096) >= 0)
    #expect(longest.name.utf8.count > 64)
    #expect(bytes.withUnsafeBytes { write(input.writer.number, $0.baseAddress, $0.count) } == bytes.count)
    var pid: pid_t = 0
    try #require(
      cl_spawn_host(path, input.reader.number, output.writer.number, log.number, file.number, &pid) == 0)
    defer { cl_abandon(pid) }
    _ = consume input
    var polled = pollfd(fd: output.reader.number, events: Int16(POLLIN), revents: 0)
    try #require(poll(&polled, 1, 60_000) == 1)
    let status = try #require(StatusFile(of: pid))
    #expect(status.integer("Seccomp") == 2 && status.integer("Seccomp_filters") == 1)
    #expect(status.integer("NoNewPrivs") == 1)
    #expect(status.integer("CapEff") == 0 && status.integer("CapPrm") == 0)
    #expect(status.integer("Uid") == Int(moduleUser ?? geteuid()))
    #expect(status.integer("Threads") == 1)
    // Undumpable, it can be looked into by root alone.
    let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
    #expect(open.map(Set.init) == (geteuid() == 0 ? ["0", "1", "2", "3", "4", "5"] : nil))
  }

  @Test("can read its executable, answer, and no more: every other call fails") func filter() throws {
    var plan = SandboxPlan.symbolWorker
    // The probe's own: it hears by it when it shall begin.
    plan.kernel.append(SyscallRule("read", [ArgumentCondition(0, "fd", .word(3...3))], because: "a test"))
    let rows = try SyscallMatrix(probePath: "\(Shipped.buildFolder)/forsetti-syscall-probe").run([
      .init(policy: "symbol worker", plan: plan)
    ])
    #expect(Set(rows.map(\.mode)) == Set(ProbedCall.Way.allCases))
    for row in rows { #expect(row.unexpected.isEmpty, "\(row.mode): \(row.unexpected.prefix(8))") }
    let names = Set(SandboxPlan.symbolWorker.kernelNames)
    #expect(
      names.isDisjoint(with: ["open", "openat", "openat2", "execve", "socket", "read", "ppoll", "clone"]))
    #expect(SandboxPlan.symbolWorker.served.isEmpty)
  }

  @Test("that can't lock itself reads nothing and names the step") func refused() throws {
    var request = try request([0x1_0000])
    request.lockdown.filter = [UInt8](repeating: 0xff, count: 16)
    let file = try open(path)
    #expect(throws: SymbolFailure.notLocked(step: .seccomp, errno: EINVAL)) {
      try SymbolWorker.ask(request, path: path, executable: file.number, milliseconds: 60_000)
    }
  }

  @Test(
    "gives no names for what is no executable",
    arguments: ["/dev/null", "/dev/zero", "/etc/passwd", "/proc/self/maps"])
  func noExecutable(file: String) throws {
    let file = try open(file)
    #expect(
      try SymbolWorker.ask(request([0x1_0000, 0]), path: path, executable: file.number, milliseconds: 60_000)
        == [nil, nil])
  }

  /// How a worker that plays a script fails.
  private func failure(_ script: String, milliseconds: Int = 60_000) throws -> SymbolFailure? {
    let worker = try ScriptedChild(text: "#!/bin/sh\n" + script + "\n")
    let file = try open("/dev/null")
    let request = try request([0])
    do throws(SymbolFailure) {
      _ = try SymbolWorker.ask(
        request, path: worker.path, executable: file.number, milliseconds: milliseconds)
      return nil
    } catch { return error }
  }

  @Test("that ends without an answer is told of by how it ended") func ended() throws {
    #expect(try failure("exit 3") == .ended(.exited(code: 3)))
    #expect(try failure("kill -9 $$") == .ended(.signalled(SIGKILL)))
    #expect(try failure("kill -4 $$") == .ended(.signalled(SIGILL)))
  }

  @Test("that does not answer is killed at its deadline, and so is one that only closes its pipe")
  func hanging() throws {
    #expect(try failure("exec sleep 1000", milliseconds: 50) == .timedOut(milliseconds: 50))
    #expect(try failure("exec sleep 1000 4>&-", milliseconds: 500) == .timedOut(milliseconds: 500))
    #expect(waitpid(-1, nil, WNOHANG) <= 0)
  }

  @Test("that hangs holds up those who wait for their turn no longer than itself") @ReactorActor
  func waiting() async throws {
    let scratch = try Scratch()
    let worker = try ScriptedChild(text: "#!/bin/sh\necho >> '\(scratch("starts"))'\nexec sleep 1000\n")
    var hosts = HostExecutable.Store([worker.path])
    let held = hosts.current(worker.path)
    let program = ModuleProgram.host(try #require(held))
    let resolver = SymbolResolver(path: worker.path, userID: nil, milliseconds: 500)
    let questions = (0..<SymbolResolver.mostWaiting).map { _ in
      Reactor.task { () -> SymbolFailure? in
        do throws(SymbolFailure) {
          _ = try await resolver.functions(around: [1], in: program)
          return nil
        } catch { return error }
      }
    }
    for question in questions {
      guard case .timedOut = await question.value else {
        Issue.record("it was answered")
        continue
      }
    }
    let starts = try String(contentsOfFile: scratch("starts"), encoding: .utf8).count { $0 == "\n" }
    #expect(starts < questions.count)
  }

  @Test("that answers rubbish, without end or for another number of places, is not believed") func garbled()
    throws
  {
    #expect(try failure("echo rubbish >&4") == .garbled)
    #expect(try failure("exec cat /dev/zero >&4") == .garbled)
    // An array of none, and of two nulls.
    #expect(try failure(#"printf '\200' >&4"#) == .garbled)
    #expect(try failure(#"printf '\202\366\366' >&4"#) == .garbled)
    #expect(try failure(#"printf '\201\366' >&4"#) == nil)
  }

  @Test("that is not there is named") func absent() throws {
    let file = try open("/dev/null")
    #expect(throws: SymbolFailure.worker(path: "/nowhere", SystemError("posix_spawn", ENOENT))) {
      try SymbolWorker.ask(request([0]), path: "/nowhere", executable: file.number, milliseconds: 60_000)
    }
  }
}
