import ForsettiCore
import ForsettiTestKit
import Foundation
import Testing

@testable import ForsettiRuntime

@Suite("State and other processes")
struct StoreProcessTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The state that the probe saves under a number.
  private func numbered(_ number: Int) -> ActivationState {
    ActivationState(
      enabledServiceModuleIDs: Set((0..<number).map { "a.s\(number)-\($0)" }),
      enabledUIModuleIDs: ["a.ui\(number)"], selectedUIModuleID: "a.ui\(number)")
  }

  @Test("killed with -9 at any moment of writing, the state opens and is the last one told or the next")
  func killedWhileWriting() throws {
    for _ in 0..<40 {
      let probe = try ChildProgram("forsetti-store-probe", "write", scratch.path)
      var lines = (0..<Int.random(in: 1...12)).map { _ in probe.line() ?? "nothing" }
      probe.kill()
      // What it said between our last look and its end counts as told.
      lines += probe.lines()
      let last = try #require(lines.last.flatMap(Int.init), "\(lines)")
      let state = try StateDatabase(folder: scratch.path)
      let found = try state.activation()
      #expect(found == numbered(last) || found == numbered(last + 1))
      let next = try state.userIDSlot(moduleID: "a.check", origin: "probe", count: .max)
      try state.database.run("DELETE FROM user_ids WHERE module_id = 'a.check'")
      #expect(next >= last - 1, "a slot that was given is still known")
      if last > 60 { try state.commit(StateChange(activation: numbered(0))) }
    }
  }

  @Test("killed with -9 at any moment of its first opening, the state opens")
  func killedWhileOpening() throws {
    for round in 0..<40 {
      let folder = scratch("state\(round)")
      let probe = try ChildProgram("forsetti-store-probe", "open", folder)
      // A random moment is what is asked for: from the start of the process to about its end.
      usleep(UInt32.random(in: 0...30_000))
      probe.kill()
      let state = try StateDatabase(folder: folder)
      #expect(try state.activation() == nil)
      try state.commit(StateChange(activation: numbered(1)))
    }
  }

  @Test("a second process is refused and told the first one's ID; the lock ends with the first, even by -9")
  func lock() throws {
    let first = try ChildProgram("forsetti-store-probe", "hold", scratch.path)
    #expect(first.line() == "opened")
    #expect(throws: StoreError.locked(path: scratch.path, processID: first.processID)) {
      try StateDatabase(folder: scratch.path)
    }
    #expect(try StateDatabase.forReading(folder: scratch.path)?.activation() == nil)
    first.kill()
    _ = try StateDatabase(folder: scratch.path)
  }

  @Test(
    "what is told of as kept is on the disk with its name: where one of both can't be had, it is an error",
    arguments: [("report", "crashes"), ("decision", "audit-log")])
  func durable(what: String, folder: String) throws {
    let probe = ChildProgram.folder + "/forsetti-store-probe"
    // The first of its folder: its content is synced by the one call, its name by the other.
    for call in ["fdatasync", "fsync"] {
      let lines = try ChildProgram("forsetti-deny", call, probe, what, scratch.path).lines()
      #expect(
        lines.count == 1 && lines[0].hasPrefix("cannot write") && lines[0].contains("not implemented"),
        "\(lines)")
      try FileManager.default.removeItem(atPath: scratch(folder))
    }
    #expect(try ChildProgram("forsetti-store-probe", what, scratch.path).lines() == ["kept"])
  }

  @Test("at the limit of the file size a change fails as a whole and the state before it stays")
  func fileSizeLimit() throws {
    let probe = try ChildProgram("forsetti-store-probe", "limit", "200000", scratch.path)
    #expect(probe.lines() == ["full", "kept"])
    let state = try StateDatabase(folder: scratch.path)
    let count = try #require(try state.activation()).enabledServiceModuleIDs.count
    #expect(try state.activation() == numbered(count))
  }

  @Test(
    "on a full disk a change fails as a whole; with room again the next one succeeds",
    .enabled(if: geteuid() == 0))
  func fullDisk() throws {
    try withTmpfs("size=400k") {
      let state = try StateDatabase(folder: scratch.path)
      var number = 0
      var failure: StoreError?
      while failure == nil {
        do throws(StoreError) {
          try state.commit(StateChange(activation: numbered(number + 50)))
          number += 50
        } catch { failure = error }
      }
      #expect(failure == .full(path: scratch("state.sqlite")))
      #expect(try state.activation() == numbered(number))
      try #require(mount("tmpfs", scratch.path, "tmpfs", UInt(MS_REMOUNT), "size=4m") == 0)
      try state.commit(StateChange(activation: numbered(number + 50)))
      #expect(try state.activation() == numbered(number + 50))
    }
  }

  @Test(
    "on a disk that is full from the start the opening fails, with nothing half done",
    .enabled(if: geteuid() == 0))
  func fullFromTheStart() throws {
    try withTmpfs("size=16k") {
      try scratch.write("ballast", String(repeating: "x", count: 8_000))
      #expect(throws: StoreError.full(path: scratch("state.sqlite"))) {
        try StateDatabase(folder: scratch.path)
      }
      unlink(scratch("ballast"))
      try #require(mount("tmpfs", scratch.path, "tmpfs", UInt(MS_REMOUNT), "size=4m") == 0)
      #expect(try StateDatabase(folder: scratch.path).activation() == nil)
    }
  }

  @Test("on a read-only file system the opening fails and says so", .enabled(if: geteuid() == 0))
  func readOnly() throws {
    try withTmpfs("size=4m") {
      try #require(mount("tmpfs", scratch.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0)
      #expect(throws: StoreError.unwritable(path: scratch("lock"), errno: EROFS)) {
        try StateDatabase(folder: scratch.path)
      }
      #expect(throws: StoreError.folderNotCreated(path: scratch("state"), errno: EROFS)) {
        try StateDatabase(folder: scratch("state"))
      }
    }
  }

  @Test(
    "an ordinary user is told what it may not do, and works in a folder of its own",
    .enabled(if: geteuid() == 0))
  func ordinaryUser() throws {
    chmod(scratch.path, 0o755)
    let roots = try scratch.folder("roots", mode: 0o755)
    let own = try scratch.folder("own")
    chown(own, 4711, 4711)
    #expect(
      try ChildProgram("forsetti-store-probe", "as", "4711", "open", roots).lines() == [
        "unwritable \(EACCES)"
      ])
    #expect(
      try ChildProgram("forsetti-store-probe", "as", "4711", "open", roots + "/state").lines() == [
        "folderNotCreated \(EACCES)"
      ])
    #expect(
      try ChildProgram("forsetti-store-probe", "as", "4711", "open", own + "/state").lines() == ["opened"])
    #expect(
      try ChildProgram("forsetti-store-probe", "open", own + "/state").lines() == [
        "untrusted foreignOwner(userID: 4711)"
      ])
  }

  private func withTmpfs(_ options: String, _ body: () throws -> Void) throws {
    try #require(mount("tmpfs", scratch.path, "tmpfs", 0, options + ",mode=0700") == 0)
    defer { umount2(scratch.path, Int32(MNT_DETACH)) }
    try body()
  }
}
