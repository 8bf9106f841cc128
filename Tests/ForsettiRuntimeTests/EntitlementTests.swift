import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiRuntime

@Suite("Entitlements")
struct EntitlementTests {
  @Test("without a product a module is unlocked; with one, if it or its product is named")
  func rule() {
    let some = Entitlements(moduleIDs: ["a.B"], productIDs: ["p"])
    #expect(Entitlements().isUnlocked(moduleID: "x.y", productID: nil))
    #expect(!Entitlements().isUnlocked(moduleID: "x.y", productID: "p"))
    #expect(some.isUnlocked(moduleID: "x.y", productID: "p"))
    #expect(some.isUnlocked(moduleID: "A.b", productID: "other"))
    #expect(!some.isUnlocked(moduleID: "x.y", productID: "P"))
  }

  @Test("allow-all unlocks everything, restores nothing and doesn't fail at it")
  func allowAll() async throws {
    let provider: any EntitlementProvider = AllowAllEntitlementProvider()
    #expect(await provider.isUnlocked(moduleID: "a.b", productID: "p"))
    try await provider.restorePurchases()
  }

  @Test(
    "each subscriber of a static provider hears of every change, and of no replacement that changes nothing")
  func broadcast() async {
    let provider = StaticEntitlementProvider()
    var first = provider.entitlementsDidChangeStream().makeAsyncIterator()
    var second = provider.entitlementsDidChangeStream().makeAsyncIterator()
    provider.replace(Entitlements(productIDs: ["p"]))
    provider.replace(Entitlements(productIDs: ["p"]))
    provider.replace(Entitlements())
    var late = provider.entitlementsDidChangeStream().makeAsyncIterator()
    provider.replace(Entitlements(productIDs: ["q"]))
    for _ in 0..<3 {
      #expect(await first.next() != nil)
      #expect(await second.next() != nil)
    }
    #expect(await late.next() != nil)
    #expect(await provider.isUnlocked(moduleID: "a.b", productID: "q"))
  }

  @Test("a stream ends with its broadcast, and an ended stream is forgotten")
  func ends() async {
    var broadcast: ChangeBroadcast? = ChangeBroadcast()
    let kept = broadcast?.stream()
    do { _ = broadcast?.stream() }
    #expect(broadcast?.subscribers == 1)
    broadcast?.send()
    broadcast = nil
    var elements = 0
    for await _ in kept ?? AsyncStream(unfolding: { nil }) { elements += 1 }
    #expect(elements == 1)
  }

