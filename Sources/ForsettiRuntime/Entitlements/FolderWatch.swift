import CLinux
import Glibc

/// Tells when a name in a folder may stand for something else than before: inotify(7) on the folder.
@ReactorActor final class FolderWatch {
  /// What happened.
  enum Event: Sendable, Hashable {
    /// The named file was written and closed, replaced, removed, or its mode changed.
    case changed
    /// The folder itself was moved, removed or unmounted: this watch is blind from now on.
    case folderGone
  }

  private static let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)
  private static let changes = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB)

  private let descriptor: Descriptor
  private let name: [UInt8]
  private let handler: (Event) -> Void
  private var source: EventSource?

  /// Watches a folder for one name; the handler is called once for each batch of events.
  init(folder: String, name: String, _ handler: @escaping (Event) -> Void) throws(SystemError) {
    self.name = Array(name.utf8)
    self.handler = handler
    descriptor = try Self.open(folder)
    source = try Reactor.shared.watch(descriptor.number, for: .readable) { [weak self] _ in self?.drain() }
  }

  /// Ends the watch; no call comes after this.
  func stop() {
    source?.cancel()
    source = nil
  }

  private static func open(_ folder: String) throws(SystemError) -> Descriptor {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { throw SystemError("inotify_init1", errno) }
    let descriptor = Descriptor(owning: number)
    let mask = changes | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    guard inotify_add_watch(number, folder, mask) >= 0 else { throw SystemError("inotify_add_watch", errno) }
    return descriptor
  }

  private func drain() {
    var event: Event?
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
      // A budget, as a folder that never rests must not hold the reactor.
      for _ in 0..<8 {
        let count = read(descriptor.number, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if let new = Self.event(in: bytes, for: name) { event = event == .folderGone ? event : new }
      }
    }
    if let event { handler(event) }
  }

  /// Reads `struct inotify_event`s: 16 bytes, of which the mask is the second word and the length of the name
  /// behind it the fourth.
  static func event(in bytes: UnsafeRawBufferPointer, for name: [UInt8]) -> Event? {
    var found: Event?
    var start = 0
    while start + 16 <= bytes.count {
      let mask = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
      let length = Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
      guard length <= bytes.count - start - 16 else { return .changed }
      let entry = bytes[(start + 16)..<(start + 16 + length)].prefix { $0 != 0 }
      if mask & gone != 0 {
        found = .folderGone
      } else if mask & UInt32(IN_Q_OVERFLOW) != 0 || entry.elementsEqual(name), found == nil {
        found = .changed
      }
      start += 16 + length
    }
    return found
  }
}
