/// Writes OpenMetrics text 1.0: families one after the other, each with its help and type, `# EOF` at the end. It knows the
/// grammar and nothing of what is measured.
struct OpenMetricsWriter {
  /// The types that are used here; their names are the format's.
  enum Kind: String {
    case counter, gauge, histogram, info, stateset
  }

  /// Bytes of a piece, at the least, but for the last.
  private let pieceSize: Int
  private var piece: [UInt8] = []
  /// Whole pieces; together they are the text.
  private(set) var pieces: [String] = []
  private var family = ""

  init(pieceSize: Int = 32_768) { self.pieceSize = pieceSize }

  /// Begins a family; its samples follow.
  mutating func begin(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
    family = name
    piece += "# TYPE \(name) \(kind.rawValue)\n".utf8
    if let unit { piece += "# UNIT \(name) \(unit)\n".utf8 }
    piece += "# HELP \(name) \(Self.escaped(help))\n".utf8
  }

  /// One sample of the family that was begun last.
  /// - Parameter suffix: such as `_total` of a counter.
  mutating func sample(_ suffix: String = "", _ labels: [(String, String)], _ value: some MetricValue) {
    piece += family.utf8
    piece += suffix.utf8
    if !labels.isEmpty {
      let text = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      piece += "{\(text)}".utf8
    }
    piece += " \(value.metricText)\n".utf8
    if piece.count >= pieceSize { cut() }
  }

  /// Ends the text.
  mutating func end() {
    piece += "# EOF\n".utf8
    cut()
  }

  private mutating func cut() {
    pieces.append(String(decoding: piece, as: UTF8.self))
    piece.removeAll(keepingCapacity: true)
  }

  /// Backslash, quote and line end have a meaning in a label's value and in a help text; nothing else has.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// A number as OpenMetrics writes it.
protocol MetricValue {
  var metricText: String { get }
}

extension Int: MetricValue {
  var metricText: String { String(self) }
}

extension UInt64: MetricValue {
  var metricText: String { String(self) }
}

extension Double: MetricValue {
  /// Swift's shortest text that reads back as the same number, which is a number of OpenMetrics too.
  var metricText: String { String(self) }
}
