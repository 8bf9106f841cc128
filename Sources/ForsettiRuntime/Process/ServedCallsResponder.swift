import CLinux
import ForsettiCore
import ForsettiSandbox
import Glibc

/// Answers the calls that one module's filter hands over. What the answer is, `ServedCalls` knows; this reads the
/// caller's memory, keeps the time and does what was answered.
@ReactorActor final class ServedCallsResponder {
  /// What the owner must know.
  enum Report: Sendable, Hashable {
    /// The set-up is over: the child is undumpable and holds no descriptor but its own.
    case tailPassed
    case sandboxFailed(step: SandboxLayer, errno: Int32)
    case violation(Violation)
  }

  private let listener: SeccompListener
  private let descriptor: Descriptor
  private var files: ChildFiles
  /// Whether an exec was let through after which the files were not opened anew: they show the memory before it.
  private var areFilesStale = false
  private let processID: pid_t
  private let lastDescriptor: Int32
  private let executablePath: String
  private let clock: any RuntimeClock
  /// Where answers are counted, if somebody does.
  private let meter: ModuleMeter?
  private let report: @ReactorActor (Report) -> Void
  private let audit: ModuleAudit?
  private var calls: ServedCalls
  /// Where a violation was made.
  private var violationFrame: CrashFrame?
  /// Why the files were not opened anew after an exec; 0 where they were.
  private var blindness: Int32 = 0
  private var source: EventSource?

  init(
    listener: consuming Descriptor, files: consuming ChildFiles, calls: ServedCalls, processID: pid_t,
    lastDescriptor: Int32, executablePath: String, clock: any RuntimeClock, audit: ModuleAudit? = nil,
    meter: ModuleMeter? = nil,
    report: @escaping @ReactorActor (Report) -> Void
  ) {
    self.listener = SeccompListener(descriptor: listener.number)
    self.descriptor = listener
    self.files = files
    self.calls = calls
    self.lastDescriptor = lastDescriptor
    self.executablePath = executablePath
    self.processID = processID
    self.clock = clock
    self.audit = audit
    self.meter = meter
    self.report = report
  }

  /// Answers given so far, and those that had to wait.
  var counts: (answered: UInt64, delayed: UInt64) { (calls.answered, calls.delayed) }

  /// How many descriptors the child has open.
  var openDescriptors: Int? { (try? files.openDescriptors())?.count }

  /// What of its files shows what it uses; `nil` when it is gone, or no descriptor is to be had.
  func gauge(of process: pid_t) -> ProcessGauge? { try? files.gauge(of: process) }

  /// What a report says of its calls.
  var remains: ProcessRemains.CallRemains {
    ProcessRemains.CallRemains(
      counts: calls.counts, delayed: calls.delayed, violation: violationFrame, blindness: blindness)
  }

  func start(on reactor: Reactor) throws(SystemError) {
    source = try reactor.watch(descriptor.number, for: .readable) { [unowned self] ready in
      if ready.contains(.readable) { serveNext() } else { stop() }
    }
  }

  /// Ends the service; answers that still wait are given up.
  func stop() {
    source?.cancel()
    source = nil
  }

  /// One call a wake: a receive with none waiting would block the reactor, and epoll tells of the next.
  private func serveNext() {
    do {
      guard let call = try listener.receive() else { return }
      // The first call after the exec is the new program's, or the host says why there is none.
      executableRuns()
      answer(call, path: nil)
    } catch {
      stop()
      report(.sandboxFailed(step: .listener, errno: error.errno))
    }
  }

  private func answer(_ call: SeccompNotification, path: String?) {
    let now = clock.now
    let reply = calls.answer(call, path: path, now: now)
    switch reply.answer {
    case .needsPath(let argument):
      let text = files.text(at: call.arguments[argument])
      // Only if the call still waits was that the caller's memory.
      guard path == nil, listener.isWaiting(call.id) else { return }
      answer(call, path: text ?? "")
    // What leaves no record is not let through.
    case .audited where audit?.isOpen == true:
      audit?.record(violation(call, path: path), wasLetThrough: true)
      give(reply, to: call, now: now)
    case .violation, .audited: refuse(call, path: path)
    default: give(reply, to: call, now: now)
    }
  }

  private func refuse(_ call: SeccompNotification, path: String?) {
    let violation = violation(call, path: path)
    violationFrame = frame(at: call.instructionPointer)
    audit?.record(violation, wasLetThrough: false)
    report(.violation(violation))
  }

