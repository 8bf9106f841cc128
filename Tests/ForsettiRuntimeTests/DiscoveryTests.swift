import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiRuntime

@Suite("Manifest discovery")
struct DiscoveryTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func manifest(_ moduleID: String, entryPoint: String = "Main", extra: String = "") -> String {
    """
    {"schemaVersion": "1.0", "moduleID": "\(moduleID)", "displayName": "M", "moduleType": "service",
     "moduleVersion": {"major": 1, "minor": 0, "patch": 0}, "supportedPlatforms": ["Linux"],
     "minForsettiVersion": {"major": 0, "minor": 1, "patch": 0}, "capabilitiesRequested": [],
     "entryPoint": "\(entryPoint)"\(extra)}
    """
  }

  private func load(limit: Int = 10_000) -> Result<ForsettiModuleCatalog, ManifestLoaderError> {
    Result { () throws(ManifestLoaderError) in
      try ManifestLoader(manifestLimit: limit).load(folder: scratch.path)
    }
  }

  private func failure<T>(_ result: Result<T, ManifestLoaderError>) -> ManifestLoaderError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test("the eleven shipped manifests load, sorted by ID, each with the hash of its canonical form")
  func shipped() throws {
    let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = repository.appendingPathComponent("Resources/ForsettiManifests").path
    let catalog = try ManifestLoader().load(folder: folder)
    #expect(catalog.manifests.count == 11)
    #expect(catalog.manifests.map(\.manifest.moduleID) == catalog.manifests.map(\.manifest.moduleID).sorted())
    #expect(catalog.duplicateEntryPoints.isEmpty)
    #expect(catalog.manifests.allSatisfy { $0.sha256.utf8.count == 64 })
    let jamf = try #require(catalog["COM.forsetti.jamfpro.service.jamf"])
    #expect(jamf.path == folder + "/ForsettiJamfServiceModule.json")
    #expect(catalog.module(entryPoint: jamf.manifest.entryPoint)?.sha256 == jamf.sha256)
    #expect(catalog.module(entryPoint: "None") == nil)
  }

  @Test("SHA-256 is that of FIPS 180-4")
  func hash() {
    #expect(
      SHA256.hex(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(SHA256.hex([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test("white space and key order don't change a manifest's hash, an unknown key does and is warned of")
  func canonicalHash() throws {
    try scratch.write("a.json", manifest("a.b"))
    let plain = try load().get().manifests[0]
    try scratch.write("a.json", manifest("a.b").replacingOccurrences(of: "\n", with: "\n\n \t"))
    #expect(try load().get().manifests[0].sha256 == plain.sha256)
    try scratch.write("a.json", manifest("a.b", extra: #", "unknown": 1"#))
    let changed = try load().get().manifests[0]
    #expect(changed.sha256 != plain.sha256)
    #expect(changed.warnings.map(\.pointer) == ["/unknown"])
  }

  @Test(
    "dot-files, other endings and folders are passed over; links, FIFOs and devices are skipped with a warning"
  )
  func kinds() throws {
    try scratch.write("a.json", manifest("a.b"))
    for name in [".hidden.json", "b.JSON", "c.json.bak", "d.txt", ".json"] {
      try scratch.write(name, "broken")
    }
    try scratch.folder("folder.json")
    symlink(scratch("a.json"), scratch("link.json"))
    symlink(scratch("nowhere"), scratch("dangling.json"))
    mkfifo(scratch("fifo.json"), 0o600)
    let catalog = try load().get()
    #expect(catalog.manifests.map(\.manifest.moduleID) == ["a.b"])
    #expect(
      catalog.warnings == [
        DiscoveryWarning(path: scratch("dangling.json"), text: "skipped: it is a symbolic link"),
        DiscoveryWarning(path: scratch("fifo.json"), text: "skipped: it is a FIFO"),
        DiscoveryWarning(path: scratch("link.json"), text: "skipped: it is a symbolic link"),
      ])
  }

  @Test("all bad files are reported at once, in the order of their names, then duplicates")
  func allFaults() throws {
    try scratch.write("d.json", "{")
    try scratch.write("b.json", manifest("bad id"))
    try scratch.write("a.json", manifest("x.y"))
    try scratch.write("e.json", manifest("X.y"))
    try scratch.write("c.json", String(repeating: " ", count: ManifestLoader.sizeLimit + 1))
    try scratch.write("f.json", manifest("p.q"), mode: 0o622)
    guard case .several(let faults) = failure(load()), faults.count == 5 else {
      Issue.record("expected five faults, got \(String(describing: failure(load())))")
      return
    }
    func fault(_ index: Int) -> ManifestFault? {
      if case .validationFailed(let fault) = faults[index] { fault } else { nil }
    }
    #expect((0..<3).map { fault($0)?.file } == ["b.json", "c.json", "d.json"])
    #expect(fault(0)?.pointer == "/moduleID")
    #expect(fault(1)?.reason == "is larger than the limit of 262144 bytes")
    guard case .untrustedFile(let path, let reason) = faults[3] else {
      Issue.record("expected untrustedFile")
      return
    }
    #expect(path == scratch("f.json"))
    #expect(reason.hasSuffix("mend: chmod go-w \(path)"))
    #expect(
      faults[4] == .duplicateModuleID(moduleID: "x.y", files: [scratch("a.json"), scratch("e.json")]))
  }

  @Test("one fault alone is thrown as it is")
  func oneFault() throws {
    try scratch.write("a.json", manifest("a.b"))
    try scratch.write("b.json", manifest("A.B"))
    #expect(
      failure(load())
        == .duplicateModuleID(moduleID: "a.b", files: [scratch("a.json"), scratch("b.json")]))
  }

  @Test("a name that is no UTF-8 is a fault, not a crash or a silent gap")
  func nameBytes() throws {
    let name = scratch.path.utf8CString.dropLast() + [0x2F, -1] + ".json".utf8CString
    close(open(Array(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    guard case .validationFailed(let fault) = failure(load()) else {
      Issue.record("expected a fault")
      return
    }
    #expect(fault.reason == "its name is not valid UTF-8")
  }

  @Test("a folder that is absent, a file, unreadable, empty or writable by others says which")
  func folders() throws {
    func error(_ path: String) -> ManifestLoaderError? {
      failure(Result { () throws(ManifestLoaderError) in try ManifestLoader().load(folder: path) })
    }
    #expect(error(scratch("no")) == .manifestsDirectoryNotFound(path: scratch("no"), why: .absent))
    let file = try scratch.write("file")
    #expect(error(file) == .manifestsDirectoryNotFound(path: file, why: .notAFolder))
    #expect(error(scratch.path) == .manifestsDirectoryNotFound(path: scratch.path, why: .nothingToLoad))
    let open = try scratch.folder("open", mode: 0o775)
    guard case .untrustedFile(open, let reason) = error(open) else {
      Issue.record("expected untrustedFile")
      return
    }
    #expect(reason.hasSuffix("mend: chmod g-w \(open)"))
  }

  @Test("more manifests than the limit are refused before any is read")
  func limit() throws {
    for name in ["a", "b", "c"] { try scratch.write(name + ".json", "broken") }
    #expect(failure(load(limit: 2)) == .tooManyManifests(path: scratch.path, limit: 2))
    guard case .several = failure(load(limit: 3)) else {
      Issue.record("three of three are read")
      return
    }
  }

  @Test("fallback discovery finds manifests anywhere below and passes over all that isn't shaped like one")
  func fallback() throws {
    try scratch.folder("deep")
    try scratch.folder("deep/er")
    try scratch.folder(".git")
    try scratch.folder("open", mode: 0o777)
    try scratch.write("deep/er/m.json", manifest("a.c"))
    try scratch.write("a.json", manifest("a.b"))
    try scratch.write("other.json", #"{"schemaVersion": "1.0", "moduleID": "x"}"#)
    try scratch.write("array.json", "[1]")
    try scratch.write("broken.json", "{\n,")
    try scratch.write(".git/x.json", manifest("a.d"))
    try scratch.write("open/x.json", manifest("a.e"))
    try scratch.write("loose.json", manifest("a.f"), mode: 0o666)
    symlink(scratch("deep"), scratch("link"))
    let catalog = try ManifestLoader().discover(folder: scratch.path)
    #expect(catalog.manifests.map(\.path) == [scratch("a.json"), scratch("deep/er/m.json")])
    #expect(
      catalog.warnings.map(\.path).sorted() == ["broken.json", "loose.json", "open"].map { scratch($0) })
  }

  @Test("in fallback discovery a file shaped like a manifest must be valid, and IDs unique")
  func fallbackFaults() throws {
    try scratch.folder("sub")
    try scratch.write("sub/bad.json", manifest("bad id"))
    try scratch.write("a.json", manifest("a.b"))
    try scratch.write("sub/b.json", manifest("a.b"))
    let error = failure(
      Result { () throws(ManifestLoaderError) in try ManifestLoader().discover(folder: scratch.path) })
    guard case .several(let faults) = error, case .validationFailed(let fault) = faults.first else {
      Issue.record("expected several faults")
      return
    }
    #expect(fault.file == "sub/bad.json")
    #expect(
      faults.last
        == .duplicateModuleID(moduleID: "a.b", files: [scratch("a.json"), scratch("sub/b.json")]))
    let none = try scratch.folder("none")
    #expect(
      failure(Result { () throws(ManifestLoaderError) in try ManifestLoader().discover(folder: none) })
        == .manifestsDirectoryNotFound(path: none, why: .nothingToLoad))
  }
}
