import CLinux
import Glibc
import Synchronization

/// What any Swift program does: it must work under the strict plan as it does outside.
enum OrdinaryPrograms {
  static let all: [Program] = [
    Program("print") {
      print("one line of standard output")
      print("ünïcode, and", 3, "more", separator: " · ")
      say("one line of standard error")
      fflush(nil)
      return "printed"
    },
    Program("print_unflushed") {
      print("left in the buffer until exit")
      return "printed"
    },
    Program("print_megabyte") {
      for number in 0..<16_384 { print(number, String(repeating: "x", count: 57)) }
      fflush(nil)
      return "printed"
    },
    Program("random") {
      let numbers = Set((0..<64).map { _ in Int.random(in: .min ... .max) })
      try expect(numbers.count == 64, "random numbers repeat")
      var generator = SystemRandomNumberGenerator()
      return "\(generator.next() as UInt64) \([1, 2, 3].shuffled()) \(Bool.random())"
    },
    Program("array_growth") {
      var array: [UInt64] = []
      for number in 0..<26_214_400 { array.append(UInt64(number)) }
      return "\(array.count * 8) bytes, last \(array[array.count - 1])"
    },
    Program("memory_churn") {
      var sum = 0
      for round in 1...200 {
        let small = (0..<1_000).map { [Int](repeating: $0, count: 100) }
        let large = [UInt8](repeating: UInt8(round & 0xff), count: round << 16)
        sum += small[round].count + Int(large[large.count / 2])
      }
      return "\(sum)"
    },
    Program("realloc") {
      var block = malloc(1 << 20)
      for size in [8 << 20, 64 << 20, 128 << 20, 4 << 20, 1 << 12] {
        block = realloc(block, size)
        guard let grown = block else { throw Mismatch(description: "realloc to \(size) refused") }
        memset(grown, 0x5a, size)
      }
      free(block)
      return "grown and shrunk"
    },
    Program("allocation_refused_gently") {
      try expect(opaque(malloc(opaque(8 << 30))) == nil, "8 GiB were granted")
      return "\(errno == ENOMEM)"
    },
    Program("dictionary") {
      var words: [String: Int] = [:]
      for number in 0..<100_000 { words["key \(number % 5_000)", default: 0] += number }
      return "\(words.count) \(words["key 42"] ?? 0)"
    },
    Program("string_unicode") {
      let text = String(repeating: "Straße 👩‍👩‍👧 e\u{301}", count: 1_000)
      return "\(text.count) \(text.uppercased().count) \(text.unicodeScalars.count)"
    },
    Program("sort") {
      var numbers = (0..<1_000_000).map { ($0 &* 7_919) % 1_000_003 }
      numbers.sort()
      return "\(numbers[0]) \(numbers[999_999])"
    },
    Program("deep_recursion") {
      @inline(never) func depth(_ left: Int) -> Int { left == 0 ? 0 : 1 &+ depth(opaque(left &- 1)) }
      return "\(depth(40_000))"
    },
    Program("regex_stdlib") {
      let pattern = /(?<key>[a-z]+)=(?<value>\d+)/
      let found = "a=1, bc=22, def=333".matches(of: pattern).map { "\($0.key):\($0.value)" }
      return found.joined(separator: " ")
    },
    Program("sleep") {
      var left = timespec(tv_sec: 0, tv_nsec: 20_000_000)
      try expect(nanosleep(&left, nil) == 0, "sleep was cut short")
      usleep(1_000)
      return "slept"
    },
    Program("sleep_long") {
      say("asleep")
      var left = timespec(tv_sec: 0, tv_nsec: 400_000_000)
      try expect(nanosleep(&left, nil) == 0, "sleep was cut short")
      return "slept"
    },
    Program("clocks") {
      let start = ContinuousClock.now
      let work = clock()
      try expect(work >= 0, "no CPU time")
      var cpu = timespec()
      try expect(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) == 0, "no CPU clock")
      return "\(start.duration(to: .now) >= .zero) \(SuspendingClock.now == SuspendingClock.now)"
    },
    Program("environment") {
      "\(getenv("SWIFT_ROOT") != nil) \(getenv("PATH") == nil)"
    },
    Program("process_id") { "\(getpid() > 1) \(strerror(ENOENT).map { String(cString: $0) } ?? "")" },
    Program("mutex") {
      let count = Mutex(0)
      for _ in 0..<1_000 { count.withLock { $0 += 1 } }
      return "\(count.withLock { $0 })"
    },
    Program("threads") {
      for _ in 0..<4 {
        var thread = pthread_t()
        let created = pthread_create(&thread, nil, { _ in malloc(1 << 16) }, nil)
        try expect(created == 0, "no thread: \(created)")
        var result: UnsafeMutableRawPointer?
        try expect(pthread_join(thread, &result) == 0 && result != nil, "the thread did not work")
        free(result)
      }
      return "four threads"
    },
    Program("keypath_and_mirror") {
      struct Pair { var left = 1, right = "two" }
      let children = Mirror(reflecting: Pair()).children.map { $0.label ?? "" }
      return "\(Pair()[keyPath: \.right]) \(children)"
    },
    Program("errors_thrown") {
      struct Small: Error {}
      do { throw Small() } catch { return "\(type(of: error))" }
    },
    Program("throws_in_start") { throw Mismatch(description: "refused on purpose") },
  ]
}
