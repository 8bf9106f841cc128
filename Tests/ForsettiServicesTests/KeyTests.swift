import CSQLite
import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiServices

@Suite struct MasterKeyTests {
  private let secret: [UInt8] = [1, 2, 3]

  private func keep(in scratch: Scratch) async throws {
    try await scratch.services().secureStorage(caller()).set(secret, forKey: "k", in: nil)
  }

  /// What a module that asks is told.
  private func noKey(_ services: HostServices) async -> Bool {
    do {
      _ = try await services.secureStorage(caller()).value(forKey: "k", in: nil)
      return false
    } catch {
      guard case .failed("no_key", _) = error else { return false }
      return true
    }
  }

  @Test("the first run makes a key file of mode 0600, and the next one uses it") func firstRun() async throws
  {
    let scratch = try Scratch()
    try await keep(in: scratch)
    var status = stat()
    #expect(stat(scratch("services/master.key"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(status.st_size == 32)
    let services = try await scratch.services()
    #expect(services.masterKeyFault == nil)
    #expect(try await services.secureStorage(caller()).value(forKey: "k", in: nil) == secret)
  }

  @Test("a missing key is never replaced where something is sealed") func missing() async throws {
    let scratch = try Scratch()
    try await keep(in: scratch)
    unlink(scratch("services/master.key"))
    let services = try await scratch.services()
    #expect(services.masterKeyFault == .missing(expected: scratch("services/master.key")))
    #expect(await noKey(services))
    #expect(access(scratch("services/master.key"), F_OK) != 0)
    // Storage, which needs no key, works.
    try await services.storage(caller()).set("v", forKey: "k", in: nil)
    #expect(try await services.authentication(caller()).identity().moduleID == "a.module")
  }

  @Test("another key is told apart, and a malformed one") func wrong() async throws {
    let scratch = try Scratch()
    try await keep(in: scratch)
    let path = scratch("services/master.key")
    let right = try Data(contentsOf: URL(filePath: path))
    try Data(repeating: 7, count: 32).write(to: URL(filePath: path))
    #expect(try await scratch.services().masterKeyFault == .wrong(source: path))
    for bytes in [Data(), Data(repeating: 7, count: 31), Data(repeating: 0x30, count: 66), Data("zz".utf8)] {
      try bytes.write(to: URL(filePath: path))
      #expect(try await scratch.services().masterKeyFault == .malformed(path: path))
    }
    try right.write(to: URL(filePath: path))
    #expect(try await scratch.services().secureStorage(caller()).value(forKey: "k", in: nil) == secret)
  }

  @Test("a key that others may read, or a link, is not used", arguments: [0o640, 0o604, 0o620, 0])
  func untrusted(mode: Int) async throws {
    let scratch = try Scratch()
    try await keep(in: scratch)
    let path = scratch("services/master.key")
    if mode == 0 {
      rename(path, path + ".real")
      symlink(path + ".real", path)
    } else {
      chmod(path, mode_t(mode))
    }
    let fault = try await scratch.services().masterKeyFault
    guard case .untrusted(path, _)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test("a systemd credential goes before the file, as bytes or as hex", arguments: [false, true])
  func credential(isHex: Bool) async throws {
    let scratch = try Scratch()
    let folder = scratch("credentials")
    mkdir(folder, 0o700)
    let key = (0..<32).map { UInt8($0) }
    let hex = key.map { String(format: "%02x", $0) }.joined() + "\n"
    let path = folder + "/forsetti-master-key"
    try (isHex ? Data(hex.utf8) : Data(key)).write(to: URL(filePath: path))
    chmod(path, 0o440)
    let services = try await scratch.services { $0.credentialsFolder = folder }
    #expect(services.masterKeyFault == nil)
    try await services.secureStorage(caller()).set(secret, forKey: "k", in: nil)
    #expect(access(scratch("services/master.key"), F_OK) != 0)
    // Without the credential the sealed values have no key.
    #expect(
      try await scratch.services { $0.credentialsFolder = nil }.masterKeyFault
        == .missing(expected: scratch("services/master.key")))
  }

