/// One picture of `top`: lines that fit a terminal of some size. Pure.
struct TopScreen {
  /// Columns and rows of a terminal.
  struct Size: Equatable {
    var columns: Int
    var rows: Int
  }

  let rates: TopRates
  let size: Size

  /// The lines, each of at most `columns` characters, at most `rows` of them. The third is the table's header.
  var lines: [String] {
    let table = table.split(separator: "\n")
    // The headline, an empty line, the header, and at the end how many are left out.
    let room = max(0, size.rows - 3)
    let shown = table.count - 1 <= room ? table.count - 1 : max(0, room - 1)
    var lines = [headline, ""] + table.prefix(1 + shown).map(String.init)
    if shown < table.count - 1 { lines.append("… and \(counted(table.count - 1 - shown, "module")) more") }
    return lines.prefix(max(0, size.rows)).map { String($0.prefix(max(0, size.columns))) }
  }

  /// The table; where it is too wide the IDs lose of their beginning, which modules of one maker share.
  private var table: String {
    let rows = rates.modules.map(row)
    let whole = columns([Self.header] + rows, indent: "")
    let excess = (whole.split(separator: "\n").first?.count ?? 0) - size.columns
    let longest = rates.modules.map(\.moduleID.count).max() ?? 0
    guard excess > 0, longest > Self.shortestID else { return whole }
    let limit = max(Self.shortestID, longest - excess)
    return columns(
      [Self.header] + rows.map { [Self.shortened($0[0], to: limit)] + $0.dropFirst() }, indent: "")
  }

  /// Characters of an ID that stay.
  private static let shortestID = 20

  private static func shortened(_ id: String, to limit: Int) -> String {
    id.count > limit ? "…" + id.suffix(limit - 1) : id
  }

  private var headline: String {
    let active = rates.modules.count { $0.state == "active" }
    let calls = rates.modules.reduce(0) { $0 + $1.calls }
    return
      "Forsetti \(escaped(rates.state)), \(active) of \(counted(rates.modules.count, "module")) active, up "
      + "\(StatusTable.duration(rates.uptimeMilliseconds)); supervisor \(Self.bytes(rates.memoryBytes)), "
      + "\(Self.percent(rates.processor)) CPU; \(Self.short(calls)) calls/s; q quits"
  }

  private static let header = [
    "MODULE", "STATE", "CALLS/S", "FAILED/S", "EVENTS/S", "BYTES/S", "P50", "P99", "MEMORY", "CPU",
    "RESTARTS",
  ]

  private func row(_ module: TopRates.Module) -> [String] {
    [
      escaped(module.moduleID), escaped(module.state), Self.short(module.calls), Self.short(module.failures),
      Self.short(module.events), Self.short(module.bytes), Self.time(module.median), Self.time(module.p99),
      Self.bytes(module.memoryBytes), Self.percent(module.processor), String(module.restarts),
    ]
  }

  /// Three digits and a letter: `0`, `4.2`, `917`, `12.3k`, `4.1M`.
  static func short(_ value: Double) -> String {
    for (bound, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] where value >= bound {
      return decimalText(value / bound, places: 1) + letter
    }
    return value == 0 || value >= 10 ? decimalText(value, places: 0) : decimalText(value, places: 1)
  }

  private static func bytes(_ value: Int?) -> String {
    value.map { decimalText(Double($0) / 1_048_576, places: 1) + " MiB" } ?? "-"
  }

  private static func percent(_ value: Double?) -> String {
    value.map { decimalText($0 * 100, places: 1) + " %" } ?? "-"
  }

  private static func time(_ microseconds: Int?) -> String {
    guard let microseconds else { return "-" }
    return microseconds < 1000
      ? "\(microseconds) µs" : decimalText(Double(microseconds) / 1000, places: 1) + " ms"
  }
}
