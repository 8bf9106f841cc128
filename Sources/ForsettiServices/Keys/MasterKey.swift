import CSodium
import Glibc

/// Where the master key comes from: a systemd credential, or else a file that is made at the first run.
struct MasterKeySource {
  static let length = Int(crypto_kdf_KEYBYTES)
  static let credentialName = "forsetti-master-key"
  static let fileName = "master.key"
  /// 64 digits of hex and a line break, and one byte that tells what is longer.
  private static let longestFile = 66

  /// `$CREDENTIALS_DIRECTORY` of systemd.exec(5), if it is set.
  let credentialsFolder: String?
  /// Where the key file is, or is made.
  let folder: String

  /// A key and the file that held it.
  struct Found {
    let key: SecretBytes
    let path: String
  }

  /// Reads the key.
  ///
  /// - Parameter mayMake: whether a missing one is made; false where something is sealed already.
  func load(mayMake: Bool) throws(MasterKeyError) -> Found {
    if let credentialsFolder {
      let path = credentialsFolder + "/" + Self.credentialName
      // The service manager owns it and may let the group (an ACL's mask) read it.
      if let key = try read(path, forbidden: 0o027) { return Found(key: key, path: path) }
    }
    let path = folder + "/" + Self.fileName
    if let key = try read(path, forbidden: 0o077) { return Found(key: key, path: path) }
    guard mayMake else { throw .missing(expected: path) }
    try make(path)
    guard let key = try read(path, forbidden: 0o077) else { throw .notMade(path: path, errno: ENOENT) }
    return Found(key: key, path: path)
  }

  private func read(_ path: String, forbidden: mode_t) throws(MasterKeyError) -> SecretBytes? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw .untrusted(path: path, reason: "it is a symbolic link") }
      throw .unreadable(path: path, errno: errno)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .untrusted(path: path, reason: "it is no regular file")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw .untrusted(path: path, reason: "it belongs to user ID \(status.st_uid)")
    }
    guard status.st_mode & forbidden == 0 else {
      throw .untrusted(path: path, reason: "others may read or change it; mend: chmod 600 \(path)")
    }
    return try SecretBytes(count: Self.length) { key throws(MasterKeyError) in
      try Self.readKey(file, path: path, into: key)
    }
  }

  private static func readKey(
    _ file: Int32, path: String, into key: UnsafeMutablePointer<UInt8>
  ) throws(MasterKeyError) {
    let text = try SecretBytes.scratch(count: longestFile)
    defer { sodium_free(text) }
    var count = 0
    while count < longestFile {
      let got = Glibc.read(file, text + count, longestFile - count)
      if got == 0 { break }
      if got < 0, errno != EINTR { throw .unreadable(path: path, errno: errno) }
      count += max(got, 0)
    }
    if count == length {
      key.update(from: text, count: length)
      return
    }
    if count == 2 * length + 1, text[count - 1] == UInt8(ascii: "\n") { count -= 1 }
    var made = 0
    let isHex =
      count == 2 * length
      && text.withMemoryRebound(to: CChar.self, capacity: count) {
        sodium_hex2bin(key, length, $0, count, nil, &made, nil) == 0 && made == length
      }
    guard isHex else { throw .malformed(path: path) }
  }

  /// Makes a key file: whole under another name first, so that no crash leaves half a key under this one.
  private func make(_ path: String) throws(MasterKeyError) {
    let draft = path + ".new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .notMade(path: path, errno: errno) }
    defer {
      close(file)
      unlink(draft)
    }
    let key = try SecretBytes(count: Self.length) { (bytes) throws(MasterKeyError) in
      crypto_kdf_keygen(bytes)
    }
    let written = key.withBytes { write(file, $0, Self.length) }
    guard written == Self.length else { throw .notMade(path: path, errno: written < 0 ? errno : ENOSPC) }
    guard fsync(file) == 0 else { throw .notMade(path: path, errno: errno) }
    // Unlike rename(2), link(2) never replaces a key that is there.
    guard link(draft, path) == 0 || errno == EEXIST else { throw .notMade(path: path, errno: errno) }
    let folder = open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .notMade(path: path, errno: errno) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .notMade(path: path, errno: errno) }
  }
}

extension SecretBytes {
  /// Locked memory to write in; sodium_free(3) zeroes and frees it.
  fileprivate static func scratch(count: Int) throws(MasterKeyError) -> UnsafeMutablePointer<UInt8> {
    guard Sodium.isReady, let memory = sodium_malloc(count) else { throw .noMemory }
    return memory.assumingMemoryBound(to: UInt8.self)
  }
}