  @Test("a draft that a crash left behind is no key and no hindrance") func leftOver() async throws {
    let scratch = try Scratch()
    mkdir(scratch("services"), 0o700)
    try Data([1]).write(to: URL(filePath: scratch("services/master.key.new")))
    #expect(try await scratch.services().masterKeyFault == nil)
    #expect(access(scratch("services/master.key.new"), F_OK) != 0)
  }
}

@Suite struct SecureStorageTests {
  @Test("a value is sealed on the disk and opens for its module") func sealed() async throws {
    let scratch = try Scratch()
    let text = "a secret that must not be found on the disk"
    let storage = try await scratch.services().secureStorage(caller(stores: ["s"]))
    try await storage.set(Array(text.utf8), forKey: "k", in: "s")
    #expect(try await storage.value(forKey: "k", in: "s") == Array(text.utf8))
    #expect(try await storage.value(forKey: "k", in: nil) == nil)
    #expect(try await storage.keys(prefix: "", after: nil, in: "s") == ["k"])
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch("services")) {
      let bytes = try Data(contentsOf: URL(filePath: scratch("services/\(name)")))
      #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name)")
    }
    try await storage.removeValue(forKey: "k", in: "s")
    #expect(try await storage.value(forKey: "k", in: "s") == nil)
  }

  @Test("a sealed value that is moved, swapped or changed on the disk is forged")
  func forged() async throws {
    let scratch = try Scratch()
    let services = try await scratch.services()
    let one = services.secureStorage(caller("a.one", stores: ["s"]))
    let two = services.secureStorage(caller("a.two"))
    try await one.set([1], forKey: "k", in: nil)
    try await one.set([2], forKey: "l", in: nil)
    try await one.set([3], forKey: "k", in: "s")
    try await two.set([4], forKey: "k", in: nil)
    for change in [
      "UPDATE items SET value = (SELECT value FROM items WHERE key = x'6c')",
      "UPDATE items SET value = CAST(substr(value, 1, 30) || x'00' || substr(value, 32) AS BLOB)",
      "UPDATE items SET value = substr(value, 1, 40)", "UPDATE items SET value = x''",
    ] {
      var database: OpaquePointer?
      #expect(sqlite3_open(scratch("services/storage.sqlite"), &database) == SQLITE_OK)
      #expect(sqlite3_exec(database, change, nil, nil, nil) == SQLITE_OK)
      sqlite3_close(database)
      for (storage, store) in [(one, nil), (one, "s"), (two, nil)] as [(any SecureStorageService, String?)] {
        await #expect {
          _ = try await storage.value(forKey: "k", in: store)
        } throws: { error in
          guard case ServiceError.failed("forged", _) = error else { return false }
          return true
        }
      }
    }
  }

  @Test("the in-memory form keeps, pages and removes") func inMemory() async throws {
    let storage: any SecureStorageService = InMemorySecureStorageService()
    for key in ["b", "a", "ab"] { try await storage.set([1], forKey: key, in: nil) }
    try await storage.set([2], forKey: "a", in: "s")
    #expect(try await storage.keys(prefix: "a", after: "a", in: nil) == ["ab"])
    #expect(try await storage.value(forKey: "a", in: "s") == [2])
    try await storage.removeValue(forKey: "a", in: nil)
    #expect(try await storage.value(forKey: "a", in: nil) == nil)
    #expect(try await storage.value(forKey: "a", in: "s") == [2])
  }
}

@Suite struct CryptoTests {
  private func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap {
      let start = hex.index(hex.startIndex, offsetBy: $0)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
  }

  @Test("SHA-256 is that of FIPS 180-4") func sha256() async throws {
    let crypto = try await Scratch().services().cryptoUtilities(caller())
    #expect(
      try await crypto.sha256(Array("abc".utf8))
        == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    #expect(
      try await crypto.sha256([])
        == bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
  }

