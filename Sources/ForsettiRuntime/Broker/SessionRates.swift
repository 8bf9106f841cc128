import ForsettiCore
import ForsettiIPC

/// The rates that the policy sets for one module.
struct SessionRates {
  /// What is limited.
  enum Traffic {
    case call, event
  }

  /// Bytes are counted in units of so many, so that the cost of one is whole nanoseconds.
  private static let unit = 1024

  private var calls: TokenBucket?
  private var events: TokenBucket?
  private var units: TokenBucket?
  /// Nothing is limited, and nobody needs to ask what time it is.
  let isEmpty: Bool

  init(_ rates: ModuleRates) {
    calls = rates[.callsPerSecond].map { TokenBucket(perSecond: $0) }
    events = rates[.eventsPerSecond].map { TokenBucket(perSecond: $0) }
    // A whole frame fits the burst, or the largest would never pass.
    units = rates[.bytesPerSecond].map {
      let limit = TokenBucket(perSecond: $0 / Self.unit)
      let largest = (FrameHeader.size + FrameHeader.maximumBody) / Self.unit + 1
      return TokenBucket(burst: max(limit.burst, UInt64(largest)), interval: limit.interval)
    }
    isEmpty = calls == nil && events == nil && units == nil
  }

  /// Counts a frame. `nil` lets it pass; otherwise after how many milliseconds it is worth another try.
  mutating func refuse(_ traffic: Traffic, bytes: Int, now: UInt64) -> UInt32? {
    let count = traffic == .call ? calls?.wait(now: now) : events?.wait(now: now)
    if let count { return count }
    let size = UInt64((bytes + Self.unit - 1) / Self.unit)
    return units?.wait(size, now: now)
  }
}

extension TokenBucket {
  /// Counts, or says how many milliseconds to wait for one.
  fileprivate mutating func wait(_ count: UInt64 = 1, now: UInt64) -> UInt32? {
    take(count, now: now) ? nil : UInt32(clamping: max(1, count &* interval / 1_000_000))
  }
}

extension Frame {
  /// Bytes on the wire.
  var byteCount: Int { FrameHeader.size + Int(header.length) }
}
