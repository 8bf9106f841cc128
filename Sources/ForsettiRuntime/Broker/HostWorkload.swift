/// What the host's services have under way for one module: a value. A call that nobody waits for any more, because its
/// time is over or it was taken back, counts until its work has ended: it holds its request, and a thread may not be
/// interrupted.
struct HostWorkload {
  /// Bytes of requests at most; one request alone is always let in.
  static let byteLimit = 16 << 20

  private let countLimit: Int
  private var count = 0
  private var bytes = 0

  /// - Parameter limit: of requests.
  init(limit: Int) { countLimit = limit }

  /// Takes in a request of so many bytes; false where there is no room for it.
  mutating func begin(_ size: Int) -> Bool {
    guard count < countLimit, count == 0 || size <= Self.byteLimit - bytes else { return false }
    count += 1
    bytes += size
    return true
  }

  /// The work on a request has ended.
  mutating func end(_ size: Int) {
    count -= 1
    bytes -= size
  }
}
