internal import ForsettiModuleKit

/// A report as one page of HTML with its charts inside: no script, and nothing that it would have to load.
enum ReportHTML {
  /// Rows at most.
  static let rowLimit = 300

  static func text(of result: ReportResult) -> String {
    let title = escaped(result.definition.name)
    var page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>\(style)</style>
      </head>
      <body>
      <h1>\(title)</h1>
      <p>\(escaped(result.definition.summary)). Taken at \(timestampText(result.takenAt)).</p>

      """
    for warning in result.warnings { page += "<p class=\"warning\">\(escaped(warning))</p>\n" }
    page += "<p><strong>\(result.devices.count)</strong> devices</p>\n<div class=\"charts\">\n"
    for section in ReportSection.all(of: result) {
      page += "<section>\n<h2>\(escaped(section.title))</h2>\n"
      page += SVGChart.text(section.chart, section.counts, title: section.title)
      page += "</section>\n"
    }
    page += "</div>\n<h2>Devices</h2>\n"
    if let note = result.note(ofFirst: rowLimit) { page += "<p>\(note)</p>\n" }
    page += "<table>\n" + row(ReportField.columns.map(\.title), "th")
    for device in result.devices.prefix(rowLimit) {
      page += row(ReportField.columns.map { device.text(of: $0) ?? "" }, "td")
    }
    return page + "</table>\n</body>\n</html>\n"
  }

  private static let style = """
    body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#1d2430;background:#fff}\
    table{border-collapse:collapse;font-size:13px}th,td{text-align:left;padding:.3rem .6rem;\
    border-bottom:1px solid #d8dee8}.charts{display:flex;flex-wrap:wrap;gap:2rem}.warning{color:#8a4b00}\
    svg text{font:12px system-ui,sans-serif;fill:#1d2430}
    """

  private static func row(_ cells: [String], _ tag: String) -> String {
    "<tr>" + cells.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined() + "</tr>\n"
  }

  /// A text from a device is never markup, in text and in attributes alike.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar.isUnfitForDisplay ? " " : scalar)
      }
    }
    return escaped
  }
}
