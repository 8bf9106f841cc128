/// Whether text may carry colour; the marks themselves are plain, so nothing is said by colour alone.
struct TextStyle: Equatable {
  var isColoured: Bool

  /// For files, pipes and NO_COLOR.
  static let plain = TextStyle(isColoured: false)

  /// A check that passed.
  var pass: String { paint("✓", 32) }
  /// A check that failed.
  var fail: String { paint("✗", 31) }
  /// A check that somebody else answers, or that was not reached.
  var open: String { paint("·", 2) }

  func bold(_ text: String) -> String { paint(text, 1) }
  func dim(_ text: String) -> String { paint(text, 2) }
  func red(_ text: String) -> String { paint(text, 31) }
  func yellow(_ text: String) -> String { paint(text, 33) }
  func green(_ text: String) -> String { paint(text, 32) }

  private func paint(_ text: String, _ code: Int) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Columns padded to the widest cell; the last one is left as it is.
func columns(_ rows: [[String]], indent: String = "  ", gap: Int = 2) -> String {
  var widths: [Int] = []
  for row in rows {
    for (column, cell) in row.enumerated() {
      if column == widths.count { widths.append(0) }
      widths[column] = max(widths[column], displayWidth(cell))
    }
  }
  return rows.map { row in
    var line = indent
    for (column, cell) in row.enumerated() {
      line += cell
      guard column < row.count - 1 else { break }
      line += String(repeating: " ", count: widths[column] - displayWidth(cell) + gap)
    }
    return line + "\n"
  }.joined()
}

/// Characters on screen, colour sequences not counted.
private func displayWidth(_ text: String) -> Int {
  var width = 0
  var inSequence = false
  for character in text {
    if character == "\u{1B}" {
      inSequence = true
    } else if inSequence {
      inSequence = character != "m"
    } else {
      width += 1
    }
  }
  return width
}
