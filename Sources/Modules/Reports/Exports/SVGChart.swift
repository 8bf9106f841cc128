/// Charts as SVG, in pixels that scale.
enum SVGChart {
  private static let palette = [
    "#2f6fde", "#1f9d7a", "#d98324", "#b3478c", "#6b5bd2", "#3a9ec2", "#8a9a2b", "#c2503a", "#5d7290",
    "#9a7b4f",
  ]

  /// One chart; its title is read out where pictures are not seen.
  static func text(_ kind: ReportChart, _ counts: [ReportCount], title: String) -> String {
    switch kind {
    case .bar: bars(counts, title)
    case .pie: pie(counts, title)
    }
  }

  private static func bars(_ counts: [ReportCount], _ title: String) -> String {
    let largest = max(1, counts.map(\.count).max() ?? 1)
    // A line a bar: its label, the bar itself, and its number behind it.
    let (line, labelWidth, barWidth) = (24, 190, 220)
    var body = ""
    for (index, count) in counts.enumerated() {
      let top = index * line
      let width = count.count * barWidth / largest
      body += """
        <text x="\(labelWidth - 8)" y="\(top + 16)" text-anchor="end">\(label(count.label))</text>\
        <rect x="\(labelWidth)" y="\(top + 4)" width="\(width)" height="16" rx="3" fill="\(colour(index))"/>\
        <text x="\(labelWidth + width + 6)" y="\(top + 16)">\(count.count)</text>

        """
    }
    return frame(width: labelWidth + barWidth + 60, height: max(line, counts.count * line), title, body)
  }

  /// Circles whose strokes are dashed once: with a length of 100 for the whole way round each dash is a share in percent,
  /// and no angle has to be computed.
  private static func pie(_ counts: [ReportCount], _ title: String) -> String {
    let total = counts.reduce(0) { $0 + $1.count }
    let line = 20
    var body = ""
    var before = 0.0
    for (index, count) in counts.enumerated() {
      let share = total > 0 ? Double(count.count) * 100 / Double(total) : 0
      if count.count > 0 {
        // Strokes begin on the right and would go on clockwise; a quarter back, the first begins at the top.
        body += """
          <circle cx="80" cy="80" r="50" fill="none" stroke="\(colour(index))" stroke-width="40" pathLength="100" \
          stroke-dasharray="\(decimal(share)) \(decimal(100 - share))" stroke-dashoffset="\(decimal(25 - before))"/>

          """
      }
      body += """
        <rect x="175" y="\(index * line + 5)" width="10" height="10" fill="\(colour(index))"/>\
        <text x="191" y="\(index * line + 14)">\(label(count.label)): \(count.count)</text>

        """
      before += share
    }
    return frame(width: 420, height: max(160, counts.count * line), title, body)
  }

  private static func frame(width: Int, height: Int, _ title: String, _ body: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" role="img" width="\(width)" height="\(height)" \
    viewBox="0 0 \(width) \(height)">
    <title>\(ReportHTML.escaped(title))</title>
    \(body)</svg>

    """
  }

  /// What fits beside a bar.
  private static func label(_ text: String) -> String {
    let limit = 26
    let shown =
      text.unicodeScalars.count > limit
      ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…" : text
    return ReportHTML.escaped(shown)
  }

  private static func colour(_ index: Int) -> String { palette[index % palette.count] }

  /// With two places behind the point.
  private static func decimal(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    return (hundredths < 0 ? "-" : "") + "\(whole)." + (rest < 10 ? "0\(rest)" : "\(rest)")
  }
}