  private func give(_ reply: ServedReply, to call: SeccompNotification, now: UInt64) {
    meter?.counts.servedCalls &+= 1
    guard let due = reply.notBefore, due > now else { return give(reply.answer, to: call) }
    clock.schedule(after: .nanoseconds(Int64(clamping: due - now))) { [weak self] in
      self?.giveLate(reply.answer, to: call)
    }
  }

  /// An audit that was closed while the call waited lets it through no more.
  private func giveLate(_ answer: ServedAnswer, to call: SeccompNotification) {
    guard source != nil else { return }
    if answer == .audited, audit?.isOpen != true { return refuse(call, path: nil) }
    give(answer, to: call)
  }

  private func give(_ answer: ServedAnswer, to call: SeccompNotification) {
    guard source != nil else { return }
    switch answer {
    case .continue, .audited: settle(listener.continue(call.id), call)
    case .errno(let number): settle(listener.fail(call.id, errno: number), call)
    case .addDescriptor(let path): addDescriptor(of: path, to: call)
    case .setUpTail(.notDumpable): finishSetUp(call)
    case .setUpTail(.execute): letExecute(call)
    case .setUpTail(.executableNotDumpable): settle(listener.continue(call.id), call)
    case .needsPath, .violation: return
    }
  }

  /// The supervisor's own constant path, opened anew for each caller; never the module's string.
  private func addDescriptor(of path: ConstantPath, to call: SeccompNotification) {
    do {
      let file = try Descriptor.open(path.rawValue, O_RDONLY | O_NOFOLLOW)
      settle(listener.answer(call.id, with: file.number), call)
    } catch {
      settle(listener.fail(call.id, errno: error.errno), call)
    }
  }

  /// The last look at the child before it closes itself to the world.
  private func finishSetUp(_ call: SeccompNotification) {
    guard let open = try? files.openDescriptors(), open.allSatisfy({ $0 <= lastDescriptor }) else {
      return report(.sandboxFailed(step: .closeDescriptors, errno: EBADF))
    }
    if settle(listener.continue(call.id), call), calls.isSetUp { report(.tailPassed) }
  }

  private func letExecute(_ call: SeccompNotification) {
    guard settle(listener.continue(call.id), call) else { return }
    areFilesStale = true
    report(.tailPassed)
  }

  /// A new program runs in the process: its files are opened anew, while it still may be looked into. Where it may not
  /// (an ordinary supervisor, a program that closed itself at once), paths and sizes stay unknown.
  private func executableRuns() {
    guard areFilesStale else { return }
    areFilesStale = false
    do { files = try ChildFiles(of: processID) } catch { blindness = error.errno }
  }

  /// The module has said what it is.
  func programDescribed() {
    executableRuns()
    calls.describe()
  }

  /// A refused answer is the caller's to bear (its table of descriptors is full), and it must not hang for it.
  @discardableResult
  private func settle(_ delivery: SeccompListener.Delivery, _ call: SeccompNotification) -> Bool {
    switch delivery {
    case .delivered: return true
    case .obsolete: return false
    case .failed(let errno):
      _ = listener.fail(call.id, errno: errno)
      return false
    }
  }

  private func violation(_ call: SeccompNotification, path: String?) -> Violation {
    let name = SyscallNames.name(of: call.number)
    var text = path
    if text == nil, let index = ArgumentText.pathIndex(of: name) {
      text = files.text(at: call.arguments[index])
      if !listener.isWaiting(call.id) { text = nil }
    }
    // Where nothing could be read, the pointer says more than an empty path.
    let shown = text.flatMap { $0.isEmpty ? nil : escaped($0) }
    let registers = call.arguments.array
    return Violation(
      syscall: name, number: call.number, arguments: registers,
      decoded: ArgumentText.all(of: name, arguments: registers, path: shown), path: shown,
      instructionPointer: call.instructionPointer)
  }

  /// The caller still waits, so its memory is as it was at the call.
  private func frame(at address: UInt64) -> CrashFrame {
    guard blindness == 0, let base = files.memoryMap()?.base(of: address) else {
      return CrashFrame(address: address)
    }
    return CrashFrame(address: address, file: executablePath, offset: address - base)
  }

  /// Printable ASCII as it is, everything else by its code point: a path is the module's text.
  private func escaped(_ text: String) -> String {
    let all = text.unicodeScalars.reduce(into: "") { result, scalar in
      if (0x20..<0x7f).contains(scalar.value), scalar != "\\" {
        result.unicodeScalars.append(scalar)
      } else {
        result += scalar.escaped(asASCII: true)
      }
    }
    return String(all.prefix(256))
  }
}
