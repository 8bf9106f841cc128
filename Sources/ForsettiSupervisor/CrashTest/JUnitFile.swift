import ForsettiRuntime
import ForsettiCore
import Glibc

/// A report as JUnit XML, which every CI server shows.
enum JUnitFile {
  /// Writes it, in place of what was there.
  static func write(_ report: CrashTestReport, to path: String) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure(
        status: .cannotCreate, message: "cannot write \(path): \(SystemError.text(of: errno))")
    }
    defer { close(descriptor) }
    try OutputStream(descriptor: descriptor, environment: [:]).write(text(of: report))
  }

  /// The document. Pure.
  static func text(of report: CrashTestReport) -> String {
    let rows = report.syscalls ?? []
    let failures = report.results.count - report.containedCount + rows.count { !$0.unexpected.isEmpty }
    let leftovers = report.excess
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuite name=\"forsetti crash-test\" tests=\"\(report.results.count + rows.count + 1)\" "
    text += "failures=\"\(failures + (leftovers.isEmpty ? 0 : 1))\">\n"
    for result in report.results {
      let seconds = decimalText(
        (result.facts.detectMilliseconds + (result.facts.recoverMilliseconds ?? 0)) / 1_000, places: 6)
      text += testCase(result.hostileCase.name, seconds, result.problems, result.reason)
    }
    for row in rows {
      text += testCase(
        "syscalls \(row.mode.rawValue) \(row.policy)", "0", row.unexpected.map(\.description),
        "calls that are not as planned")
    }
    text += testCase("nothing-left-behind", "0", leftovers, "what the supervisor holds")
    return text + "</testsuite>\n"
  }

  private static func testCase(
    _ name: String, _ seconds: String, _ problems: [String], _ reason: String
  ) -> String {
    let head = "  <testcase classname=\"crash-test\" name=\"\(escapedXML(name))\" time=\"\(seconds)\""
    guard !problems.isEmpty else { return head + "/>\n" }
    return head + ">\n    <failure message=\"\(escapedXML(reason))\">"
      + escapedXML(problems.joined(separator: "\n")) + "</failure>\n  </testcase>\n"
  }

  /// Text for an attribute or an element; what XML 1.0 can't carry is shown by its number.
  private static func escapedXML(_ text: String) -> String {
    escaped(text).unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
