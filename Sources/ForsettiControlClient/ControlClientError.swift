import ForsettiBlocking
public import ForsettiIPC
import Glibc

/// Why a call over the control socket has no answer.
public enum ControlClientError: Error, Sendable, Hashable {
  /// No supervisor listens there.
  case absent
  /// The socket cannot be reached: what was tried, and errno.
  case unreachable(String, errno: Int32)
  /// The supervisor's own word.
  case refused(ControlFailure)
  /// The request does not fit a frame.
  case tooLong
  /// The supervisor closed the connection before it had answered.
  case ended
  /// It has been silent for longer than the client waits.
  case silent
  /// What came is not of this protocol.
  case strange(String)
}

extension ControlClientError: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    switch self {
    case .absent: "no supervisor runs there"
    case .unreachable(let what, let code): "\(what): \(SystemError.text(of: code))"
    case .refused(let failure): failure.message
    case .tooLong: "the request is too long"
    case .ended: "the supervisor ended the connection before it had answered"
    case .silent: "the supervisor does not answer; is it stopped, or very busy?"
    case .strange(let what): "the supervisor answers what this client does not understand: \(what)"
    }
  }
}
