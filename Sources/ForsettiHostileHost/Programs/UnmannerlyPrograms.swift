import ForsettiModuleKit
import Glibc

/// Programs that never do what they are asked to.
enum UnmannerlyPrograms {
  private static let ever = Duration.seconds(1 << 30)

  /// Without end, and with a turn for every heartbeat.
  private static func burn() async -> Never {
    while true {
      let end = ContinuousClock.now + .milliseconds(5)
      while ContinuousClock.now < end {}
      await Task.yield()
    }
  }

  static let all: [Program] = [
    Program("wait_for_ever") {
      try await Task.sleep(for: ever)
      return "waited"
    },
    Program("busy_loop") {
      // Without a call to the kernel, but with one that the optimiser can't take for nothing.
      var time = timespec()
      while clock_gettime(CLOCK_MONOTONIC, &time) == 0, time.tv_sec >= 0 {}
      return "the clock ran out"
    },
    Program("burn_processor") { await burn() },
    Program("burn_processor_deaf") {
      // The filter lets a mask be changed: abort(3) does it.
      var time = sigset_t()
      sigemptyset(&time)
      sigaddset(&time, SIGXCPU)
      try expect(sigprocmask(SIG_BLOCK, &time, nil) == 0, "SIGXCPU can't be blocked")
      await burn()
    },
    Program("sleep_for_ever") {
      var left = timespec(tv_sec: 1 << 30, tv_nsec: 0)
      nanosleep(&left, nil)
      return "slept"
    },
    Program("never_stop", stop: { try? await Task.sleep(for: ever) }) { "ready" },
    Program("fork_in_stop", stop: { say(ForbiddenPrograms.call(57, [])) }) { "ready" },
    Program("crash_amid_calls", needs: [IORequirement("calls", .storage, .readWrite, required: true)]) {
      context in
      for number in 0..<200 {
        Task { try await context.services.storage?.set("lost?", forKey: "k\(number)", in: nil) }
      }
      await Task.yield()
      abort()
    },
  ]
}
