import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The records package of the deployment tracker") struct RecordsPackageTests {
  private static let state = DeploymentSeed.state()
  private static let package = RecordsPackage(state)

  private static func text(_ path: String) throws -> String {
    String(decoding: try #require(package.files.first { $0.path == path }).bytes, as: UTF8.self)
  }

  @Test("has all that the demo holds, each file once, and the same bytes each time")
  func files() throws {
    #expect(
      Self.package.files.map(\.path) == [
        "audit.csv", "business.json", "catalogue.json", "devices.csv", "devices.json", "exceptions.csv",
        "exceptions.json", "exports.json", "fields.json", "layouts.json", "preloads.json", "projects.csv",
        "projects.json", "service-desk.json", "submissions.json", "workflow.csv",
      ])
    #expect(RecordsPackage(Self.state).files == Self.package.files)
    #expect(try Self.text("devices.csv").split(separator: "\r\n").count == 121)
    #expect(try Self.text("audit.csv").split(separator: "\r\n").count == 55)
    #expect(try JSONParser.parse(Array(Self.text("devices.json").utf8)).root.elements?.count == 120)
    #expect(try JSONParser.parse(Array(Self.text("projects.json").utf8)).root.elements?.count == 6)
    #expect(try Self.text("workflow.csv").hasPrefix("From,To,Gate\r\nreceived,cataloged,catalog\r\n"))
  }

  @Test("keeps a text of a device from being a formula")
  func formulas() {
    var device = DeploymentTestData.device(.received)
    device.details[.model] = "=HYPERLINK(1)"
    let files = RecordsPackage(DeploymentTestData.state(device)).files
    let devices = files.first { $0.path == "devices.csv" }.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(devices?.contains(",'=HYPERLINK(1),") == true)
  }

  @Test("has a manifest by which each file, and the whole, can be checked")
  func manifest() async throws {
    let digests = try await RecordsDigests(of: Self.package, by: FakeHash().sha256)
    let file = Self.package.manifest(digests, names: ["audit.csv": "A-audit.csv"], version: 3, at: 0)
    let root = try JSONParser.parse(file.bytes).root
    #expect(file.path == "manifest.json")
    #expect(root["version"]?.integerValue == 3)
    #expect(root["createdAt"]?.stringValue == "1970-01-01T00:00:00.000Z")
    #expect(root["externalDataChanged"]?.boolValue == false)
    #expect(root["devices"]?.integerValue == 120)
    let listed = try #require(root["files"]?.elements)
    #expect(listed.count == Self.package.files.count)
    for (entry, file) in zip(listed, Self.package.files) {
      #expect(entry["path"]?.stringValue == file.path)
      #expect(entry["bytes"]?.integerValue == Int64(file.bytes.count))
      #expect(entry["sha256"]?.stringValue == digests.files[file.path])
    }
    #expect(listed[0]["writtenAs"]?.stringValue == "A-audit.csv")
    #expect(root["sha256"]?.stringValue == digests.whole)
  }

  @Test(
    "a file's name is told apart from its ending", arguments: [("a.csv", "a", "csv"), ("a-b", "a-b", "")])
  func parts(path: String, name: String, ending: String) {
    let parts = RecordsPackage.File(path: path, bytes: []).parts
    #expect(parts.name == name)
    #expect(parts.ending == ending)
  }
}
