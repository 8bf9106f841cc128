import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiRuntime

/// Bundles on disk: who may run, and what is wrong with the others.
@Suite("The folder of bundles") struct BundleFolderTests {
  private let id = "com.example.meter"
  private let bundles: Bundles

  init() throws { bundles = try Bundles() }

  private func pin(_ moduleID: String, _ sha256: String) throws -> PolicyRule {
    PolicyRule(try ModulePattern(moduleID), origin: .sha256(sha256))
  }

  private func fault(_ rules: [PolicyRule] = [], limit: Int = 1 << 20) -> BundleRefusal.Fault? {
    let found = bundles.load(rules, limit: limit)
    return found.modules.isEmpty && found.refusals.count == 1 ? found.refusals.first?.fault : nil
  }

  @Test("a bundle whose hash a rule names is let in, as of that hash") func pinned() throws {
    try bundles.write(id)
    let hash = try bundles.hash(id)
    let module = try #require(bundles.load([try pin(id, hash)]).modules.first)
    #expect(module.origin == .bundle(sha256: hash, key: nil))
    #expect(module.executablePath == bundles.path + "/\(id)/module")
    #expect(module.manifest.moduleID == id)
    // Of another module, or of another hash, it is nobody's.
    #expect(fault([try pin("com.example.other", hash)]) == .unpinned(executableSHA256: hash))
    #expect(
      fault([try pin(id, String(repeating: "0", count: 64))]) == .unpinned(executableSHA256: hash))
    #expect(fault([PolicyRule(try ModulePattern("*"))]) == .unpinned(executableSHA256: hash))
  }

  @Test(
    "a bundle signed by a key of the policy is let in, as of that key, in both formats",
    arguments: [false, true])
  func signed(legacy: Bool) throws {
    let key = try SigningKey()
    try bundles.write(id)
    try bundles.sign(id, by: key, legacy: legacy)
    let rule = PolicyRule(try ModulePattern("com.example.*"), origin: .key(key.text))
    let module = try #require(bundles.load([rule]).modules.first)
    #expect(module.origin == .bundle(sha256: try bundles.hash(id), key: key.text))
    #expect(fault() == .unknownKey)
    #expect(
      fault([PolicyRule(try ModulePattern("com.other.*"), origin: .key(key.text))]) == .unnamed(key: key.text)
    )
    // Pinned too: the key counts, so that the next version is the same origin.
    let both = bundles.load([rule, try pin(id, try bundles.hash(id))])
    #expect(both.modules.map(\.origin) == [module.origin])
  }

  @Test("a stranger's signature neither helps nor hurts a bundle that is pinned") func stranger() throws {
    let key = try SigningKey()
    try bundles.write(id)
    try bundles.sign(id, by: try SigningKey())
    let trusted = PolicyRule(try ModulePattern("*"), origin: .key(key.text))
    #expect(fault([trusted]) == .unknownKey)
    let hash = try bundles.hash(id)
    #expect(
      bundles.load([trusted, try pin(id, hash)]).modules.map(\.origin) == [.bundle(sha256: hash, key: nil)])
  }

  @Test("a signature of something else is refused, though the executable is pinned") func otherStatement()
    throws
  {
    let key = try SigningKey()
    try bundles.write(id)
    try bundles.sign(id, by: key)
    // The version is raised behind the signer's back; the executable stays.
    try bundles.write(id, version: 2)
    let rules = [
      PolicyRule(try ModulePattern("*"), origin: .key(key.text)), try pin(id, try bundles.hash(id)),
    ]
    guard case .signature? = fault(rules) else {
      Issue.record("not refused")
      return
    }
    try bundles.scratch.write("bundles/\(id)/module.minisig", "no signature")
    guard case .signature? = fault(rules) else {
      Issue.record("not refused")
      return
    }
  }

  @Test("one bad bundle is refused alone, each with what is wrong with it") func alone() throws {
    try bundles.write("com.example.good")
    let good = try pin("com.example.good", try bundles.hash("com.example.good"))
    try bundles.write(id, folder: "com.example.renamed")
    try bundles.scratch.folder("bundles/com.example.empty")
    try bundles.write("com.example.script", program: Array("#!/bin/sh\n".utf8))
    try bundles.write("com.example.large", program: programBytes(tail: String(repeating: "x", count: 2_000)))
    try bundles.write("com.example.link")
    unlink(bundles.scratch("bundles/com.example.link/module"))
    symlink("/bin/true", bundles.scratch("bundles/com.example.link/module"))
    try bundles.write("com.example.open")
    chmod(bundles.scratch("bundles/com.example.open/module"), 0o777)
    try bundles.write("com.example.shared")
    chmod(bundles.scratch("bundles/com.example.shared"), 0o777)
    try bundles.scratch.write("bundles/com.example.broken", "a file")
    symlink(bundles.scratch("bundles/com.example.good"), bundles.scratch("bundles/com.example.alias"))
    try bundles.scratch.folder("bundles/.installing")

    let found = bundles.load([good], limit: 1_500)
    #expect(found.modules.map(\.manifest.moduleID) == ["com.example.good"])
    let faults = Dictionary(uniqueKeysWithValues: found.refusals.map { ($0.name, $0.fault) })
    #expect(faults.count == 9)
    #expect(faults["com.example.renamed"] == .wrongName(moduleID: id))
    #expect(faults["com.example.script"] == .executable(.notELF))
    func file(_ name: String) -> TrustedFileError.Fault? {
      if case .file(let error)? = faults[name] { error.fault } else { nil }
    }
    #expect(file("com.example.empty") == .absent)
    #expect(file("com.example.large") == .tooLarge(limit: 1_500))
    #expect(file("com.example.link") == .symbolicLink)
    #expect(file("com.example.open") == .writable(mode: 0o777))
    #expect(file("com.example.shared") == .writable(mode: 0o777))
    #expect(file("com.example.broken") == .wrongKind(.file, expected: .folder))
    #expect(file("com.example.alias") == .wrongKind(.symbolicLink, expected: .folder))
  }

  @Test("no folder means no bundles, unless the policy names it") func absent() throws {
    let state = try Scratch()
    let silent = BundleFolder(policy: Policy(), policyFolder: "/", stateFolder: state.path).load()
    #expect(silent.modules.isEmpty && silent.refusals.isEmpty)
    let named = Policy(bundles: BundleSettings(folder: "none"))
    let found = BundleFolder(policy: named, policyFolder: state.path, stateFolder: "/").load()
    #expect(found.refusals.map(\.path) == [state("none")])
  }

  @Test("a bundle can't take another module's ID, and of two with one ID neither is let in") func taken()
    throws
  {
    for name in [id, "com.example.Two", "com.example.two", "com.example.free"] { try bundles.write(name) }
    let hash = try bundles.hash(id)
    let found = bundles.load([
      try pin(id, hash), try pin("com.example.two", hash), try pin("com.example.free", hash),
    ])
    #expect(found.modules.count == 4)
    let builtIn = LoadedManifest(
      manifest: manifest("COM.example.meter"), path: "/m.json", sha256: "00")
    let catalog = ForsettiModuleCatalog([builtIn]).adding(found)
    #expect(catalog.manifests.map(\.manifest.moduleID) == ["COM.example.meter", "com.example.free"])
    #expect(catalog[id]?.origin == .builtIn)
    #expect(Set(catalog.refusals.map(\.name)) == [id, "com.example.Two", "com.example.two"])
    #expect(catalog.refusals.allSatisfy { $0.fault == .idTaken })
  }

  @Test("entry points of bundles are their own") func entryPoints() throws {
    for name in [id, "com.example.two"] { try bundles.write(name) }
    let hash = try bundles.hash(id)
    let found = bundles.load([try pin(id, hash), try pin("com.example.two", hash)])
    var builtIn = manifest("com.example.built-in")
    builtIn.entryPoint = "Main"
    let catalog = ForsettiModuleCatalog([LoadedManifest(manifest: builtIn, path: "/m", sha256: "0")]).adding(
      found)
    #expect(catalog.manifests.count == 3)
    #expect(catalog.duplicateEntryPoints.isEmpty)
    #expect(catalog.module(entryPoint: "Main")?.manifest.moduleID == "com.example.built-in")
  }
}
