import CLinux
import Glibc

/// A pipe, both ends CLOEXEC from birth and numbered from 6 up, so that none collides with the numbers
/// a child gets.
struct Pipe: ~Copyable {
  let reader: Descriptor
  let writer: Descriptor

  /// Opens a pipe; `nonBlocking` sets O_NONBLOCK on both ends, each an open description of its own.
  static func open(nonBlocking: Bool) throws(SystemError) -> Pipe {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { ends in
      cl_pipe2(
        ends.assumingMemoryBound(to: Int32.self).baseAddress, O_CLOEXEC | (nonBlocking ? O_NONBLOCK : 0))
    }
    guard result >= 0 else { throw SystemError("pipe2", -result) }
    let reader = Descriptor(owning: ends.0)
    let writer = Descriptor(owning: ends.1)
    return Pipe(reader: try reader.raised(), writer: try writer.raised())
  }
}

extension Pipe {
  /// Opens a pipe whose reader never blocks and whose writer does: what prints knows no EAGAIN.
  static func openForLog() throws(SystemError) -> Pipe {
    let pipe = try open(nonBlocking: false)
    guard fcntl(pipe.reader.number, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemError("fcntl(F_SETFL)", errno)
    }
    return pipe
  }
}

extension Pipe {
  /// The writer alone; the reader is closed here.
  consuming func keepingWriter() -> Descriptor { writer }

  /// The reader alone; the writer is closed here.
  consuming func keepingReader() -> Descriptor { reader }
}

extension Descriptor {
  /// The first number that no child is given anything on.
  private static let lowest: Int32 = 6

  /// The same open description at a number that no child is given anything on, as it is when it is such a number.
  consuming func raised() throws(SystemError) -> Descriptor {
    guard number < Self.lowest else { return self }
    let copy = fcntl(number, F_DUPFD_CLOEXEC, Self.lowest)
    guard copy >= 0 else { throw SystemError("fcntl(F_DUPFD_CLOEXEC)", errno) }
    return Descriptor(owning: copy)
  }
}