  @Test("keys belong to a module and a name, and stay the same after a restart") func keys() async throws {
    let scratch = try Scratch()
    let services = try await scratch.services()
    let bundle = ModuleOrigin.bundle(sha256: "00", key: nil)
    let data = Array("data".utf8)
    let hmac = try await services.cryptoUtilities(caller("a.one")).hmac(data, keyName: "k")
    #expect(hmac.count == 32)
    #expect(try await scratch.services().cryptoUtilities(caller("A.one")).hmac(data, keyName: "k") == hmac)
    #expect(try await services.cryptoUtilities(caller("a.one")).hmac(data, keyName: "l") != hmac)
    #expect(try await services.cryptoUtilities(caller("a.two")).hmac(data, keyName: "k") != hmac)
    #expect(
      try await services.cryptoUtilities(caller("a.one", origin: bundle)).hmac(data, keyName: "k") != hmac)
  }

  @Test("what is sealed opens with its key and its associated data alone") func seal() async throws {
    let services = try await Scratch().services()
    let crypto = services.cryptoUtilities(caller("a.one"))
    let sealed = try await crypto.seal([1, 2, 3], keyName: "k", associated: [9])
    #expect(sealed.count == 3 + 41)
    #expect(try await crypto.open(sealed, keyName: "k", associated: [9]) == [1, 2, 3])
    #expect(
      try await crypto.open(crypto.seal([], keyName: "k", associated: []), keyName: "k", associated: []) == []
    )
    let other = services.cryptoUtilities(caller("a.two"))
    var changed = sealed
    changed[30] ^= 1
    for (service, bytes, key, associated) in [
      (crypto, sealed, "l", [9]), (crypto, sealed, "k", [8]), (other, sealed, "k", [9]),
      (crypto, changed, "k", [9]), (crypto, [], "k", [9]), (crypto, Array(sealed.dropLast()), "k", [9]),
    ] as [(any CryptoUtilitiesService, [UInt8], String, [UInt8])] {
      await #expect {
        _ = try await service.open(bytes, keyName: key, associated: associated)
      } throws: { error in
        guard case ServiceError.failed("forged", _) = error else { return false }
        return true
      }
    }
  }

  @Test("a signature holds for its data and key alone") func sign() async throws {
    let services = try await Scratch().services()
    let crypto = services.cryptoUtilities(caller("a.one"))
    let signature = try await crypto.sign([1, 2], keyName: "k")
    #expect(try await crypto.verify(signature, of: [1, 2], keyName: "k"))
    #expect(try await !crypto.verify(signature, of: [1, 3], keyName: "k"))
    #expect(try await !crypto.verify(signature, of: [1, 2], keyName: "l"))
    #expect(try await !crypto.verify(Array(signature.dropLast()), of: [1, 2], keyName: "k"))
    #expect(try await !services.cryptoUtilities(caller("a.two")).verify(signature, of: [1, 2], keyName: "k"))
  }

  @Test("arguments out of bounds are refused by case") func bounds() async throws {
    let crypto = try await Scratch().services().cryptoUtilities(caller())
    #expect(try await crypto.random(count: 4_096).count == 4_096)
    #expect(try await crypto.random(count: 32) != crypto.random(count: 32))
    for count in [-1, 0, 4_097, Int.max] {
      await #expect(throws: ServiceError.invalidArgument(name: "count", reason: "1 to 4096 is meant")) {
        try await crypto.random(count: count)
      }
    }
    await #expect(throws: ServiceError.tooLarge(limit: 1 << 20)) {
      try await crypto.sha256([UInt8](repeating: 0, count: (1 << 20) + 1))
    }
    await #expect(
      throws: ServiceError.invalidArgument(name: "keyName", reason: "1 to 256 bytes of UTF-8 are meant")
    ) { try await crypto.hmac([], keyName: "") }
  }
}
