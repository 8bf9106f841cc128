import CCurl
import ForsettiCore
import Glibc

/// libcurl's multi interface: many exchanges at once, on the thread that turns the loop.
final class TransferLoop {
  /// Sleeps no longer; libcurl's own timers wake it earlier.
  private static let sleepMilliseconds: Int32 = 60_000

  private let multi: UnsafeMutableRawPointer
  private let authorities: [UInt8]?
  private var active: [UnsafeMutableRawPointer: Transfer] = [:]
  private var handles: [UInt64: UnsafeMutableRawPointer] = [:]

  /// An exchange that has ended; `nil` where it ended well.
  typealias Ended = (number: UInt64, fault: HTTPFault?)

  /// What libcurl and OpenSSL load once, while it may still be read; false where they can't.
  static func initialise() -> Bool { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK }

  /// Makes a loop; `nil` where libcurl can't.
  /// - Parameter authorities: certificates in PEM instead of the system's.
  init?(authorities: [UInt8]?) {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
    self.authorities = authorities
  }

  // It lasts as long as the process.

  /// Whether an exchange of this number is under way.
  func isActive(_ number: UInt64) -> Bool { handles[number] != nil }

  /// Starts an exchange; false where libcurl can't.
  func start(_ transfer: Transfer) -> Bool {
    guard let easy = transfer.prepare(authorities: authorities),
      curl_multi_add_handle(multi, easy) == CURLM_OK
    else { return false }
    active[easy] = transfer
    handles[transfer.number] = easy
    return true
  }

  /// Ends an exchange that nobody waits for any more.
  func cancel(_ number: UInt64) {
    if let easy = handles[number] { remove(easy) }
  }

  /// Lets more of an answer come.
  func grant(_ bytes: Int, to number: UInt64) {
    if let easy = handles[number] { active[easy]?.grant(bytes) }
  }

  private func remove(_ easy: UnsafeMutableRawPointer) {
    curl_multi_remove_handle(multi, easy)
    // Ended before it goes: its handle goes with it.
    if let transfer = active.removeValue(forKey: easy) { handles[transfer.number] = nil }
  }

  /// Does what can be done at once; returns what has ended.
  func turn() -> [Ended] {
    var running: Int32 = 0
    curl_multi_perform(multi, &running)
    var ended: [Ended] = []
    var code = CURLE_OK
    while let easy = ccurl_multi_ended(multi, &code) {
      guard let transfer = active[easy] else { continue }
      ended.append((transfer.number, transfer.outcome(code)))
      remove(easy)
    }
    return ended
  }

  /// Sleeps until an exchange can go on, or one of these can be read or written.
  func wait(reading input: Int32, writing output: Int32?) {
    var watched = [curl_waitfd(fd: input, events: Int16(CURL_WAIT_POLLIN), revents: 0)]
    if let output { watched.append(curl_waitfd(fd: output, events: Int16(CURL_WAIT_POLLOUT), revents: 0)) }
    curl_multi_poll(multi, &watched, UInt32(watched.count), Self.sleepMilliseconds, nil)
  }
}
