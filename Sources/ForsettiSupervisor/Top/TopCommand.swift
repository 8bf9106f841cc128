import ForsettiCore

/// `top`: what modules do and use, once a second, until somebody has seen enough.
struct TopCommand: Equatable {
  /// Milliseconds between two looks.
  private static let interval: Int32 = 1_000

  var place = ControlPlace()

  func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
    // Before the connection: whoever has no terminal should hear of that first.
    let terminal = try TopTerminal(input: 0, output: surroundings.output)
    var client = try place.connect(in: surroundings)
    var earlier: FiguresAnswer?
    while true {
      guard let figures = try Self.look(&client, until: terminal.watch) else { return .success }
      terminal.show(TopScreen(rates: TopRates(from: earlier, to: figures), size: terminal.size).lines)
      // A new size asks for a new picture; looks too close to each other make no rate.
      if earlier.map({ figures.uptimeMilliseconds - $0.uptimeMilliseconds >= Int(Self.interval) / 2 }) ?? true
      {
        earlier = figures
      }
      if terminal.wait(milliseconds: Self.interval) == .quit { return .success }
    }
  }

  /// What there is to see; `nil` when somebody has seen enough before it came.
  private static func look(
    _ client: inout ControlClient, until watch: ControlWatch
  ) throws(CommandFailure) -> FiguresAnswer? {
    var modules: [ModuleFiguresItem] = []
    var answer = try client.call(
      ControlOperations.figures, until: watch,
      item: { (item) throws(CommandFailure) in modules.append(item) })
    answer?.modules = modules
    return answer
  }
}
