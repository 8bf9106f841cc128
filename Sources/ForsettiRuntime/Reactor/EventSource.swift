import CLinux
import Glibc

/// What epoll reports of a descriptor, and what one asks it to report.
public struct Readiness: OptionSet, Sendable {
  /// EPOLL bits.
  public let rawValue: UInt32

  /// Makes a set of raw EPOLL bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// There is something to read, or the other end has closed.
  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  /// There is room to write.
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The other end is gone; reported unasked.
  public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  /// The descriptor is in error, or a pipe has lost its reader; reported unasked.
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)
}

/// Who goes first where many descriptors are ready.
enum Precedence: Sendable {
  /// Calls wait for it: all of it is handled in the turn that saw it.
  case traffic
  /// Starts, ends, logs, people: some of it in each turn, one descriptor after the other, and calls in between.
  case upkeep
}

/// A descriptor that the reactor watches, level-triggered. It does not own the descriptor: cancel, then close.
@ReactorActor public final class EventSource {
  /// The descriptor watched.
  public let descriptor: Int32
  /// What is asked for now; changed by `watch(_:)`.
  public private(set) var interest: Readiness
  /// Who goes first where others are ready too.
  var precedence = Precedence.upkeep
  /// What was seen of it and waits in the queue of upkeep; empty while it is not in there.
  fileprivate(set) var pending: Readiness = []
  let slot: UInt32
  /// Called in the turn that saw the event. Dropped on cancel, so that its captures go too.
  private(set) var handler: (@ReactorActor (Readiness) -> Void)?
  private let reactor: Reactor

  init(
    descriptor: Int32, interest: Readiness, slot: UInt32, reactor: Reactor,
    handler: @escaping @ReactorActor (Readiness) -> Void
  ) {
    self.descriptor = descriptor
    self.interest = interest
    self.slot = slot
    self.reactor = reactor
    self.handler = handler
  }

  /// Changes what is asked for; the empty set still reports hang-up and error.
  public func watch(_ interest: Readiness) {
    guard handler != nil, interest != self.interest else { return }
    self.interest = interest
    reactor.control(EPOLL_CTL_MOD, self)
  }

  /// Handles what waits, unless the watch has ended meanwhile.
  func handlePending() {
    let readiness = pending
    pending = []
    handler?(readiness)
  }

  /// Ends the watch: no handler runs after this, not even for events already fetched.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    reactor.remove(self)
  }
}

/// Upkeep that was seen and is not handled yet, first come, first served: whoever is ready again at once waits behind the others,
/// and what one process did first is heard first.
@ReactorActor struct UpkeepQueue {
  private var waiting: [EventSource] = []
  /// Those before this one are taken.
  private var next = 0

  var isEmpty: Bool { next == waiting.count }

  /// Adds a source, or tells one that waits already what is seen of it now.
  mutating func add(_ source: EventSource, _ readiness: Readiness) {
    if source.pending.isEmpty { waiting.append(source) }
    source.pending = readiness
  }

  /// The first, which waits no more; `nil` where none waits.
  mutating func takeFirst() -> EventSource? {
    guard !isEmpty else { return nil }
    defer {
      next += 1
      if next == waiting.count || next == Self.mostTaken {
        waiting.removeFirst(next)
        next = 0
      }
    }
    return waiting[next]
  }
  private static let mostTaken = 64
}
