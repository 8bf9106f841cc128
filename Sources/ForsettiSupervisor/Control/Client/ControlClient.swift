import ForsettiControlClient
import ForsettiCore
import ForsettiIPC
import ForsettiRuntime
import Glibc

/// The command line's end of the control socket: calls with their types, and failures with their exit statuses.
struct ControlClient: ~Copyable {
  private var channel: ControlChannel

  init(_ channel: consuming ControlChannel) { self.channel = channel }

  init(_ socket: consuming Descriptor) { channel = ControlChannel(socket) }

  /// Asks, and hands each item over as it comes.
  /// - Parameters:
  ///   - watch: what ends the call too, such as the end of the output of `logs -f`.
  ///   - dropped: called with the number of items that were lost.
  mutating func call<Request, Item, Answer>(
    _ operation: ControlOperation<Request, Item, Answer>, _ request: Request = Request(),
    until watch: ControlWatch? = nil, dropped: (UInt64) throws(CommandFailure) -> Void = { _ in },
    item: (Item) throws(CommandFailure) -> Void = { _ in }
  ) throws(CommandFailure) -> Answer? {
    do throws(ControlClientError) { try channel.begin(operation.name, request.control) } catch {
      throw CommandFailure(error)
    }
    while let step = try next(watch) {
      switch step {
      case .answer(let value): return try Self.decode(value)
      case .item(let value): try item(Self.decode(value))
      case .dropped(let count): try dropped(count)
      case .silence: continue
      }
    }
    return nil
  }

  /// Waits for the supervisor to close the connection, which it does when it ends.
  mutating func waitForEnd() throws(CommandFailure) {
    do throws(ControlClientError) { try channel.waitForEnd() } catch { throw CommandFailure(error) }
  }

  private mutating func next(_ watch: ControlWatch?) throws(CommandFailure) -> ControlChannel.Step? {
    do throws(ControlClientError) {
      return try channel.next(until: watch, within: watch == nil ? ControlChannel.patience : -1)
    } catch { throw CommandFailure(error) }
  }

  private static func decode<Value: ControlValue>(_ value: CBORValue) throws(CommandFailure) -> Value {
    do throws(ControlValueError) { return try Value(control: value) } catch {
      throw CommandFailure(ControlClientError.strange("\(error)"))
    }
  }
}

extension CommandFailure {
  /// A call without an answer.
  init(_ error: ControlClientError) {
    let status: ExitStatus =
      switch error {
      case .absent, .ended: .unavailable
      case .unreachable(_, let code) where code == EACCES || code == EPERM: .noPermission
      case .unreachable(_, let code) where code == EAGAIN: .temporaryFailure
      case .unreachable: .cannotCreate
      case .refused(let failure): ExitStatus(rawValue: failure.status) ?? .unavailable
      case .tooLong: .usage
      case .silent: .temporaryFailure
      case .strange: .software
      }
    guard case .refused(let failure) = error else {
      self.init(status: status, message: "\(error)")
      return
    }
    self.init(status: status, message: failure.message, details: failure.details)
  }
}

extension ControlWatch {
  /// The end of whoever reads an output.
  static func reader(of output: OutputStream) -> ControlWatch { .hangUp(of: output.descriptor) }
}
