import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct ReportExportTests {
  private static func device(_ name: String) -> ReportDevice {
    var device = ReportDevice(domain: .computers, type: .mac, confidence: .reported)
    (device.name, device.serialNumber, device.model) = (name, "C02", "Mac mini (2023)")
    (device.osVersion, device.enrollmentDate, device.isManaged) = ("15.6", "2026-03-05", true)
    return device
  }

  private static func result(_ names: [String], name: String = "Counts") -> ReportResult {
    ReportResult(
      ReportDefinition(name: name, grouping: .model),
      on: FleetSnapshot(devices: names.map(device), takenAt: 0, warnings: ["Departments <missing>"]))
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("CSV has the columns of a report, its days, and no formula") func csv() {
    let documents = ReportFormat.csv.documents(of: Self.result(["=1+1", "a"])).map(Self.text)
    #expect(
      documents == [
        """
        Device Type,Name,Serial Number,Model,Model Identifier,OS Version,Enrollment Date,Building,Department,Room,\
        Managed,Supervised,Source Confidence\r
        Mac,'=1+1,C02,Mac mini (2023),,15.6,2026-03-05,,,,Yes,,Reported\r
        Mac,a,C02,Mac mini (2023),,15.6,2026-03-05,,,,Yes,,Reported\r

        """
      ])
  }

  @Test("JSON has all rows, over several documents where one would be too large") func json() throws {
    let names = (0..<50).map { "Mac \($0)" }
    let documents = ReportJSON.documents(of: Self.result(names), rowLimit: 1_000)
    #expect(documents.count > 2)
    var rows: [String] = []
    for (index, document) in documents.enumerated() {
      let root = try JSONParser.parse(document).root
      #expect(root["part"]?["number"]?.integerValue == Int64(index + 1))
      #expect(root["part"]?["of"]?.integerValue == Int64(documents.count))
      #expect(root["total"]?.integerValue == 50)
      #expect(root["figures"]?["types"]?.elements?.first?["count"]?.integerValue == 50)
      #expect(root["takenAt"]?.stringValue == "1970-01-01T00:00:00.000Z")
      rows += (root["rows"]?.elements ?? []).compactMap { $0.elements?[1].stringValue }
    }
    #expect(rows == names)
  }

  @Test("an empty report has one document in every form", arguments: ReportFormat.allCases)
  func empty(format: ReportFormat) {
    #expect(format.documents(of: Self.result([])).count == 1)
  }

  @Test("Markdown has the figures, a table of types, and cells that stay cells") func markdown() {
    let text = ReportMarkdown.text(of: Self.result(["a|b\n# x", "[x](y)"]))
    #expect(text.contains("Total Devices: 2\n"))
    #expect(text.contains("| Type | Count |\n| --- | --- |\n| Mac | 2 |"))
    #expect(text.contains("## By Model\n"))
    #expect(text.contains("| a\\|b<br>\\# x |"))
    #expect(text.contains("\\[x\\](y)"))
    #expect(text.contains("> Departments \\<missing\\>"))
  }

  @Test("HTML has charts, loads nothing, and a device's name is no markup") func html() {
    let text = ReportHTML.text(of: Self.result(["<script>alert('x')</script>"], name: "A & <b>"))
    #expect(text.contains("<title>A &amp; &lt;b&gt;</title>"))
    #expect(text.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"))
    #expect(!text.contains("<script"))
    #expect(text.contains("default-src 'none'"))
    #expect(text.occurrences(of: "<svg ") == 5)
    #expect(text.contains("pathLength=\"100\" stroke-dasharray=\"100.00 0.00\" stroke-dashoffset=\"25.00\""))
  }

  @Test("people's documents show the first rows, and say how many there are") func caps() {
    let result = Self.result((0..<501).map { "Mac \($0)" })
    #expect(ReportMarkdown.text(of: result).contains("The first 500 of 501"))
    #expect(!ReportMarkdown.text(of: result).contains("Mac 500"))
    #expect(ReportHTML.text(of: result).contains("The first 300 of 501"))
    #expect(ReportFormat.csv.documents(of: result).map(Self.text).joined().contains("Mac 500"))
  }

  @Test("a pie's slices follow each other round, and none of them is drawn for nothing") func pie() {
    let svg = SVGChart.text(
      .pie,
      [
        ReportCount(label: "a", count: 1), ReportCount(label: "b", count: 0),
        ReportCount(label: "c", count: 2),
      ],
      title: "t")
    #expect(svg.contains("stroke-dasharray=\"33.33 66.67\" stroke-dashoffset=\"25.00\""))
    #expect(svg.contains("stroke-dasharray=\"66.67 33.33\" stroke-dashoffset=\"-8.33\""))
    #expect(svg.occurrences(of: "<circle") == 2)
    #expect(svg.contains("b: 0"))
  }

  @Test("a chart of nothing can be drawn", arguments: ReportChart.allCases) func nothing(kind: ReportChart) {
    #expect(SVGChart.text(kind, [], title: "t").contains("</svg>"))
    #expect(SVGChart.text(kind, [ReportCount(label: "a", count: 0)], title: "t").contains("</svg>"))
  }

  @Test(
    "a file's name begins with the report's",
    arguments: [
      ("Device Counts: HQ", "forsetti-report-device-counts-hq"), ("  ", "forsetti-report-devices"),
      ("../../etc", "forsetti-report-etc"), ("Zoë 15+", "forsetti-report-zo-15"),
    ])
  func prefix(name: String, expected: String) { #expect(ReportFormat.prefix(of: name) == expected) }
}

extension String {
  /// How often a text is in it.
  fileprivate func occurrences(of part: String) -> Int { ranges(of: part).count }
}
