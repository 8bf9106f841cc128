import ForsettiCore
import Testing

@Suite("The token bucket")
struct TokenBucketTests {
  /// What comes of taking one at each of these times.
  private func taken(_ bucket: inout TokenBucket, at times: [UInt64]) -> [Bool] {
    var results: [Bool] = []
    for time in times { results.append(bucket.take(now: time)) }
    return results
  }

  @Test("a bucket gives its burst, then one an interval, and forgets what it refused")
  func burst() {
    var bucket = TokenBucket(burst: 3, interval: 10)
    let first = taken(&bucket, at: [100, 100, 100, 100, 100])
    #expect(first == [true, true, true, false, false])
    let later = taken(&bucket, at: [109, 110, 110])
    #expect(later == [false, true, false])
    let rested = taken(&bucket, at: [1_000, 1_000, 1_000, 1_000])
    #expect(rested == [true, true, true, false])
  }

  @Test("several are taken together or not at all, and looking takes none")
  func several() {
    var bucket = TokenBucket(burst: 5, interval: 10)
    let tooMany = bucket.take(6, now: 100)
    #expect(!tooMany)
    #expect(bucket.holds(5, now: 100))
    let three = bucket.take(3, now: 100)
    #expect(three)
    #expect(!bucket.holds(3, now: 109))
    #expect(bucket.holds(3, now: 110))
  }

  @Test("one that waits for its turn gets a thousand a second, and delays the next")
  func queue() {
    var bucket = TokenBucket(burst: 64, interval: 1_000_000)
    var now: UInt64 = 1
    for _ in 0..<5_064 { now = bucket.queue(now: now) ?? now }
    #expect(now == 5_000_000_001)
    let next = bucket.queue(now: now)
    #expect(next == now + 1_000_000)
    let afterNext = bucket.queue(now: now)
    #expect(afterNext == now + 2_000_000)
  }

  @Test("a rate allows a second's worth at once, or the burst it is given")
  func perSecond() {
    #expect(TokenBucket(perSecond: 50) == TokenBucket(burst: 50, interval: 20_000_000))
    #expect(TokenBucket(perSecond: 50, burst: 200) == TokenBucket(burst: 200, interval: 20_000_000))
    #expect(TokenBucket(perSecond: 0) == TokenBucket(burst: 1, interval: 1_000_000_000))
    #expect(TokenBucket(perSecond: .max).interval == 1)
  }

  @Test("no number makes it trap, and a clock that goes back gives nothing away")
  func odd() {
    var endless = TokenBucket(burst: .max, interval: .max)
    let all = endless.take(.max, now: .max)
    #expect(all)
    var small = TokenBucket(burst: 1, interval: 10)
    let found = taken(&small, at: [1_000, 0])
    #expect(found == [true, false])
    let huge = small.take(.max, now: 1_000)
    #expect(!huge)
  }
}
