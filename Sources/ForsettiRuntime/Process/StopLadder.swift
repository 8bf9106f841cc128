public import ForsettiCore
import Glibc

/// How a module is ended, as data: steps from the polite one up, each with the time it is given.
/// SIGKILL always follows the last step and is no step itself.
public struct StopLadder: Sendable, Hashable {
  /// One step.
  public struct Step: Sendable, Hashable {
    /// What is done.
    public var means: Means
    /// How long the module has before the next step.
    public var time: Duration

    /// Makes a step.
    public init(_ means: Means, time: Duration) {
      self.means = means
      self.time = time
    }
  }

  /// What a step does.
  public enum Means: Sendable, Hashable {
    /// Sends the stop frame, so that the module's own `stop` runs.
    case stopFrame
    /// Sends a signal, which no module can handle.
    case signal(Int32)
  }

  /// The steps, in order; an empty ladder is SIGKILL at once.
  public var steps: [Step]

  /// Makes a ladder of any steps.
  public init(steps: [Step]) { self.steps = steps }

  /// The usual ladder: the stop frame, then SIGTERM, each with the policy's time.
  public init(_ deadlines: PhaseDeadlines = PhaseDeadlines()) {
    steps = [
      Step(.stopFrame, time: .milliseconds(deadlines.stop)),
      Step(.signal(SIGTERM), time: .milliseconds(deadlines.terminate)),
    ]
  }
}
