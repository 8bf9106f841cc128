import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("Files of the deployment tracker") struct DeploymentFileTests {
  private static let state = DeploymentSeed.state()

  @Test("an import is looked at: titles find their fields, and devices that are there are known")
  func preview() {
    let text = """
      serialnumber,Serial Number,Device Type,Colour,model
      x, demo-mac-0001 ,mac,red,Mac mini
      x,NEW-1,iPhone,blue,"iPhone, the 16th"
      """
    let preview = ImportPreview(text, format: .csv, in: Self.state)
    #expect(preview.columns.map(\.field) == [nil, .serial, .deviceType, nil, .model])
    #expect(preview.rows.map(\.serial) == ["DEMO-MAC-0001", "NEW-1"])
    #expect(preview.rows.map(\.line) == [2, 3])
    #expect([preview.knownCount, preview.newCount, preview.faultCount] == [1, 1, 0])
    #expect(preview.rows[1].values[.model] == "iPhone, the 16th")
    #expect(preview.issues.map(\.position.column) == [1, 40])
    #expect(preview.issues.allSatisfy { $0.isWarning })
    #expect(preview.issues[0].text.contains("Serial Number"))
  }

  struct FaultySample: Sendable, CustomTestStringConvertible {
    var text: String
    var format = ImportPreview.Format.csv
    /// Line and column of each issue.
    var places: [[Int]]
    var counts: [Int]
    var testDescription: String { text.quoted() }
  }

  private static let faults: [FaultySample] = [
    FaultySample(text: "", places: [[1, 1]], counts: [0, 0]),
    FaultySample(text: "Model\nMac mini", places: [[1, 1]], counts: [0, 0]),
    FaultySample(text: "Serial Number,Serial Number\nA,B", places: [[1, 15]], counts: [1, 0]),
    FaultySample(text: "Model,Serial Number\nx,A\nx, a\nx,", places: [[3, 3], [4, 3]], counts: [1, 2]),
    FaultySample(text: "Serial Number,Model\nA\nB,x,y\nC,z", places: [[2, 1], [3, 1]], counts: [1, 2]),
    FaultySample(text: "Serial Number,Device Type\nA,Watch", places: [[2, 3]], counts: [0, 1]),
    FaultySample(text: "Serial Number,Model\nA,\"a\nb\"\nB,x", places: [[2, 3]], counts: [1, 1]),
    FaultySample(text: "Serial Number\n\"A", places: [[2, 1]], counts: [0, 0]),
    FaultySample(text: "A\n\nB\na", format: .serialList, places: [[4, 1]], counts: [2, 1]),
    FaultySample(text: "A,B", format: .serialList, places: [[1, 1]], counts: [0, 1]),
  ]

  @Test("what is wrong with an import is said by line and column", arguments: faults)
  func places(sample: FaultySample) {
    let preview = ImportPreview(sample.text, format: sample.format, in: Self.state)
    #expect(preview.issues.map { [$0.position.line, $0.position.column] } == sample.places)
    #expect([preview.newCount, preview.faultCount] == sample.counts)
  }

  @Test("a long list of issues is cut short, and counted")
  func manyIssues() {
    let text = "Serial Number\n" + String(repeating: "A\n", count: 100)
    let preview = ImportPreview(text, format: .csv, in: Self.state)
    #expect(preview.issues.count == 50 && preview.moreIssues == 49 && preview.rows.count == 100)
  }

  @Test("the preload file has Jamf's nine columns, and leaves out devices with open blocking exceptions")
  func preload() {
    let (ready, held) = (
      DeploymentTestData.device(.preloadReady, serial: "A"),
      DeploymentTestData.device(.preloadSubmitted, serial: DeploymentTestData.serial)
    )
    let other = DeploymentTestData.device(.delivered, serial: "C")
    let state = DeploymentTestData.state(
      ready, held, other, exceptions: [DeploymentTestData.exception(.blocking)])
    let file = PreloadFile(project: nil, in: state)
    #expect(file.devices.map(\.serial) == ["A"])
    #expect(file.refused.map(\.serial) == [held.serial])
    #expect(
      String(decoding: file.bytes, as: UTF8.self) == """
        Serial Number,Device Type,Username,Full Name,Email Address,Department,Building,PO Number,Vendor\r
        A,Computer,demo.user001,Demo User 001,demo.user001@example.invalid,Sales,Dock A,PO-1,V\r

        """)
    #expect(PreloadFile(project: "Q", in: state).devices.isEmpty)
    #expect(DeploymentDevice.Kind.iPhone.preloadType == "Mobile Device")
  }

  @Test("the service-desk file is whole or none: one fault of one device keeps it from being written")
  func serviceDesk() throws {
    var (good, bad) = (
      DeploymentTestData.device(.serviceDeskReady, serial: "A"),
      DeploymentTestData.device(.serviceDeskReady, serial: "B")
    )
    (good.serviceDesk, bad.serviceDesk) = (.none, .none)
    good.details[.department] = nil
    good.details[.assetTag] = "t-1"
    good.details[.model] = "=HYPERLINK(1)"
    bad.details[.assetTag] = nil
    var file = ServiceDeskFile(project: nil, in: DeploymentTestData.state(good, bad))
    #expect(file.devices.count == 2)
    #expect(file.faults.count == 1 && file.faults[0].hasPrefix("B: Asset Tag"))
    file = ServiceDeskFile(project: "P", in: DeploymentTestData.state(good))
    #expect(file.faults.isEmpty)
    #expect(
      String(decoding: file.bytes, as: UTF8.self) == """
        Asset Tag,Serial Number,Product,Product Type,Site,Department,User Email,Purchase Order\r
        T-1,A,'=HYPERLINK(1),Mac,Dock A,Unassigned,demo.user001@example.invalid,PO-1\r

        """)
  }

  private static let cells: [(String, ServiceDeskFile.Column, String, Bool)] = [
    ("x", ServiceDeskFile.Column(title: "T", field: .model, transform: .uppercase), "X", true),
    ("X", ServiceDeskFile.Column(title: "T", field: .model, transform: .lowercase), "x", true),
    (" x ", ServiceDeskFile.Column(title: "T", field: .model), "x", true),
    ("", ServiceDeskFile.Column(title: "T", field: .model, fallback: "none"), "none", true),
    ("", ServiceDeskFile.Column(title: "T", field: .model), "", true),
    ("", ServiceDeskFile.Column(title: "T", field: .model, isRequired: true), "", false),
    ("xyz", ServiceDeskFile.Column(title: "T", field: .model, limit: 2), "xyz", false),
    ("x", ServiceDeskFile.Column(title: "T", field: .model, allowed: ["y"]), "x", false),
  ]

  @Test("a cell is transformed, filled and judged by its column", arguments: cells)
  func judged(value: String, column: ServiceDeskFile.Column, cell: String, isRight: Bool) {
    var device = DeploymentTestData.device(.serviceDeskReady)
    device.details[.model] = value
    #expect(column.cell(of: device) == cell)
    #expect((column.fault(of: cell) == nil) == isRight)
  }
}
