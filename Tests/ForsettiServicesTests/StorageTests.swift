import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiServices

@Suite struct StorageTests {
  @Test("a value is read as it was set, replaced and removed") func roundTrip() async throws {
    let storage = try await Scratch().services().storage(caller())
    #expect(try await storage.value(forKey: "k", in: nil) == nil)
    try await storage.set("one", forKey: "k", in: nil)
    #expect(try await storage.value(forKey: "k", in: nil) == "one")
    try await storage.set("", forKey: "k", in: nil)
    #expect(try await storage.value(forKey: "k", in: nil) == "")
    try await storage.removeValue(forKey: "k", in: nil)
    #expect(try await storage.value(forKey: "k", in: nil) == nil)
    try await storage.removeValue(forKey: "k", in: nil)
  }

  @Test(
    "odd keys are kept byte for byte",
    arguments: [
      "a\0b", "a", "\u{1}", "e\u{301}", "\u{e9}", "\u{202e}x", "' OR 1=1 --", "%", "\u{10ffff}", "\u{feff}",
    ])
  func oddKeys(key: String) async throws {
    let storage = try await Scratch().services().storage(caller())
    for other in ["a\0c", "A", "e", "\u{e8}", ""] where !other.isEmpty {
      try await storage.set("other", forKey: other, in: nil)
    }
    try await storage.set("\0value\0", forKey: key, in: nil)
    let value = try #require(try await storage.value(forKey: key, in: nil))
    #expect(Array(value.utf8) == Array("\0value\0".utf8))
    let keys = try await storage.keys(prefix: key, after: nil, in: nil)
    #expect(keys.contains { $0.utf8.elementsEqual(key.utf8) })
  }

  @Test("canonically equivalent keys are two keys") func normalisation() async throws {
    let storage = try await Scratch().services().storage(caller())
    try await storage.set("composed", forKey: "\u{e9}", in: nil)
    try await storage.set("combining", forKey: "e\u{301}", in: nil)
    #expect(try await storage.value(forKey: "\u{e9}", in: nil) == "composed")
    #expect(try await storage.keys(prefix: "", after: nil, in: nil).count == 2)
  }

