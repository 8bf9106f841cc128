import ForsettiCore
import ForsettiHostileSet
import ForsettiRuntime

/// The modules beside a hostile one: two of ours that work all the time, and the user's, which are asked whether they
/// still answer.
@ReactorActor
final class Neighbourhood {
  /// What the neighbours have seen since the last look.
  struct Span: Sendable, Hashable {
    /// Rounds of call, message and event that were begun.
    var rounds = 0
    /// What was lost of them, and how often a module of the user did not answer.
    var lost = 0
    /// What a round took.
    var times = LatencyHistogram()
    /// Who did not answer.
    var silent: [String] = []
  }

  private static let patience = Duration.seconds(5)

  private let manager: ModuleManager
  private let observations: Observations
  private let userModuleIDs: [String]
  private var number = 0

  /// - Parameter userModuleIDs: those that were active when the test began.
  init(_ manager: ModuleManager, _ observations: Observations, userModuleIDs: [String]) {
    self.manager = manager
    self.observations = observations
    self.userModuleIDs = userModuleIDs
  }

  /// Ends the span that began with the last call, and says what was seen of it.
  func endSpan() async -> Span {
    number += 1
    let number = number
    let place = observations.count
    var span = Span()
    do throws(ServiceError) {
      try manager.publish(
        HostileNeighbour.markEvent, payload: ["span": "\(number)"],
        inTheNameOf: HostileNeighbour.caller.moduleID)
    } catch {
      span.silent.append(HostileNeighbour.caller.moduleID)
      span.lost += 1
    }
    for neighbour in HostileNeighbour.allCases where span.silent.isEmpty {
      guard let report = await report(of: neighbour, number, from: place) else {
        span.silent.append(neighbour.moduleID)
        span.lost += 1
        continue
      }
      if neighbour == .caller { (span.rounds, span.times) = (report.count, report.times) }
      span.lost += report.lost
    }
    for id in userModuleIDs {
      do throws(ServiceError) { try await manager.health(moduleID: id) } catch {
        span.silent.append(id)
        span.lost += 1
      }
    }
    return span
  }

  private func report(
    of neighbour: HostileNeighbour, _ number: Int, from place: Int
  ) async -> NeighbourReport? {
    let seen = await observations.first(from: place, within: Self.patience) { observation in
      observation.event.map {
        $0.type == neighbour.reportEvent && NeighbourReport($0.payload)?.span == number
      }
        ?? false
    }
    return seen?.event.flatMap { NeighbourReport($0.payload) }
  }
}
