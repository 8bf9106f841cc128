import CLinux
import ForsettiBlocking
public import ForsettiControlClient
import ForsettiIPC
import Glibc
import Synchronization

/// Where the console's connections to the control socket come from: it can make none itself, so it asks whoever keeps it,
/// and gets each as a descriptor that is good for what a console may do.
public final class ControlDoor: Sendable {
  /// Milliseconds that whoever keeps us may be silent.
  private static let patience: Int32 = 10_000

  private let socket: Int32
  /// One asks at a time, so that each answer is to the question before it.
  private let turn = Mutex(())

  /// - Parameter socket: keeps packets apart; stays open as long as this process.
  public init(socket: Int32) { self.socket = socket }

  /// One connection, on which nobody needs to say hello.
  public func open() throws(ControlClientError) -> ControlChannel {
    ControlChannel(
      Descriptor(owning: try turn.withLock { _ throws(ControlClientError) in try ask() }), isGreeted: true)
  }

  private func ask() throws(ControlClientError) -> Int32 {
    // An answer that came too late for whoever asked is nobody's.
    while let (_, late) = receive() { if late >= 0 { close(late) } }
    let sent = cl_packet_send(socket, [ConsolePacket.wanted], 1, [], 0)
    guard sent == 0 else { throw .unreachable("cannot ask for a connection to the supervisor", errno: -sent) }
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&polled, 1, Self.patience) < 0 {
      guard errno == EINTR else { throw .unreachable("poll", errno: errno) }
    }
    guard let (answer, descriptor) = receive() else { throw .silent }
    if answer == ConsolePacket.granted, descriptor >= 0 { return descriptor }
    if descriptor >= 0 { close(descriptor) }
    let code = Int32(answer)
    if code == ECONNREFUSED || code == ENOENT { throw .absent }
    throw .unreachable("cannot connect to the supervisor", errno: code)
  }

  /// What has come: its byte, and the descriptor with it, -1 where there is none; `nil` for nothing.
  private func receive() -> (UInt8, Int32)? {
    var byte: UInt8 = 0
    var descriptors: [Int32] = [-1, -1]
    guard cl_packet_receive(socket, &byte, 1, &descriptors) == 1 else { return nil }
    if descriptors[1] >= 0 { close(descriptors[1]) }
    return (byte, descriptors[0])
  }
}
