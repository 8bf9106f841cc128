import Foundation
import Glibc
import Testing

/// The example module of C as an installed bundle, alone or with more source beside it.
enum CModule {
  static let id = "com.example.c-module"

  /// Compiles and installs it in a state folder, in place of an earlier one; returns the hash of its executable.
  /// - Parameters:
  ///   - source: more C, of which a constructor runs before the module's `main`.
  ///   - mark: makes another executable of the same source.
  static func install(
    in scratch: Scratch, state: String = "state", beside source: String = "", mark: String = ""
  ) throws -> String {
    let example = Product.checkout + "/Examples/c-module"
    let folder = try scratch.folder("\(state)/bundles/\(id)")
    let module = folder + "/module"
    try? FileManager.default.removeItem(atPath: module)
    let beside = try scratch.write("source/beside.c", source)
    try run([
      "clang", "-static", "-O1", "-pthread", "-o", module, example + "/module.c", beside,
      "-Wl,--defsym=mark\(mark)=0",
    ])
    chmod(module, 0o700)
    try Data(contentsOf: URL(filePath: example + "/manifest.json"))
      .write(to: URL(filePath: folder + "/manifest.json"))
    chmod(folder + "/manifest.json", 0o600)
    return try hash(module)
  }

  private static func run(_ words: [String]) throws {
    try #require(SpawnedProgram.run(words).status == 0)
  }

  /// SHA-256 of a file, as sha256sum(1) has it.
  static func hash(_ path: String) throws -> String {
    String(decoding: try SpawnedProgram.run(["sha256sum", path]).output.prefix(64), as: UTF8.self)
  }
}
