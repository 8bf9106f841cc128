import ForsettiRuntime
import CLinux
import Glibc

/// What every command needs of the kernel before anything else, tried once: a missing thread or descriptor is one clear
/// line here and an endless wait or a trap later.
enum Preflight {
  /// Makes sure of descriptors 0 to 2, of a thread, and of the descriptors the reactor takes.
  static func check() throws(CommandFailure) {
    // A closed standard stream would become the number of the next thing opened, and be written to as output.
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<8 {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure("open files", errno, "raise `ulimit -n`") }
      opened.append(descriptor)
    }
    var threads: [pthread_t] = []
    defer { for thread in threads { pthread_join(thread, nil) } }
    // The reactor, and those for state, files and services.
    for _ in 0..<4 {
      var thread = pthread_t()
      let code = pthread_create(&thread, nil, { _ in nil }, nil)
      guard code == 0 else {
        throw failure("start a thread", code, "look at `ulimit -u`, `ulimit -v` and the cgroup's pids.max")
      }
      threads.append(thread)
    }
  }

  private static func failure(_ what: String, _ code: Int32, _ remedy: String) -> CommandFailure {
    CommandFailure(
      status: .osError, message: "cannot \(what): \(SystemError.text(of: code)); \(remedy)")
  }
}
