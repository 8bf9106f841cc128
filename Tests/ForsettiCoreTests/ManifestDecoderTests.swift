import Foundation
import ForsettiCore
import Testing

@Suite("Manifest files")
struct ManifestDecoderTests {
  @Test("a valid manifest loads", arguments: ManifestCase.valid)
  func valid(example: ManifestCase) throws {
    let decoded = try ManifestDecoder.decode(bytes: Array(example.text.utf8), file: "a.json")
    let again = try ManifestDecoder.decode(value: decoded.manifest.jsonValue)
    #expect(again == decoded.manifest)
  }

  @Test(
    "an invalid manifest is refused at the value at fault, with the reason", arguments: ManifestCase.invalid)
  func invalid(example: ManifestCase) throws {
    let fault = #expect(throws: ManifestFault.self) {
      try ManifestDecoder.decode(bytes: Array(example.text.utf8), file: "a.json")
    }
    #expect(fault?.pointer == example.fault?.pointer)
    #expect(fault?.reason.contains(example.fault?.reason ?? "?") == true, "\(fault?.reason ?? "")")
    #expect(fault?.file == "a.json")
    #expect((fault?.line ?? 0) >= 1 && (fault?.column ?? 0) >= 1)
  }

  @Test("line and column lead to the value, or to the object that lacks it")
  func places() {
    let wrong = #expect(throws: ManifestFault.self) {
      try ManifestText.service.with(["displayName": #""Ü\u202e""#]).decode()
    }
    #expect(wrong?.line == 5)
    #expect(wrong?.column == 18)
    let nested = #expect(throws: ManifestFault.self) {
      try ManifestText.service.with(["capabilitiesRequested": #"["api", "apo"]"#]).decode()
    }
    #expect(nested?.line == 10)
    #expect(nested?.column == 36)
    let missing = #expect(throws: ManifestFault.self) {
      try ManifestText.service.with(["moduleVersion": #"{"major": 1}"#]).decode()
    }
    #expect(missing?.line == 6)
    #expect(missing?.column == 20)
  }

  @Test("a legacy file decodes to the safe defaults")
  func legacy() throws {
    let manifest = try ManifestText.legacy.decode().manifest
    #expect(manifest.manifestTemplateVersion == "1.0")
    #expect(manifest.defaultModuleRole == nil)
    #expect(manifest.runtimeRequirements == RuntimeRequirements())
    #expect(manifest.runtimeRequirements.ui == nil)
    #expect(manifest.runtimeRequirements.dataIsolation.mode == .privateToModule)
  }

  @Test(
    "unknown keys, a byte order mark, an empty prerelease and a misspelt platform are warned of, with places")
  func warnings() throws {
    let text = ManifestText.service.with([
      "moduleVersion": #"{"major":1,"minor":2,"patch":3,"prerelease":""}"#,
      "supportedPlatforms": #"["linux"]"#, "maxForsetiVersion": "null", "appVersion": #""A1.0.0""#,
    ]).text
    let decoded = try ManifestDecoder.decode(bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8), file: "a.json")
    #expect(
      decoded.warnings.map(\.pointer) == [
        "", "/moduleVersion/prerelease", "/supportedPlatforms/0", "/maxForsetiVersion", "/appVersion",
      ])
    #expect(decoded.warnings.map(\.line) == [1, 6, 8, 13, 14])
    #expect(decoded.warnings[2].text.contains("\"Linux\""))
    #expect(decoded.warnings[3].text.contains("\"maxForsettiVersion\""))
    #expect(decoded.manifest.moduleVersion.prerelease == nil)
  }

  @Test("a file of nothing but unknown keys costs twenty warnings and a count")
  func manyUnknownKeys() throws {
    let stray = (0..<9000).map { "\"modul\($0)\":0" }.joined(separator: ",")
    let text = "{" + stray + "," + ManifestText.service.text.dropFirst()
    let decoded = try ManifestDecoder.decode(bytes: Array(text.utf8), file: "a.json")
    #expect(decoded.warnings.count == ManifestDecoder.warningLimit + 1)
    #expect(decoded.warnings.last?.text.contains("8980") == true)
  }

  @Test("the canonical form covers unknown keys and ignores order, white space and ways of writing")
  func canonical() throws {
    let plain = try ManifestText.service.decode()
    let spaced = try ManifestDecoder.decode(
      bytes: Array(ManifestText.service.text.replacing("\"major\":1", with: " \"major\" : 1.0 ").utf8),
      file: "a.json")
    #expect(plain.canonicalBytes == spaced.canonicalBytes)
    let extended = try ManifestText.service.with(["x": "1"]).decode()
    #expect(plain.manifest == extended.manifest)
    #expect(plain.canonicalBytes != extended.canonicalBytes)
  }

  @Test("manifests that others wrote load unmodified")
  func upstream() throws {
    for file in try Self.upstreamFiles() {
      let bytes = Array(try Data(contentsOf: file))
      let decoded = try ManifestDecoder.decode(bytes: bytes, file: file.lastPathComponent)
      #expect(decoded.manifest.supportedPlatforms.contains(.macOS))
      let unknown = decoded.warnings.map(\.pointer)
      #expect(unknown == (file.path.contains("jamf-app") ? ["/appVersion"] : []), "\(file.path)")
    }
  }

  /// `shared/` lies beside the checkout, or beside the folder that holds this worktree.
  static func upstreamFiles() throws -> [URL] {
    var folder = URL(filePath: #filePath)
    while folder.path.count > 1 {
      folder.deleteLastPathComponent()
      let shared = folder.appending(path: "shared/upstream-manifests")
      guard let all = FileManager.default.enumerator(at: shared, includingPropertiesForKeys: nil) else {
        continue
      }
      let files = all.compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }
      if !files.isEmpty { return files.sorted { $0.path < $1.path } }
    }
    try #require(Bool(false), "shared/upstream-manifests was not found above \(#filePath)")
    return []
  }

  @Test("an ID in several files is reported once, without regard to case, with all its files")
  func duplicateIDs() {
    let errors = ManifestDuplicates.moduleIDs(in: [
      ("a.json", "com.x.One"), ("b.json", "com.x.two"), ("c.json", "com.X.one"), ("d.json", "com.x.one"),
    ])
    #expect(errors == [.duplicateModuleID(moduleID: "com.x.One", files: ["a.json", "c.json", "d.json"])])
  }

  @Test("an entry point of several modules is reported with all of them; case tells entry points apart")
  func duplicateEntryPoints() throws {
    func module(_ id: String, _ entryPoint: String) throws -> ModuleManifest {
      try ManifestText.service.with(["moduleID": "\"\(id)\"", "entryPoint": "\"\(entryPoint)\""]).decode()
        .manifest
    }
    let manifests = [try module("com.x.a", "E"), try module("com.x.b", "e"), try module("com.x.c", "E")]
    #expect(
      ManifestDuplicates.entryPoints(in: manifests) == [
        .duplicateEntryPoint(entryPoint: "E", moduleIDs: ["com.x.a", "com.x.c"])
      ])
  }
}
