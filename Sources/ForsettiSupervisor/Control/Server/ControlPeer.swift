import CLinux
import ForsettiCore
import Glibc

/// Who is at the other end of a connection, by the kernel's word (SO_PEERCRED, SO_PEERGROUPS), and what it may do.
struct ControlPeer: Sendable, Hashable {
  /// Groups looked at; whoever is in more has none of them.
  private static let maximumGroups = 1024

  var processID: Int32
  var userID: UInt32
  var rights: Set<ControlRight>

  /// How it is named where it acts.
  var name: String { "operator:\(userID)" }

  /// Asks the kernel; `nil` where it can't tell, which gives no right.
  static func of(_ socket: Int32, policy: ControlPolicy, owner: UInt32) -> ControlPeer? {
    var (process, user, group): (pid_t, uid_t, gid_t) = (0, 0, 0)
    guard cl_unix_peer(socket, &process, &user, &group) == 0 else { return nil }
    var more = [gid_t](repeating: 0, count: maximumGroups)
    let count = more.withUnsafeMutableBufferPointer {
      cl_unix_peer_groups(socket, $0.baseAddress, UInt32(maximumGroups))
    }
    let groups = [group] + more.prefix(max(0, Int(count)))
    return ControlPeer(
      processID: process, userID: user, rights: policy.rights(user: user, groups: groups, owner: owner))
  }
}
