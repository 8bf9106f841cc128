// Crashing is what these are for.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry
import CLinux
import Glibc

/// Programs that end by a fault of their own: the supervisor must see the signal they end with outside.
enum CrashingPrograms {
  private struct Small: Error {}
  private final class Node { var value = 1 }

  /// A function of its own in every build, for the tests that look for its name in a report.
  @inline(never) private static func readBehind(_ array: [Int]) -> Int { array[opaque(7)] }

  /// Likewise.
  @inline(never) private static func writeNowhere(_ address: Int) {
    UnsafeMutablePointer<Int>(bitPattern: address)?.pointee = 1
  }

  static let all: [Program] = [
    Program("crash_fatal_error") { fatalError("on purpose") },
    Program("crash_precondition") {
      precondition(opaque(1) == 2, "on purpose")
      return ""
    },
    Program("crash_forced_cast") { "\(opaque(1 as Any) as! String)" },
    Program("crash_index") { "\(readBehind([1, 2, 3]))" },
    Program("crash_nil") { "\(opaque(Int("x"))!)" },
    Program("crash_overflow") { "\(opaque(Int.max) + 1)" },
    Program("crash_division") { "\(1 / opaque(0))" },
    Program("crash_forced_try") {
      @Sendable func fails() throws -> String { throw opaque(Small()) }
      return try! fails()
    },
    Program("crash_negative_range") { "\((opaque(3)..<opaque(1)).count)" },
    Program("crash_null_write") {
      writeNowhere(opaque(8))
      return ""
    },
    Program("crash_null_call") {
      // Address 8 holds no code: a jump to it faults as a bad function pointer does.
      let call = unsafeBitCast(opaque(8), to: (@convention(c) () -> Void).self)
      call()
      return ""
    },
    Program("crash_stack_overflow") {
      @inline(never) func endless(_ depth: Int) -> Int {
        depth == opaque(-1) ? 0 : 1 &+ endless(opaque(depth &+ 1)) &+ opaque(depth)
      }
      return "\(endless(0))"
    },
    Program("crash_abort") { abort() },
    Program("crash_double_free") {
      let block = opaque(malloc(1_024))
      let other = opaque(malloc(1_024))
      free(block)
      free(other)
      free(opaque(block))
      // The first check may pass a block of the cache; this one can't.
      free(opaque(block))
      return ""
    },
    Program("crash_invalid_free") {
      free(opaque(opaque(calloc(1, 64))?.advanced(by: 24)))
      return ""
    },
    Program("crash_allocation_refused") {
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: opaque(8 << 30), alignment: 16)
      return "\(bytes)"
    },
    Program("crash_memory_exhausted") {
      var blocks: [[UInt8]] = []
      while true { blocks.append([UInt8](repeating: 1, count: 16 << 20)) }
    },
    Program("crash_unowned") {
      var node: Node? = Node()
      unowned let gone = opaque(node!)
      node = opaque(nil)
      return "\(gone.value)"
    },
    Program("exit_three") { exit(3) },
  ]
}
