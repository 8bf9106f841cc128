/// One call that a probe makes under a filter: by which way, with which number and registers.
public struct ProbedCall: Sendable, Hashable {
  /// The ways into an x86-64 kernel.
  public enum Way: String, Sendable, Hashable, CaseIterable {
    /// `syscall`, a number of the native table.
    case native
    /// `int 0x80`, a number of the i386 table.
    case i386
    /// `syscall` with bit 30 set, the x32 table.
    case x32
  }

  /// The way.
  public var way: Way
  /// The number as it stands in the register.
  public var number: UInt32
  /// The six registers.
  public var arguments: [UInt64]
  /// What a path argument is to be taken for; the probe's own points nowhere.
  public var path: String?

  init(_ way: Way, _ number: UInt32, _ arguments: [UInt64] = ProbedCall.bad, path: String? = nil) {
    self.way = way
    self.number = number
    self.arguments = arguments
    self.path = path
  }

  /// Arguments that no call does anything with: no descriptor, no address, no length, no known flag.
  static let bad = [UInt64](repeating: .max, count: 6)

  /// Whether the caller doesn't outlive the call where it reaches the kernel, so that it needs a process of its own:
  /// a filter ends whoever comes by a foreign way.
  public var endsCaller: Bool {
    way != .native || isNeverFiltered
      || ["exit", "exit_group"].contains(SyscallNames.name(of: Int32(bitPattern: number)))
  }

  /// Whether the kernel asks no filter about it: uretprobe and uprobe of x86-64, from Linux 6.12 on. They are the second
  /// half of a trap that a tracer set; made by anybody else they end in SIGILL or ENXIO.
  public var isNeverFiltered: Bool { way == .native && (335...336).contains(number) }

  /// The call as a plan sees it.
  public func observed(processID: Int32) -> ObservedCall {
    ObservedCall(
      number: Int32(bitPattern: number), arguments: .init(arguments), processID: processID, thread: processID,
      path: path)
  }
}

extension SandboxPlan {
  /// Every call by which a filter and the table of served calls can be held to this plan: each number of each way
  /// with bad arguments, then each rule at its edges.
  /// - Parameter processID: the process that will make them.
  public func probedCalls(_ way: ProbedCall.Way, processID: Int32) -> [ProbedCall] {
    let numbers = Array(UInt32(0)...1_024)
    switch way {
    case .native:
      // The last one is -1, which a tracer uses for "no call".
      let huge: [UInt32] = [4_095, 65_535, 0x3fff_ffff, .max]
      return (numbers + huge).map { ProbedCall(.native, $0) } + edges(processID: processID)
    case .i386:
      return (numbers + [65_535, 0x7fff_ffff, .max]).map { ProbedCall(.i386, $0) }
    case .x32:
      return (numbers + [65_535, 0x3fff_fffe]).map { ProbedCall(.x32, $0 | 0x4000_0000) }
    }
  }

  private func edges(processID: Int32) -> [ProbedCall] {
    var seen: Set<ProbedCall> = []
    return (kernel + served.map(\.call)).flatMap { rule -> [ProbedCall] in
      guard let good = rule.example(processID: processID) else { return [] }
      return [good] + rule.conditions.flatMap { $0.edges(of: good) }
    }.filter { seen.insert($0).inserted }
  }
}

extension SyscallRule {
  /// A call of this form, otherwise with bad arguments; `nil` where this architecture has none of the name.
  public func example(processID: Int32) -> ProbedCall? {
    guard let number = SyscallNames.number(of: name) else { return nil }
    return conditions.reduce(into: ProbedCall(.native, UInt32(number))) {
      $1.fulfil(&$0, processID: processID)
    }
  }
}

extension ArgumentCondition {
  /// Makes a call's register, or its path, fulfil the condition.
  fileprivate func fulfil(_ call: inout ProbedCall, processID: Int32) {
    // A register that other conditions have set already keeps what they need.
    let isFresh = call.arguments[argument] == .max
    let register = isFresh ? 0 : call.arguments[argument]
    switch test {
    case .equals(let value): call.arguments[argument] = value
    case .onlyBits(let bits): call.arguments[argument] = register & bits
    case .word(let range): call.arguments[argument] = UInt64(range.lowerBound)
    case .wordHasBits(let bits): call.arguments[argument] = register | UInt64(bits)
    case .ownProcess, .ownThread: call.arguments[argument] = UInt64(UInt32(bitPattern: processID))
    case .path(let path): call.path = path
    case .pathBelow(let folder): call.path = folder + "x"
    }
  }

  /// Calls beside a good one: each bit of the register the other way, the high half alone included, and what lies
  /// just within and just outside of a range or a path.
  fileprivate func edges(of good: ProbedCall) -> [ProbedCall] {
    func with(_ value: UInt64) -> ProbedCall {
      var call = good
      call.arguments[argument] = value
      return call
    }
    func with(path: String) -> ProbedCall {
      var call = good
      call.path = path
      return call
    }
    let register = good.arguments[argument]
    let flipped = (0..<64).map { with(register ^ 1 << $0) }
    switch test {
    case .onlyBits(let bits): return flipped + [with(bits), with(~bits), with(bits | 1 << 63)]
    case .word(let range):
      let near = [range.lowerBound &- 1, range.upperBound, range.upperBound &+ 1, 0, .max]
      return flipped + near.flatMap { [with(UInt64($0)), with(UInt64($0) | 0xffff_ffff << 32)] }
    case .path(let path):
      return [with(path: path + "x"), with(path: String(path.dropLast())), with(path: "")]
    case .pathBelow(let folder): return [with(path: folder), with(path: String(folder.dropLast()))]
    case .equals, .wordHasBits, .ownProcess, .ownThread: return flipped
    }
  }
}
