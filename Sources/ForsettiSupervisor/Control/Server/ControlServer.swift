import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Glibc

/// Takes connections to the control socket. Who connects is asked of the kernel before a byte is read: a stranger is
/// told so in one frame and let go.
@ReactorActor final class ControlServer {
  /// Bounds on what clients may hold of the supervisor.
  struct Limits: Sendable {
    var connections = 64
    /// So that no user keeps the others out.
    var connectionsPerUser = 32
    var callsPerConnection = 8
    /// Connections taken in one turn.
    var acceptsPerTurn = 16
    /// From the connection to its hello.
    var greeting = Duration.seconds(5)
    /// A connection without an open call is closed after this long.
    var idle = Duration.seconds(60)
    /// A client that reads nothing of an answer for so long is let go.
    var stalled = Duration.seconds(30)
  }

  let context: ControlContext
  let limits: Limits
  private let folder: String
  private let owner = geteuid()
  private let socket: Descriptor
  /// Whether the service manager made the socket: then it is not ours to take away.
  private let isInherited: Bool
  private var source: EventSource?
  private var connections: [ObjectIdentifier: ControlConnection] = [:]
  private var workload: ControlWorkload
  private var refusedUsers: Set<UInt32> = []
  private var refusedOperations: Set<String> = []
  /// Connections that were refused since the start.
  private(set) var refusals: UInt64 = 0

  /// Listens in the runtime folder, or on the socket that the service manager has made there.
  init(
    folder: String, inherited: consuming Descriptor? = nil, context: ControlContext, limits: Limits = Limits()
  ) throws(CommandFailure) {
    self.context = context
    self.folder = folder
    self.limits = limits
    workload = ControlWorkload(limit: limits.connectionsPerUser * limits.callsPerConnection)
    let socket: Descriptor
    if let inherited {
      socket = inherited
      isInherited = true
    } else {
      socket = try ControlSocket.listen(in: folder, isShared: context.policy.isShared)
      isInherited = false
    }
    let number = socket.number
    self.socket = socket
    do throws(SystemError) {
      source = try Reactor.shared.watch(number, for: .readable) { [weak self] _ in self?.accept() }
    } catch {
      throw CommandFailure(status: .osError, message: "the control socket cannot be watched: \(error)")
    }
  }

  /// Open connections.
  var count: Int { connections.count }

  /// Ends every connection, and takes the socket away.
  func close() {
    source?.cancel()
    source = nil
    if !isInherited { ControlSocket.remove(from: folder) }
    for connection in connections.values { connection.close() }
  }

  private func accept() {
    for _ in 0..<limits.acceptsPerTurn {
      let number = cl_unix_accept(socket.number)
      switch -number {
      case EAGAIN: return
      // It was gone before we looked.
      case ECONNABORTED, EINTR, EPROTO: continue
      case 1...: return pause()
      default: welcome(Descriptor(owning: number))
      }
    }
  }

  /// No descriptor or memory to be had: a level-triggered watch would ask for ever.
  private func pause() {
    source?.watch([])
    ReactorClock.shared.schedule(after: .milliseconds(200)) { [weak self] in
      self?.source?.watch(.readable)
    }
  }

  private func welcome(_ socket: consuming Descriptor) {
    guard let peer = ControlPeer.of(socket.number, policy: context.policy, owner: owner),
      !peer.rights.isEmpty
    else { return refuse(socket) }
    guard hasRoom(for: peer.userID) else {
      refusals &+= 1
      return Self.tell(
        socket, ControlFailure(.busy, .temporaryFailure, "too many connections to the supervisor; try again"))
    }
    do throws(SystemError) {
      let connection = try ControlConnection(socket, peer: peer, server: self)
      connections[ObjectIdentifier(connection)] = connection
    } catch {
      context.logger.warning("a control connection cannot be watched: \(error)")
    }
  }

  /// A connection of a narrower scope for a process of this user's that can make none itself.
  /// - Parameter processID: that process.
  /// - Returns: its end, on which nobody needs to say hello.
  func connection(_ scope: ControlScope, for processID: Int32) throws(SystemError) -> Descriptor {
    let scoped = connections.values.count { $0.scope != nil }
    guard connections.count < limits.connections, scoped < limits.connectionsPerUser else {
      refusals &+= 1
      throw SystemError("connect", EAGAIN)
    }
    var ends: [Int32] = [-1, -1]
    let made = cl_stream_pair(&ends)
    guard made == 0 else { throw SystemError("socketpair", -made) }
    let ours = Descriptor(owning: ends[0])
    let theirs = Descriptor(owning: ends[1])
    let peer = ControlPeer(processID: processID, userID: owner, rights: Set(ControlRight.allCases))
    let connection = try ControlConnection(ours, peer: peer, server: self, scope: scope)
    connections[ObjectIdentifier(connection)] = connection
    return theirs
  }

  private func hasRoom(for user: UInt32) -> Bool {
    // Those of the console are counted for themselves: they must not keep its user from the socket.
    let ofUser = connections.values.count { $0.peer.userID == user && $0.scope == nil }
    return connections.count < limits.connections && ofUser < limits.connectionsPerUser
  }

  /// Takes in a call; false where so many of this peer's are worked on that it must wait.
  func beginCall(of peer: ControlPeer, _ scope: ControlScope?) -> Bool {
    workload.begin(ControlWorkload.Owner(userID: peer.userID, isScoped: scope != nil))
  }

  /// The work on a call has ended.
  func endCall(of peer: ControlPeer, _ scope: ControlScope?) {
    workload.end(ControlWorkload.Owner(userID: peer.userID, isScoped: scope != nil))
  }

  /// Whether a user is refused an operation for the first time; the first thousand are told apart.
  func isFirstRefusal(of user: UInt32, _ operation: String) -> Bool {
    refusedOperations.count < 1000 && refusedOperations.insert("\(user) \(operation)").inserted
  }

  private func refuse(_ socket: consuming Descriptor) {
    refusals &+= 1
    let peer = ControlPeer.of(socket.number, policy: ControlPolicy(), owner: owner)
    let user = peer?.userID ?? .max
    // One line a user: whoever is refused must not fill the log.
    if refusedUsers.count < 64, refusedUsers.insert(user).inserted {
      context.logger.warning(
        "refused a control connection; further ones of this user are not told of",
        metadata: ["uid": "\(user)", "pid": "\(peer?.processID ?? 0)"])
      context.auditLog.record(
        AuditEvent(.denied, actor: "operator:\(user)", details: ["operation": "connect"]))
    }
    Self.tell(
      socket,
      ControlFailure(
        .denied, .noPermission,
        "user \(user) has no right to this supervisor; its policy gives rights under \"control\""))
  }

  /// One frame, if the socket takes it, and the end.
  private static func tell(_ socket: consuming Descriptor, _ failure: ControlFailure) {
    var queue = OutboundQueue(byteLimit: 8192, frameLimit: 1)
    guard (try? ControlMessage.failure(failure).encode(into: &queue, callID: ControlHello.callID)) != nil
    else { return }
    _ = queue.withPendingBytes { Glibc.write(socket.number, $0.baseAddress, $0.count) }
  }

  func didClose(_ connection: ControlConnection) {
    connections[ObjectIdentifier(connection)] = nil
  }
}
