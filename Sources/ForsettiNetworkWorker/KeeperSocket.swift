import CLinux
import ForsettiIPC
import Glibc

/// The keeper's end of the socket by which it is ordered about. Not owned: it lasts as long as the process.
struct KeeperSocket {
  let number: Int32

  /// What came.
  enum Received {
    /// An order, with the two descriptors of a start.
    case order(NetworkKeeperOrder, (input: Int32, output: Int32)?)
    /// The supervisor is gone, or said what it could not have said.
    case end
    /// Nothing yet.
    case nothing
  }

  /// Waits until something is there; false where that can't be waited for.
  func wait() -> Bool {
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = cl_ppoll(&polled, 1, -1)
      if count != -EINTR { return count > 0 }
    }
  }

  /// Takes one order.
  func receive() -> Received {
    var bytes = [UInt8](repeating: 0, count: NetworkKeeperOrder.maximumBytes)
    var descriptors: [Int32] = [-1, -1]
    let count = cl_packet_receive(number, &bytes, bytes.count, &descriptors)
    if count == -Int(EAGAIN) || count == -Int(EINTR) { return .nothing }
    guard count > 0, let order = try? NetworkKeeperOrder.decode(bytes.span.extracting(..<count)) else {
      return .end
    }
    if descriptors.allSatisfy({ $0 >= 0 }) { return .order(order, (descriptors[0], descriptors[1])) }
    return descriptors.allSatisfy { $0 < 0 } ? .order(order, nil) : .end
  }

  /// Tells the supervisor; one that is gone needs no news.
  func report(_ report: NetworkKeeperReport) {
    guard let bytes = try? report.encoded() else { return }
    _ = cl_packet_send(number, bytes, bytes.count, nil, 0)
  }
}
