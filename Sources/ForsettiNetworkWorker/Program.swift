import CLinux
import ForsettiIPC
import Glibc

/// Performs the supervisor's HTTP, in two processes of this one program (docs/hardening.md). The supervisor starts the
/// *keeper* before it gives up its own rights, with a socket on 3: it becomes a user of its own, keeps of the system what
/// the network needs, and forks a *worker* whenever the supervisor asks for one. The worker locks itself behind its own
/// filter and speaks to strangers; the keeper never does.
@main enum Program {
  /// The keeper's socket, and a worker's input and output: the numbers of a module.
  static let (input, output): (Int32, Int32) = (3, 4)

  static func main() {
    // Whoever is gone is noticed by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    let orders = KeeperSocket(number: input)
    guard orders.wait(), case .order(.setUp(let setUp), _) = orders.receive() else { exit(65) }
    switch Keeper.make(setUp, orders) {
    case .success(var keeper): keeper.run()
    case .failure(let refusal):
      orders.report(refusal.report)
      exit(71)
    }
    exit(0)
  }
}
