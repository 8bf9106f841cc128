import ForsettiControlClient
import Glibc

/// `top`: what modules do and use, once a second, until somebody has seen enough.
struct TopCommand: Equatable {
  /// Milliseconds between two looks.
  private static let interval: Int32 = 1_000

  var place = ControlPlace()
  /// One line of JSON for each second instead of pictures; it needs no terminal.
  var json = false

  /// The signals that it takes itself.
  var signals: [Int32] { json ? [] : TopTerminal.signals }

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    if json { try print(in: surroundings) } else { try show(in: surroundings) }
    return .success
  }

  private func show(in surroundings: Surroundings) throws(CommandFailure) {
    // Before the connection: whoever has no terminal should hear of that first.
    let terminal = try TopTerminal(input: 0, output: surroundings.output)
    var feed = TopFeed(try place.connect(in: surroundings))
    while let rates = try feed.next(after: Self.interval, until: terminal.watch) {
      terminal.show(TopScreen(rates: rates, size: terminal.size).lines)
      if terminal.wait(milliseconds: Self.interval) == .quit { return }
    }
  }

  private func print(in surroundings: Surroundings) throws(CommandFailure) {
    let output = surroundings.output
    let watch = ControlWatch.reader(of: output)
    var feed = TopFeed(try place.connect(in: surroundings))
    // The first look alone tells no rates.
    _ = try feed.next(after: Self.interval, until: watch)
    var polled = watch.polled
    while poll(&polled, nfds_t(polled.count), Self.interval) <= 0,
      let rates = try feed.next(after: Self.interval, until: watch)
    {
      try output.write(rates.json.line)
    }
  }
}
