/// How much of the machine and its neighbours a module could harm by what it is allowed, from 0 (it can compute) to 10.
/// A sum of weighted questions, as `systemd-analyze security` has it for services: a number to compare and to hold, no
/// proof.
public struct ModuleExposure: Sendable, Hashable {
  /// One question.
  public struct Question: Sendable, Hashable {
    /// What is asked, in a word or two.
    public var name: String
    /// How much it counts among the others.
    public var weight: Double
    /// From 0, nothing, to 1, all of it.
    public var share: Double
    /// What it is, for this module.
    public var answer: String
  }

  /// What a score means.
  public enum Level: String, Sendable, Hashable {
    case low, medium, high, extreme
  }

  /// The module.
  public let moduleID: String
  /// All questions, in the order in which they are asked.
  public let questions: [Question]

  /// The sum, to a tenth.
  public var score: Double {
    let (sum, all) = questions.reduce((0, 0)) { ($0.0 + $1.weight * $1.share, $0.1 + $1.weight) }
    return all == 0 ? 0 : (sum / all * 100).rounded() / 10
  }

  /// The score in a word.
  public var level: Level {
    switch score {
    case ..<2: .low
    case ..<4: .medium
    case ..<7: .high
    default: .extreme
    }
  }

  /// What counts most, heaviest first; what counts nothing is left out.
  public var heaviest: [Question] {
    questions.filter { $0.share > 0 }.enumerated().sorted { left, right in
      let (one, other) = (
        left.element.weight * left.element.share, right.element.weight * right.element.share
      )
      return one != other ? one > other : left.offset < right.offset
    }.map(\.element)
  }

  /// Asks a policy about a module.
  public init(of module: LintedModule, by policy: Policy) {
    moduleID = module.manifest.moduleID
    let questioner = ExposureQuestions(module, policy)
    questions = questioner.all
  }
}
