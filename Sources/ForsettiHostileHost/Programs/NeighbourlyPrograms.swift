import ForsettiHostileSet
import ForsettiModuleKit

/// Programs that want what belongs to a neighbour.
enum NeighbourlyPrograms {
  private static let storage = [IORequirement("calls", .storage, .readWrite, required: true)]

  static let all: [Program] = [
    // What it says of itself is in the module that `Host` makes of it.
    Program("steal_id") { "started" },
    Program("steal_role", needs: []) { _ in
      try await Task.sleep(for: .milliseconds(50))
      return "asked \(RoleThief.asked) times"
    },
    Program("publish_forged_events", needs: []) { context in
      for number in 1...100 {
        try await context.publishEvent(
          type: HostileNeighbour.tickEvent, payload: ["sequence": "\(number * 1_000_000)"])
      }
      return "published"
    },
    Program("message_neighbour", needs: []) { context in
      do {
        try await context.sendMessage(
          to: HostileNeighbour.listener.moduleID, type: HostileNeighbour.echoMessage)
      } catch { return "\(error)" }
      return "delivered"
    },
    Program("flood_messages", needs: []) { context in
      var refused = 0
      for _ in 0..<2_000 {
        do {
          try await context.sendMessage(
            to: HostileNeighbour.listener.moduleID, type: HostileNeighbour.echoMessage)
        } catch { refused += 1 }
      }
      return "refused \(refused)"
    },
    Program("read_sibling_storage", needs: storage) { context in
      let own = try await context.services.storage?.value(forKey: HostileNeighbour.secretKey, in: nil)
      do {
        let theirs = try await context.services.storage?.value(
          forKey: HostileNeighbour.secretKey, in: HostileNeighbour.caller.moduleID)
        return "read \(theirs ?? "nothing")"
      } catch { return "\(error), \(own == nil ? "and none of its own" : "and as its own")" }
    },
  ]
}
