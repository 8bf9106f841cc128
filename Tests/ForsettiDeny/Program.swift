import CLinux
import CSeccomp
import Glibc

/// Becomes a command in a kernel that lacks something, for tests of what the supervisor says then:
///
///     forsetti-deny CALL[,CALL…] COMMAND [ARGUMENT…]     each call fails with ENOSYS
///     forsetti-deny listener COMMAND [ARGUMENT…]         a seccomp listener is above the command already
///
/// It keeps its process ID. 64 for wrong use, 126 where the filter can't be had, 127 where the command can't.
@main enum ForsettiDeny {
  static func main() {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "hold", let parent = pid_t(arguments[2]) { hold(for: parent) }
    guard arguments.count >= 3 else {
      leave(64, "usage: forsetti-deny CALL[,CALL...]|listener COMMAND [ARGUMENT...]")
    }
    switch arguments[1] {
    case "listener": holdListener()
    default: deny(arguments[1].split(separator: ",").map(String.init))
    }
    become(Array(arguments[2...]))
  }

  private static func deny(_ names: [String]) {
    guard let filter = seccomp_init(Action.allow) else { leave(126, "no memory for a filter") }
    for name in names {
      let number = seccomp_syscall_resolve_name(name)
      guard number >= 0, seccomp_rule_add_exact_array(filter, Action.noSuchCall, number, 0, nil) == 0 else {
        leave(64, "no system call \(name)")
      }
    }
    guard seccomp_load(filter) == 0 else { leave(126, "the filter can't be loaded") }
    seccomp_release(filter)
  }

  /// A listener that nobody holds is none, so a second process keeps it, until the command ends.
  private static func holdListener() {
    // The one call that notifies is one that nobody makes.
    guard let filter = seccomp_init(Action.allow),
      seccomp_rule_add_exact_array(filter, Action.notify, seccomp_syscall_resolve_name("uselib"), 0, nil)
        == 0,
      seccomp_load(filter) == 0
    else { leave(126, "the listener can't be had") }
    // Under its own number the holder would lose it: the kernel makes a listener close-on-exec.
    let kept = dup(seccomp_notify_fd(filter))
    var pid: pid_t = 0
    let error = withArguments(["forsetti-deny", "hold", "\(getpid())"]) {
      posix_spawn(&pid, "/proc/self/exe", nil, nil, $0, environ)
    }
    guard kept >= 0, error == 0 else { leave(126, "nobody can hold the listener") }
    close(kept)
  }

  /// Until the command ends. A parent-death signal would not do: a command that Landlock holds can send none.
  private static func hold(for parent: pid_t) -> Never {
    let process = cl_pidfd_open(parent)
    // A parent that is gone already has left another one.
    guard process >= 0, getppid() == parent else { exit(126) }
    var wait = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    while poll(&wait, 1, -1) < 0 && errno == EINTR {}
    exit(0)
  }

  private static func become(_ command: [String]) -> Never {
    _ = withArguments(command) { execvp(command[0], $0) }
    leave(127, "\(command[0]): \(String(cString: strerror(errno)))")
  }

  private static func withArguments<Result>(
    _ command: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = command.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  private static func leave(_ code: Int32, _ text: String) -> Never {
    let line = "forsetti-deny: \(text)\n"
    line.withCString { _ = write(2, $0, strlen($0)) }
    exit(code)
  }

  private enum Action {
    static let allow: UInt32 = 0x7fff_0000
    static let notify: UInt32 = 0x7fc0_0000
    static let noSuchCall: UInt32 = 0x0005_0000 | UInt32(ENOSYS)
  }
}
