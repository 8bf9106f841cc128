import ForsettiIPC
import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct DiagnosticsViewTests {
  private static func log(_ count: Int) -> EventLog {
    var log = EventLog()
    for number in 0..<count {
      _ = log.add(
        DiagnosticReport(
          source: "a", category: "c", severity: number.isMultiple(of: 2) ? .info : .error,
          message: "m\(number)"))
    }
    return log
  }

  /// Messages in the table of a view, and titles of its buttons.
  private static func shown(_ view: DiagnosticsView, _ log: EventLog) -> (
    messages: [String], buttons: [String]
  ) {
    var messages: [String] = []
    var buttons: [String] = []
    func visit(_ node: ViewNode) {
      switch node {
      case .list(let nodes, _): nodes.forEach(visit)
      case .table(_, let rows):
        messages += rows.compactMap { if case .text(let text, _) = $0[4] { text } else { nil } }
      case .button(let title, _): buttons.append(title)
      default: break
      }
    }
    visit(view.node(log, failures: 0) { "a.\($0)" })
    return (messages, buttons)
  }

  @Test("the newest events come first, a page at a time") func pages() {
    var view = DiagnosticsView()
    let log = Self.log(120)
    #expect(Self.shown(view, log).messages == (70..<120).reversed().map { "m\($0)" })
    #expect(Self.shown(view, log).buttons == ["Older", "JSON", "Markdown"])
    view.page = 2
    #expect(Self.shown(view, log).messages == (0..<20).reversed().map { "m\($0)" })
    #expect(Self.shown(view, log).buttons == ["Newer", "JSON", "Markdown"])
    view.page = Int.max
    #expect(Self.shown(view, log).messages.count == 20)
  }

  @Test("a filter leaves what fulfils it, and an empty log can be drawn") func filter() {
    var view = DiagnosticsView()
    view.query.atLeast = .error
    #expect(Self.shown(view, Self.log(4)).messages == ["m3", "m1"])
    #expect(Self.shown(view, Self.log(0)).messages == [])
  }

  @Test("the fullest view fits through the pipe") func bounds() throws {
    var log = EventLog()
    let text = String(repeating: "x", count: 1_024)
    for _ in 0..<EventLog.limit {
      let metadata = (0..<16).map { ("key\($0)", String(repeating: "y", count: 256)) }
      _ = log.add(
        DiagnosticReport(
          source: text, category: text, severity: .error, message: text,
          metadata: Dictionary(uniqueKeysWithValues: metadata)))
    }
    var writer = CBORWriter()
    try DiagnosticsView().node(log, failures: nil) { $0 }.encode(into: &writer)
    #expect(writer.bytes.count < 1 << 20)
  }
}