  @Test(
    "the file's text is checked strictly",
    arguments: [
      ("[]", ""), (#"{"unlockedModuleIDs": "a"}"#, "/unlockedModuleIDs"),
      (#"{"unlockedProductIDs": [1]}"#, "/unlockedProductIDs/0"),
      (#"{"unlockedModuleIds": []}"#, "/unlockedModuleIds"),
      (#"{"unlockedModuleIDs": [], "unlockedModuleIDs": []}"#, nil), ("{", nil), ("", nil),
    ] as [(String, String?)])
  func strict(text: String, pointer: String?) {
    do {
      _ = try EntitlementFile.decode(Array(text.utf8))
      Issue.record("accepted \(text)")
    } catch {
      #expect(error.line == 1)
      if let pointer { #expect(error.pointer == pointer) }
    }
  }

  @Test("either list may be absent")
  func lenient() throws {
    #expect(try EntitlementFile.decode(Array("{}".utf8)) == Entitlements())
    let text = #"{"unlockedProductIDs": ["p"]}"#
    #expect(try EntitlementFile.decode(Array(text.utf8)) == Entitlements(productIDs: ["p"]))
  }
}

@Suite("Entitlement file")
@ReactorActor final class EntitlementFileTests {
  private let scratch: Scratch
  private let clock = FakeClock()
  private let faults = Log<EntitlementFault>()
  private let provider: FileEntitlementProvider

  init() async throws {
    scratch = try Scratch()
    try scratch.folder("sub")
    provider = try FileEntitlementProvider(path: scratch("sub/file"), clock: clock) { [faults] in
      faults.add($0)
    }
  }

  private func text(_ product: String) -> String { #"{"unlockedProductIDs": ["\#(product)"]}"# }

  private func isUnlocked(_ product: String) async -> Bool {
    await provider.isUnlocked(moduleID: "a.b", productID: product)
  }

  /// Waits until inotify has told the provider, which then has a timer running.
  private func noticed() async {
    while clock.pending == 0 { await Task.yield() }
  }

  /// Replaces the file as careful programs do.
  private func replace(_ text: String) throws {
    try scratch.write("sub/new", text)
    rename(scratch("sub/new"), scratch("sub/file"))
  }

  @Test("an atomic replacement is read once the file has been left alone for 200 ms")
  func replacement() async throws {
    try scratch.write("sub/file", text("p"))
    await provider.start()
    #expect(await isUnlocked("p"))
    var changes = provider.entitlementsDidChangeStream().makeAsyncIterator()
    try replace(text("q"))
    await noticed()
    clock.advance(by: .milliseconds(199))
    #expect(clock.pending == 1)
    #expect(await isUnlocked("p"))
    clock.advance(by: .milliseconds(1))
    _ = await changes.next()
    #expect(await isUnlocked("q"))
    #expect(await !isUnlocked("p"))
    #expect(faults.items.isEmpty)
    provider.stop()
  }

  @Test("a file written over in place is read too")
  func inPlace() async throws {
    try scratch.write("sub/file", text("p"))
    await provider.start()
    var changes = provider.entitlementsDidChangeStream().makeAsyncIterator()
    try scratch.write("sub/file", text("q"))
    await noticed()
    clock.advance(by: .milliseconds(200))
    _ = await changes.next()
    #expect(await isUnlocked("q"))
    provider.stop()
  }

  @Test("a bad file, and a file that is gone, are reported and leave the last good state in force")
  func badFile() async throws {
    try scratch.write("sub/file", text("p"))
    await provider.start()
    try replace("{")
    await noticed()
    clock.advance(by: .milliseconds(200))
    await faults.wait(count: 1)
    guard case .content = faults.items[0] else {
      Issue.record("expected a fault of content")
      return
    }
    unlink(scratch("sub/file"))
    await noticed()
    clock.advance(by: .milliseconds(200))
    await faults.wait(count: 2)
    #expect(faults.items[1] == .file(TrustedFileError(path: scratch("sub/file"), fault: .absent)))
    #expect(await isUnlocked("p"))
    try replace(text("q"))
    await noticed()
    var changes = provider.entitlementsDidChangeStream().makeAsyncIterator()
    clock.advance(by: .milliseconds(200))
    _ = await changes.next()
    #expect(await isUnlocked("q"))
    #expect(provider.lastFault == nil)
    provider.stop()
  }

  @Test("a file that others may write is not believed; the chmod that mends it is noticed")
  func untrusted() async throws {
    try scratch.write("sub/file", text("p"), mode: 0o666)
    await provider.start()
    #expect(faults.items.count == 1)
    #expect(await !isUnlocked("p"))
    var changes = provider.entitlementsDidChangeStream().makeAsyncIterator()
    chmod(scratch("sub/file"), 0o644)
    await noticed()
    clock.advance(by: .milliseconds(200))
    _ = await changes.next()
    #expect(await isUnlocked("p"))
    provider.stop()
  }

  @Test("other files of the folder are no change")
  func others() async throws {
    try scratch.write("sub/file", text("p"))
    await provider.start()
    try scratch.write("sub/other", "x")
    try scratch.write("sub/file2", "x")
    // The change that must be noticed comes after those that must not.
    try replace(text("q"))
    await noticed()
    #expect(clock.pending == 1)
    provider.stop()
    #expect(clock.pending == 0)
  }

  @Test("a folder that is replaced is watched again as soon as it is there")
  func folderReplaced() async throws {
    try scratch.write("sub/file", text("p"))
    await provider.start()
    rename(scratch("sub"), scratch("old"))
    await noticed()
    clock.advance(by: .milliseconds(200))
    await faults.wait(count: 1)
    try scratch.folder("sub")
    try scratch.write("sub/file", text("q"))
    var changes = provider.entitlementsDidChangeStream().makeAsyncIterator()
    await noticed()
    clock.advance(by: .seconds(2))
    _ = await changes.next()
    #expect(await isUnlocked("q"))
    try replace(text("r"))
    await noticed()
    clock.advance(by: .milliseconds(200))
    _ = await changes.next()
    #expect(await isUnlocked("r"))
    provider.stop()
  }

  @Test("asked to refresh, it reads at once and is done when it returns")
  func refresh() async throws {
    try scratch.write("sub/file", text("p"))
    await provider.start()
    try replace(text("q"))
    await provider.refreshEntitlements()
    #expect(await isUnlocked("q"))
    provider.stop()
  }

  @Test("events of the kernel are read within their bounds")
  func parsing() {
    func event(_ mask: UInt32, _ name: String, length: UInt32 = 16) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 16)
      withUnsafeBytes(of: mask) { bytes.replaceSubrange(4..<8, with: $0) }
      withUnsafeBytes(of: length) { bytes.replaceSubrange(12..<16, with: $0) }
      return bytes + name.utf8 + [UInt8](repeating: 0, count: 16 - name.utf8.count)
    }
    func found(_ bytes: [UInt8]) -> FolderWatch.Event? {
      bytes.withUnsafeBytes { FolderWatch.event(in: $0, for: Array("file".utf8)) }
    }
    let closed = UInt32(IN_CLOSE_WRITE)
    #expect(found([]) == nil)
    #expect(found(event(closed, "file")) == .changed)
    #expect(found(event(closed, "file2")) == nil)
    #expect(found(event(closed, "other") + event(closed, "file")) == .changed)
    #expect(found(event(UInt32(IN_IGNORED), "") + event(closed, "file")) == .folderGone)
    #expect(found(event(UInt32(IN_Q_OVERFLOW), "")) == .changed)
    #expect(found(event(closed, "file", length: .max)) == .changed, "a length that lies is no reason to trap")
    #expect(found(Array(event(closed, "file").prefix(15))) == nil)
  }
}
