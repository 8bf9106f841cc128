import Glibc

/// The walk from the root to a folder: resolves links itself, so that each folder passed through is checked.
struct FolderWalk: ~Copyable {
  /// As many links as the kernel follows in one path (path_resolution(7)).
  private static let mostLinks = 40
  /// O_PATH, which glibc's headers show to _GNU_SOURCE alone (the same on x86-64 and arm64).
  static let pathOnly: Int32 = 0o10000000
  private static let place = pathOnly | O_DIRECTORY | O_CLOEXEC

  private var descriptor: Int32 = -1
  private var names: [String] = []
  /// Components still to go, the next one last.
  private var rest: [String] = []
  private var links = 0

  /// Starts at the root, or at the working directory for a relative path.
  init(to path: String) throws(TrustedFileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw TrustedFileError(path: path, fault: .absent)
    }
    var whole = path
    if !path.hasPrefix("/") {
      guard let working = getcwd(nil, 0) else {
        throw TrustedFileError(path: path, fault: .unreadable(errno: errno))
      }
      whole = String(cString: working) + "/" + path
      free(working)
    }
    push(whole)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Where the walk stands.
  var path: String { "/" + names.joined(separator: "/") }

  /// The descriptor of the folder reached; the caller closes it.
  mutating func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Goes to the end.
  mutating func run() throws(TrustedFileError) {
    descriptor = open("/", Self.place)
    guard descriptor >= 0 else { throw TrustedFileError(path: "/", fault: .unreadable(errno: errno)) }
    try check(descriptor, path: "/")
    while let name = rest.popLast() {
      if name == ".." {
        // What is above was checked on the way down.
        try enter("..", as: nil)
        _ = names.popLast()
      } else {
        try step(name)
      }
    }
  }

  private mutating func push(_ path: String) {
    for name in path.split(separator: "/").reversed() where name != "." { rest.append(String(name)) }
  }

  private mutating func step(_ name: String) throws(TrustedFileError) {
    let shown = names.isEmpty ? "/" + name : path + "/" + name
    let next = openat(descriptor, name, Self.pathOnly | O_NOFOLLOW | O_CLOEXEC)
    guard next >= 0 else {
      throw TrustedFileError(path: shown, fault: errno == ENOENT ? .absent : .unreadable(errno: errno))
    }
    // On success the walk takes it over.
    defer { if next != descriptor { close(next) } }
    var status = stat()
    guard fstat(next, &status) == 0 else {
      throw TrustedFileError(path: shown, fault: .unreadable(errno: errno))
    }
    switch FileKind(mode: status.st_mode) {
    case .folder:
      try check(next, path: shown)
      close(descriptor)
      descriptor = next
      names.append(name)
    case .symbolicLink:
      // A link's mode says nothing; in a sticky folder its owner is who could point it elsewhere.
      guard status.st_uid == 0 || status.st_uid == geteuid() else {
        throw TrustedFileError(path: shown, fault: .foreignOwner(userID: status.st_uid))
      }
      try follow(next, path: shown)
    case let kind:
      throw TrustedFileError(path: shown, fault: .wrongKind(kind, expected: .folder))
    }
  }

  private mutating func follow(_ link: Int32, path shown: String) throws(TrustedFileError) {
    links += 1
    guard links <= Self.mostLinks else { throw TrustedFileError(path: shown, fault: .tooManyLinks) }
    let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
      guard let base = buffer.baseAddress else { return nil }
      let count = readlinkat(link, "", base, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard let target else { throw TrustedFileError(path: shown, fault: .unreadable(errno: errno)) }
    if target.hasPrefix("/") {
      try enter("/", as: "/")
      names = []
    }
    push(target)
  }

  private mutating func enter(_ name: String, as shown: String?) throws(TrustedFileError) {
    let next = openat(descriptor, name, Self.place)
    guard next >= 0 else {
      throw TrustedFileError(path: shown ?? path, fault: .unreadable(errno: errno))
    }
    close(descriptor)
    descriptor = next
  }

  private func check(_ folder: Int32, path: String) throws(TrustedFileError) {
    var status = stat()
    guard fstat(folder, &status) == 0 else {
      throw TrustedFileError(path: path, fault: .unreadable(errno: errno))
    }
    if let found = Trust.fault(ofPassage: status) {
      throw TrustedFileError(path: path, fault: found)
    }
  }
}
