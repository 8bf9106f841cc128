import CLinux
import Glibc

/// A folder of /proc whose entries are numbers: the descriptors of a process, or its threads.
public struct NumberedFolder: ~Copyable, Sendable {
  /// Enough for nearly every process, so that one look suffices.
  private static let usualCount = 256

  private let folder: Descriptor

  /// Opens it. It is bound to the process, and shows at each look what there is by then.
  public init(_ path: String) throws(SystemError) {
    folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
  }

  /// All of its numbers, in no order. Those of one's own descriptors include the one by which they are looked at.
  public func numbers() throws(SystemError) -> [Int32] {
    var capacity = Self.usualCount
    while true {
      var count = 0
      let numbers = [Int32](unsafeUninitializedCapacity: capacity) { buffer, used in
        count = Int(cl_numbers(folder.number, buffer.baseAddress, Int32(buffer.count)))
        used = max(0, min(count, buffer.count))
      }
      guard count >= 0 else { throw SystemError("getdents64", Int32(-count)) }
      guard count > capacity else { return numbers }
      // Twice as many, as more may have come by the next look.
      capacity = count * 2
    }
  }
}
