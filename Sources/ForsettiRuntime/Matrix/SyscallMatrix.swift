public import ForsettiSandbox
import Glibc

/// Proves on the running kernel that a filter and the table of served calls let through what their plan says, no more
/// and no less: a probe makes every call there is, by every way into the kernel (docs/sandbox.md).
///
/// It blocks while the probe runs, some tenths of a second a plan; give it a thread that may.
public struct SyscallMatrix: Sendable {
  /// One plan to hold, and under which name it is reported.
  public struct Subject: Sendable, Hashable {
    /// Policy or direct grant that it comes from.
    public var policy: String
    /// The plan.
    public var plan: SandboxPlan

    /// Makes a subject.
    public init(policy: String, plan: SandboxPlan) {
      self.policy = policy
      self.plan = plan
    }
  }

  /// What came of one plan by one way.
  public struct Row: Sendable, Hashable {
    /// The subject's name.
    public var policy: String
    /// The way into the kernel.
    public var mode: ProbedCall.Way
    /// How many calls were made.
    public var probed: Int
    /// What was not as the plan says; empty where it holds.
    public var unexpected: [Surprise]
  }

  /// A call that ended otherwise than the plan says.
  public struct Surprise: Sendable, Hashable, CustomStringConvertible {
    /// The call.
    public var call: ProbedCall
    /// What the plan says becomes of it.
    public var expected: Fate
    /// What became of it.
    public var seen: Fate

    /// `unshare(0xffff…, …) by native: violation meant, kernel seen`.
    public var description: String {
      let arguments = call.arguments.map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
      return
        "\(name)(\(arguments)) by \(call.way.rawValue): \(expected.rawValue) meant, \(seen.rawValue) seen"
    }

    /// The native name of the number; for the foreign ways the number alone means something.
    public var name: String {
      call.way == .native
        ? SyscallNames.name(of: Int32(bitPattern: call.number)) : "\(call.way.rawValue)_\(call.number)"
    }
  }

  /// What becomes of a call.
  public enum Fate: String, Sendable, Hashable {
    /// The kernel carried it out.
    case kernel
    /// The supervisor answers it.
    case served
    /// The supervisor would end the process.
    case violation
    /// The filter ended the process.
    case killed
    /// The caller did not come back, without the filter's doing.
    case lost
    /// No filter is asked (`ProbedCall.isNeverFiltered`): it does nothing, and no plan can change it.
    case unfiltered
  }

  private let probePath: String

  /// Makes a matrix.
  /// - Parameter probePath: `forsetti-syscall-probe`, beside the supervisor.
  public init(probePath: String) { self.probePath = probePath }

  /// Probes each subject by each way. Subjects with the same lists are probed once, under their names together.
  /// - Throws: what keeps the probe from running at all; what it finds is in the rows.
  public func run(_ subjects: [Subject]) throws(SyscallMatrixError) -> [Row] {
    var rows: [Row] = []
    for subject in Self.distinct(subjects) {
      let filter: FilterProgram
      do { filter = try FilterCompiler.compile(subject.plan) } catch { throw .filter(error) }
      for mode in ProbedCall.Way.allCases { rows.append(try run(subject, mode, filter: filter)) }
    }
    return rows
  }

  /// Probes one subject by one way under a filter, which need not be its own: a test shows that another is found out.
  func run(
    _ subject: Subject, _ mode: ProbedCall.Way, filter: FilterProgram
  ) throws(SyscallMatrixError) -> Row {
    var unexpected: [Surprise] = []
    var remaining: [ProbedCall]?
    var probed = 0
    // A call that takes the probe with it is noted, and a new probe goes on behind it.
    repeat {
      let probe = try MatrixProbe(path: probePath)
      let calls = remaining ?? subject.plan.probedCalls(mode, processID: probe.pid)
      let outcomes = try probe.outcomes(of: calls, filter: filter)
      let judge = MatrixJudge(plan: subject.plan, processID: probe.pid)
      for outcome in outcomes {
        let (expected, seen) = (judge.expected(outcome.call), judge.seen(outcome))
        if expected != seen {
          unexpected.append(Surprise(call: outcome.call, expected: expected, seen: seen))
        }
      }
      probed += outcomes.count
      remaining = Self.subtract(outcomes.map(\.call), from: calls)
    } while remaining?.isEmpty == false && unexpected.count < Self.maximumSurprises
    return Row(policy: subject.policy, mode: mode, probed: probed, unexpected: unexpected)
  }

  /// A filter that is wrong all over is found out by as many.
  private static let maximumSurprises = 256

  private static func subtract(_ done: [ProbedCall], from calls: [ProbedCall]) -> [ProbedCall] {
    let done = Set(done)
    return calls.filter { !done.contains($0) }
  }

  private static func distinct(_ subjects: [Subject]) -> [Subject] {
    var found: [Subject] = []
    for subject in subjects {
      let known = found.firstIndex {
        $0.plan.kernel == subject.plan.kernel && $0.plan.served == subject.plan.served
          && $0.plan.audited == subject.plan.audited
      }
      guard let known else {
        found.append(subject)
        continue
      }
      let names = found[known].policy.split(separator: ", ")
      if !names.contains(Substring(subject.policy)) { found[known].policy += ", \(subject.policy)" }
    }
    return found
  }
}

/// Why a matrix could not be run.
public enum SyscallMatrixError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The plan has no filter.
  case filter(SandboxCompileError)
  /// The probe could not be started or spoken to.
  case probe(path: String, SystemError)
  /// The probe ended before its first call: it could not lock itself.
  case notLocked(path: String)

  /// What, where, and the way out, in one line.
  public var description: String {
    switch self {
    case .filter(let error): "\(error)"
    case .probe(let path, let error): "the syscall probe \(path) does not run: \(error); install it again"
    case .notLocked(let path):
      "the syscall probe \(path) could not load its filter: this kernel has no seccomp listener, or another one is "
        + "above us"
    }
  }
}
