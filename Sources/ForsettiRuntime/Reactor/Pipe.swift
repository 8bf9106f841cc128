import CLinux
import Glibc

/// A pipe, both ends CLOEXEC from birth and numbered from 5 up, so that none collides with the numbers
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

extension Descriptor {
  /// The same open description at a number of at least 5, as it is when the number is already.
  consuming func raised() throws(SystemError) -> Descriptor {
    guard number < 5 else { return self }
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 5)
    guard copy >= 0 else { throw SystemError("fcntl(F_DUPFD_CLOEXEC)", errno) }
    return Descriptor(owning: copy)
  }
}
