public import ForsettiCore

/// The two modules of ours that work beside every case, and notice what is lost: one calls, writes and publishes in
/// numbered rounds, the other answers and checks the numbers.
public enum HostileNeighbour: String, Sendable, Hashable, CaseIterable {
  case caller, listener

  /// Its ID.
  public var moduleID: String { HostileCase.prefix + "neighbour." + rawValue }

  /// Its key in the hostile host's registry.
  public var entryPoint: String { "neighbour." + rawValue }

  /// Where the caller keeps a value that no other module may read.
  public static let secretKey = "secret"

  /// The event that ends a span of rounds: both say what they have seen of it in `reportEvent`.
  public static let markEvent = HostileNeighbour.caller.moduleID + ".mark"
  /// The caller's numbered events; the last of a span carries `span`.
  public static let tickEvent = HostileNeighbour.caller.moduleID + ".tick"
  /// A round begins with this message, and its answer is the same text back.
  public static let echoMessage = "echo"

  /// Where it says what it has seen of a span.
  public var reportEvent: String { moduleID + ".report" }

  /// Its manifest.
  public var manifest: ModuleManifest {
    let io =
      switch self {
      case .caller:
        [
          IORequirement("rounds", .storage, .readWrite, required: true),
          IORequirement("grants", .security, .read, required: false),
        ]
      case .listener: [] as [IORequirement]
      }
    return ModuleManifest(
      moduleID: moduleID, displayName: rawValue, moduleVersion: SemVer(major: 1, minor: 0, patch: 0),
      moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 2, patch: 0),
      capabilitiesRequested: io.map(\.kind.capability),
      entryPoint: entryPoint, runtimeRequirements: RuntimeRequirements(io: io))
  }
}

/// What a neighbour has seen of a span of rounds, as it crosses the pipe.
public struct NeighbourReport: Sendable, Hashable {
  /// The span's number.
  public var span: Int
  /// Rounds begun by the caller, or events heard by the listener.
  public var count: Int
  /// Calls and messages that failed or stayed without their answer, or events that were missing, doubled, out of order
  /// or of another source.
  public var lost: Int
  /// What the caller's rounds took.
  public var times: LatencyHistogram

  /// Makes a report.
  public init(span: Int, count: Int = 0, lost: Int = 0, times: LatencyHistogram = .init()) {
    self.span = span
    self.count = count
    self.lost = lost
    self.times = times
  }

  /// As the payload of an event.
  public var payload: [String: String] {
    ["span": "\(span)", "count": "\(count)", "lost": "\(lost)", "times": times.text]
  }

  /// Reads a payload; `nil` where it is none.
  public init?(_ payload: [String: String]) {
    func number(_ key: String) -> Int? { payload[key].flatMap { Int($0) } }
    guard let span = number("span"), let count = number("count"), let lost = number("lost"),
      let times = payload["times"].flatMap({ LatencyHistogram($0) })
    else { return nil }
    self.init(span: span, count: count, lost: lost, times: times)
  }
}
