// More than anybody can take.
extension HostileSuite {
  static let floods: [HostileCase] = [
    HostileCase(
      "event-flood", "publishes fifty thousand events as fast as it can", program: "flood_events",
      .survives(saying: "published 50000")),
    HostileCase(
      "call-flood", "calls twenty thousand times and reads no answer", program: "flood_calls",
      .survives(saying: "called"), needs: [storage]),
    HostileCase(
      "message-flood", "sends two thousand messages", program: "flood_messages",
      .survives(saying: "refused 2000")),
    HostileCase(
      "log-flood", "logs twenty thousand lines", program: "flood_log", .survives(saying: "logged")),
    HostileCase(
      "megabyte-line", "writes a line of 1 MiB", program: "print_line_of_a_megabyte",
      .survives(saying: "printed")),
  ]
}
