/// Which way a frame goes.
public enum FrameDirection: String, Sendable, Hashable, CaseIterable {
  case toModule, toSupervisor
}

extension FrameKind {
  /// The only way frames of this kind go; `nil` for those that go both ways.
  public var direction: FrameDirection? {
    switch self {
    case .setUp, .release, .identify, .start, .stop, .ping, .deliver, .dropped: .toModule
    case .locked, .refused, .describe, .describeFailed, .started, .startFailed, .stopped, .pong, .log,
      .publish:
      .toSupervisor
    case .call, .reply, .failure, .cancel: nil
    }
  }

  /// Whether frames of this kind go this way.
  public func goes(_ direction: FrameDirection) -> Bool { self.direction.map { $0 == direction } ?? true }
}

/// How far the conversation with one module has come, as either end sees it: a table of which frame may come next.
///
/// The frames of both directions go through one value, in the order this end sends and receives them. `stop` and
/// `started` may cross in the pipes; both orders end in the same phase.
public enum SessionPhase: String, Sendable, Hashable, CaseIterable {
  /// Nothing was said.
  case new
  /// `setUp` was sent; the child locks itself.
  case lockingDown
  /// `locked` was sent; the supervisor takes the listener.
  case locked
  /// `release` was sent; the child finishes, and module code begins to run.
  case describing
  /// `describe` was sent; the supervisor checks it.
  case described
  /// `start` was sent.
  case starting
  /// `started` was sent.
  case running
  /// `stop` was sent before `started` was seen: one of `started`, `startFailed` and `stopped` comes next.
  case stoppingWhileStarting
  /// `stop` was sent to a running module.
  case stopping
  /// Nothing more may be said; the process ends.
  case ended

  /// The phase after a frame of `kind` that went in `direction`; throws `unexpected` if it may not come now.
  public func after(_ kind: FrameKind, _ direction: FrameDirection) throws(ProtocolError) -> SessionPhase {
    guard kind.goes(direction) else { throw .unexpected(kind, self) }
    if carries(kind, direction) { return self }
    guard let next = after(kind) else { throw .unexpected(kind, self) }
    return next
  }

  /// Whether a record, call, event or heartbeat may come now; it leads nowhere else.
  private func carries(_ kind: FrameKind, _ direction: FrameDirection) -> Bool {
    switch self {
    case .starting, .running, .stoppingWhileStarting, .stopping: break
    default: return false
    }
    switch (kind, direction) {
    // A module has its logger, its services and its event bus from `start` on, until it has stopped.
    case (.log, _), (.publish, _), (.call, .toSupervisor), (.cancel, .toSupervisor): return true
    case (.deliver, _), (.dropped, _), (.reply, .toModule), (.failure, .toModule): return true
    // It is called once it is started; what it was called for before it is to stop, it may still answer.
    case (.call, .toModule), (.ping, .toModule): return self == .running
    case (.pong, .toSupervisor): return self == .running || self == .stopping
    case (.reply, .toSupervisor), (.failure, .toSupervisor), (.cancel, .toModule):
      return self == .running || self == .stopping
    default: return false
    }
  }

  private func after(_ kind: FrameKind) -> SessionPhase? {
    switch (self, kind) {
    case (.new, .setUp): .lockingDown
    case (.lockingDown, .locked): .locked
    case (.lockingDown, .refused): .ended
    case (.locked, .release): .describing
    // A third party's executable has taken over, and begins anew.
    case (.describing, .identify): .describing
    // The last steps of the lockdown come after `release` and can fail too.
    case (.describing, .refused): .ended
    case (.describing, .describe): .described
    case (.describing, .describeFailed): .ended
    case (.described, .start): .starting
    case (.starting, .started): .running
    case (.starting, .startFailed): .ended
    case (.starting, .stop): .stoppingWhileStarting
    case (.running, .stop): .stopping
    case (.stoppingWhileStarting, .started): .stopping
    case (.stoppingWhileStarting, .startFailed), (.stoppingWhileStarting, .stopped): .ended
    case (.stopping, .stopped): .ended
    default: nil
    }
  }
}
