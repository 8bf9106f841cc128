/// The orders that were given, oldest first.
struct CommandBook: Sendable {
  private(set) var commands: [MDMCommand] = []
  /// Those whose effect on the device is still to come.
  private var unsettled: [MDMCommand] = []
  private var given = 0
  private let seed: UInt64

  /// So many are kept.
  static let limit = 10_000

  init(seed: UInt64) { self.seed = seed }

  /// Gives an order.
  mutating func send(
    _ type: MDMCommandType, to managementID: String, device: Int, _ client: MDMCommand.ClientType, now: Int64
  ) -> MDMCommand {
    given += 1
    var dice = Dice(seed: seed, .command, given)
    let command = MDMCommand(
      uuid: dice.uuid(), managementID: managementID, device: device, clientType: client, type: type,
      fate: MDMCommand.Fate(device: device), sent: now)
    if commands.count == Self.limit { commands.removeFirst() }
    commands.append(command)
    unsettled.append(command)
    return command
  }

  /// The orders that have come to their end by now, each once, in the order of their ends.
  mutating func takeSettled(now: Int64) -> [MDMCommand] {
    let settled = unsettled.filter { $0.settles <= now }
    guard !settled.isEmpty else { return [] }
    unsettled.removeAll { $0.settles <= now }
    return settled.sorted { $0.settles < $1.settles }
  }
}
