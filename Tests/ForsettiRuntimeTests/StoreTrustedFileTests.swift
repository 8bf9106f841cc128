import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiRuntime

@Suite("Trusted files")
struct StoreTrustedFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func fault(_ path: String, limit: Int = 100) -> TrustedFileError? {
    do {
      _ = try TrustedFile.read(path, limit: limit)
      return nil
    } catch { return error }
  }

  @Test("a file of ours, in folders of ours, is read whole")
  func readsWhole() throws {
    let text = String(repeating: "0123456789", count: 50_000)
    let path = try scratch.write("file", text)
    #expect(try TrustedFile.read(path, limit: text.utf8.count) == Array(text.utf8))
    #expect(try TrustedFile.read(scratch.write("empty", ""), limit: 0).isEmpty)
  }

  @Test("a relative path starts at the working directory")
  func relative() throws {
    let folder = try TrustedFolder(".")
    #expect(folder.path == FileManager.default.currentDirectoryPath)
  }

  @Test("a file over the limit is refused, one at the limit is read")
  func limit() throws {
    let path = try scratch.write("file", "12345")
    #expect(fault(path, limit: 4) == TrustedFileError(path: path, fault: .tooLarge(limit: 4)))
    #expect(fault(path, limit: 5) == nil)
  }

  @Test("a file that the group or others may write is refused, with the chmod that mends it")
  func writable() throws {
    for (mode, mend) in [(0o620, "g-w"), (0o602, "o-w"), (0o666, "go-w")] as [(mode_t, String)] {
      let path = try scratch.write("file", mode: mode)
      let error = try #require(fault(path))
      #expect(error == TrustedFileError(path: path, fault: .writable(mode: mode)))
      #expect(error.description.hasSuffix("chmod \(mend) \(path)"))
    }
  }

  @Test("a folder above, writable by others, is named and refused; a sticky one is accepted")
  func parents() throws {
    try scratch.folder("a")
    try scratch.folder("a/b")
    let path = try scratch.write("a/b/file")
    chmod(scratch("a"), 0o777)
    #expect(fault(path) == TrustedFileError(path: scratch("a"), fault: .writable(mode: 0o777)))
    chmod(scratch("a"), 0o1777)
    #expect(fault(path) == nil)
  }

  @Test("a file or folder of another user is refused", .enabled(if: geteuid() == 0))
  func owner() throws {
    try scratch.folder("a")
    let path = try scratch.write("a/file")
    chown(path, 4711, 0)
    #expect(fault(path) == TrustedFileError(path: path, fault: .foreignOwner(userID: 4711)))
    chown(path, 0, 0)
    chown(scratch("a"), 4711, 0)
    #expect(fault(path) == TrustedFileError(path: scratch("a"), fault: .foreignOwner(userID: 4711)))
  }

  @Test(
    "a link as the last component is refused; links among the folders are followed and what they lead to is checked"
  )
  func links() throws {
    try scratch.folder("real")
    try scratch.write("real/file")
    symlink("real/file", scratch("link"))
    #expect(fault(scratch("link")) == TrustedFileError(path: scratch("link"), fault: .symbolicLink))
    symlink("real", scratch("folder"))
    symlink(scratch("folder"), scratch("absolute"))
    #expect(try TrustedFolder(scratch("absolute")).path == scratch("real"))
    #expect(fault(scratch("absolute/../real/./file")) == nil)
    chmod(scratch("real"), 0o770)
    #expect(
      fault(scratch("absolute/file"))
        == TrustedFileError(path: scratch("real"), fault: .writable(mode: 0o770)))
  }

  @Test("a link that leads through a folder others may write is refused, though its end is ours")
  func linkThroughForeignFolder() throws {
    try scratch.folder("real")
    try scratch.write("real/file")
    try scratch.folder("open", mode: 0o777)
    symlink("../real", scratch("open/link"))
    #expect(
      fault(scratch("open/link/file"))
        == TrustedFileError(path: scratch("open"), fault: .writable(mode: 0o777)))
  }

  @Test("a loop of links ends in an error")
  func loop() throws {
    symlink("b", scratch("a"))
    symlink("a", scratch("b"))
    #expect(fault(scratch("a/file"))?.fault == .tooManyLinks)
  }

  @Test("FIFO, folder, socket, device: refused by kind, without waiting for a writer")
  func kinds() throws {
    mkfifo(scratch("fifo"), 0o600)
    try scratch.folder("folder")
    #expect(fault(scratch("fifo"))?.fault == .wrongKind(.fifo, expected: .file))
    #expect(fault(scratch("folder"))?.fault == .wrongKind(.folder, expected: .file))
    #expect(fault(scratch("folder/"))?.fault == .wrongKind(.folder, expected: .file))
    #expect(fault("/dev/null")?.fault == .wrongKind(.device, expected: .file))
    #expect(fault(scratch("fifo/file"))?.fault == .wrongKind(.fifo, expected: .folder))
  }

  @Test("what is absent is named: the file, or the first folder that is not there")
  func absent() throws {
    #expect(fault(scratch("no")) == TrustedFileError(path: scratch("no"), fault: .absent))
    #expect(fault(scratch("no/file")) == TrustedFileError(path: scratch("no"), fault: .absent))
    #expect(fault("")?.fault != nil)
  }
}