  @Test("keys of 1 to 256 bytes are taken, others refused", arguments: [0, 1, 256, 257])
  func keyLength(length: Int) async throws {
    let storage = try await Scratch().services().storage(caller())
    let key = String(repeating: "k", count: length)
    if (1...256).contains(length) {
      try await storage.set("v", forKey: key, in: nil)
      #expect(try await storage.value(forKey: key, in: nil) == "v")
    } else {
      await #expect(
        throws: ServiceError.invalidArgument(name: "key", reason: "1 to 256 bytes of UTF-8 are meant")
      ) { try await storage.set("v", forKey: key, in: nil) }
    }
  }

  @Test("a value of 1 MiB is taken, one byte more refused") func valueLength() async throws {
    let storage = try await Scratch().services().storage(caller())
    let largest = String(repeating: "v", count: 1 << 20)
    try await storage.set(largest, forKey: "k", in: nil)
    await #expect(throws: ServiceError.tooLarge(limit: 1 << 20)) {
      try await storage.set(largest + "v", forKey: "k", in: nil)
    }
    #expect(try await storage.value(forKey: "k", in: nil) == largest)
  }

  @Test("modules, origins and stores see nothing of each other") func isolation() async throws {
    let services = try await Scratch().services()
    let bundle = ModuleOrigin.bundle(sha256: String(repeating: "0", count: 64), key: nil)
    let spaces: [(any StorageService, String?)] = [
      (services.storage(caller("a.one", stores: ["s", "t"])), nil),
      (services.storage(caller("a.one", stores: ["s", "t"])), "s"),
      (services.storage(caller("a.one", stores: ["s", "t"])), "t"),
      (services.storage(caller("a.one", origin: bundle)), nil), (services.storage(caller("a.two")), nil),
    ]
    for (index, space) in spaces.enumerated() {
      #expect(try await space.0.value(forKey: "k", in: space.1) == nil)
      try await space.0.set("\(index)", forKey: "k", in: space.1)
    }
    for (index, space) in spaces.enumerated() {
      #expect(try await space.0.value(forKey: "k", in: space.1) == "\(index)")
    }
    // An ID of another case is the same module.
    #expect(try await services.storage(caller("A.One")).value(forKey: "k", in: nil) == "0")
  }

  @Test("a store that the manifest doesn't own is denied", arguments: ["u", "", "S", "s\0", "e\u{301}"])
  func foreignStore(store: String) async throws {
    let storage = try await Scratch().services().storage(caller(stores: ["s", "\u{e9}"]))
    await #expect {
      try await storage.set("v", forKey: "k", in: store)
    } throws: { error in
      guard case ServiceError.serviceDenied(.undeclared, _) = error else { return false }
      return true
    }
  }

  @Test("keys come sorted by bytes, by prefix, a thousand at a time") func paging() async throws {
    let storage = try await Scratch().services().storage(caller())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<2_500 {
        group.addTask { try await storage.set("", forKey: "p/\(10_000 + number)", in: nil) }
      }
      try await group.waitForAll()
    }
    try await storage.set("", forKey: "o", in: nil)
    try await storage.set("", forKey: "p0", in: nil)
    var all: [String] = []
    while true {
      let page = try await storage.keys(prefix: "p/", after: all.last, in: nil)
      #expect(page.count <= 1_000)
      all += page
      if page.count < 1_000 { break }
    }
    #expect(all == (0..<2_500).map { "p/\(10_000 + $0)" })
    #expect(try await storage.keys(prefix: "", after: "p/12499", in: nil) == ["p0"])
    #expect(try await storage.keys(prefix: "", after: nil, in: nil).first == "o")
  }

  @Test("a full quota refuses what grows and lets go of what shrinks") func quota() async throws {
    let services = try await Scratch().services { $0.storageQuota = StorageQuota(bytes: 100, keys: 3) }
    let storage = services.storage(caller("a.one"))
    try await storage.set(String(repeating: "v", count: 98), forKey: "a", in: nil)
    await #expect {
      try await storage.set("vv", forKey: "b", in: nil)
    } throws: { error in
      guard case ServiceError.quotaExceeded = error else { return false }
      return true
    }
    try await storage.set("v", forKey: "a", in: nil)
    try await storage.set("v", forKey: "b", in: nil)
    try await storage.set("v", forKey: "c", in: nil)
    await #expect(throws: ServiceError.self) { try await storage.set("v", forKey: "d", in: nil) }
    try await storage.removeValue(forKey: "c", in: nil)
    try await storage.set("v", forKey: "d", in: nil)
    // Another module has a quota of its own.
    try await services.storage(caller("a.two")).set("v", forKey: "d", in: nil)
  }

  @Test("a quota counts what was kept before the start") func quotaAfterRestart() async throws {
    let scratch = try Scratch()
    let quota = StorageQuota(bytes: 100, keys: 10)
    try await scratch.services { $0.storageQuota = quota }.storage(caller()).set(
      String(repeating: "v", count: 90), forKey: "a", in: nil)
    let storage = try await scratch.services { $0.storageQuota = quota }.storage(caller())
    await #expect(throws: ServiceError.self) {
      try await storage.set(String(repeating: "v", count: 20), forKey: "b", in: nil)
    }
  }

  @Test("erasing forgets one origin of one module alone") func erase() async throws {
    let services = try await Scratch().services()
    for module in ["a.one", "a.two"] {
      try await services.storage(caller(module)).set("v", forKey: "k", in: nil)
    }
    try await services.eraseData(moduleID: "A.one", origin: "built-in")
    #expect(try await services.storage(caller("a.one")).value(forKey: "k", in: nil) == nil)
    #expect(try await services.storage(caller("a.two")).value(forKey: "k", in: nil) == "v")
    try await services.storage(caller("a.one")).set("w", forKey: "k", in: nil)
    #expect(try await services.storage(caller("a.one")).value(forKey: "k", in: nil) == "w")
  }

  @Test("what was acknowledged survives kill -9 right after") func kill() async throws {
    let scratch = try Scratch()
    for _ in 0..<3 {
      let probe = try ChildProgram("forsetti-service-probe", "storage", scratch.path)
      var acknowledged: [String] = []
      while acknowledged.count < 200, let line = probe.line() { acknowledged.append(line) }
      probe.kill()
      #expect(acknowledged.count == 200)
      let storage = try await scratch.services().storage(caller("a.writer"))
      for key in acknowledged {
        #expect(try await storage.value(forKey: key, in: nil) == String(key.prefix(1)))
      }
    }
  }

  @Test("files are the supervisor's alone") func modes() async throws {
    let scratch = try Scratch()
    let services = try await scratch.services()
    try await services.storage(caller()).set("v", forKey: "k", in: nil)
    for name in ["storage.sqlite", "storage.sqlite-wal", "storage.sqlite-shm"] {
      var status = stat()
      #expect(stat(scratch("services/" + name), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
  }
}
